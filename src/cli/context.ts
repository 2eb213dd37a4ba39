// What every command is given beside its arguments.

import type { OptionTable, Parsed } from './arguments.js';
import type { ExitStatus } from './errors.js';
import type { Interrupt } from './interrupt.js';
import type { Voice } from './output.js';

export interface Context {
  readonly voice: Voice;
  readonly interrupt: Interrupt;
  readonly version: string;
}

/** A command: does its work, and says how it ended. Errors are main's to report. */
export type Run<O extends OptionTable> = (args: Parsed<O>, context: Context) => Promise<ExitStatus>;

/** Lets Ctrl-C and timers in. @throws the signal's reason if it came */
export async function breathe({ interrupt }: Context): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  interrupt.signal.throwIfAborted();
}
