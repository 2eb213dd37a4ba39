// The context that every command gets with its arguments.

import type { OptionTable, Parsed } from './arguments.js';
import type { ExitStatus } from './errors.js';
import type { Interrupt } from './interrupt.js';
import type { Voice } from './output.js';

export interface Context {
  readonly voice: Voice;
  readonly interrupt: Interrupt;
  readonly version: string;
}

/** A command: returns its exit status. main.ts reports its errors. */
export type Run<O extends OptionTable> = (args: Parsed<O>, context: Context) => Promise<ExitStatus>;

/** Yields to timers and signals. @throws the signal's reason after Ctrl-C */
export async function breathe({ interrupt }: Context): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  interrupt.signal.throwIfAborted();
}
