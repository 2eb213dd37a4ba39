// A page of any browser: what a test can do with it. Of those that playwright-core cannot drive, Firefox (firefox.ts) and WebKit
// (webkit.ts), in commands of WebDriver; they differ in how a command gets there.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on the PATH; undefined where there is none. */
export function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The commands that are used, by their names in Firefox. */
export type Command =
  | 'WebDriver:Navigate'
  | 'WebDriver:SetTimeouts'
  | 'WebDriver:SetWindowRect'
  | 'WebDriver:SwitchToFrame'
  | 'WebDriver:ExecuteAsyncScript'
  | 'WebDriver:TakeScreenshot';

export type Send = (command: Command, body: Record<string, unknown>) => Promise<unknown>;

export interface Driven {
  readonly name: 'chromium' | 'firefox' | 'webkit';
  readonly version: string;
  goto(url: string): Promise<void>;
  /** The inside of the window, in CSS pixels, as near to this as the browser allows: both have a least width. */
  resize(width: number, height: number): Promise<void>;
  /** What follows is done in the first frame of the page, until the next goto: a frame can be as narrow as a phone. */
  intoFrame(): Promise<void>;
  /** The body of an async function, run in the page; answers what it returns, as JSON. Throws what it throws. */
  evaluate<T>(body: string): Promise<T>;
  /** A PNG picture of what the window shows. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** `patienceMs`: for one script. */
export async function driven(
  name: Driven['name'],
  version: string,
  send: Send,
  close: () => Promise<void>,
  patienceMs: number,
): Promise<Driven> {
  await send('WebDriver:SetTimeouts', { script: patienceMs, pageLoad: patienceMs });
  async function evaluate<T>(body: string): Promise<T> {
    const script = `const done = arguments[arguments.length - 1];
      (async () => { ${body} })().then((value) => done({ value: value ?? null }), (error) => done({ error: error instanceof Error ? error.name + ': ' + error.message + ' ' + error.stack : String(error) }));`;
    const answer = (await send('WebDriver:ExecuteAsyncScript', { script, args: [] })) as { value: T; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  }
  return {
    name,
    version,
    evaluate,
    close,
    goto: async (url) => void (await send('WebDriver:Navigate', { url })),
    intoFrame: async () => void (await send('WebDriver:SwitchToFrame', { id: 0 })),
    async resize(width, height) {
      await send('WebDriver:SetWindowRect', { width, height });
      // What the window has around the page.
      const [inside, above] = await evaluate<[number, number]>(
        'await new Promise((r) => setTimeout(r, 200)); return [innerWidth, innerHeight];',
      );
      await send('WebDriver:SetWindowRect', { width: 2 * width - inside, height: 2 * height - above });
      await evaluate('await new Promise((r) => setTimeout(r, 200));');
    },
    screenshot: async () =>
      Buffer.from((await send('WebDriver:TakeScreenshot', { full: false, hash: false })) as string, 'base64'),
  };
}
