// WebKitGTK's MiniBrowser without a window: WebDriver over HTTP, on a display of xvfb.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type Command, type Driven, driven, onPath, pause } from './driven.js';

const driver = onPath('WebKitWebDriver');
const display = onPath('xvfb-run');
/** Debian has it in a folder of the machine's architecture. */
const browser = (existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])
  .map((folder) => join('/usr/lib', folder, 'webkit2gtk-4.1/MiniBrowser'))
  .find((path) => existsSync(path));
export const hasWebkit = driver !== undefined && display !== undefined && browser !== undefined;

/** Where a command of `driven` goes, below the address of the session. */
const PATHS: Record<Command, string> = {
  'WebDriver:Navigate': 'url',
  'WebDriver:SetTimeouts': 'timeouts',
  'WebDriver:SetWindowRect': 'window/rect',
  'WebDriver:SwitchToFrame': 'frame',
  'WebDriver:ExecuteAsyncScript': 'execute/async',
  'WebDriver:TakeScreenshot': 'screenshot',
};

/** Starts a WebKit of its own. `env`: such as `{ GTK_THEME: 'Adwaita:dark' }`, or `{ JSC_useSharedArrayBuffer: '1' }` for threads. */
export async function openWebkit(env: Readonly<Record<string, string>> = {}, patienceMs = 120_000): Promise<Driven> {
  if (!driver || !display || !browser) {
    throw new Error(
      'there is no WebKitWebDriver with its MiniBrowser, or no xvfb-run: install webkit2gtk-driver xvfb xauth',
    );
  }
  const port = await freePort();
  // A group of its own: xvfb-run, the display, the driver and the browser end together.
  const child = spawn(display, ['-a', '-s', '-screen 0 1600x1200x24', driver, `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }), ...env },
  });
  const gone = once(child, 'exit');
  async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (!response.ok) throw new Error(`${value?.error}: ${value?.message}`);
    return value;
  }
  let session: string | undefined;
  async function end(): Promise<void> {
    if (session) await ask('DELETE', `session/${session}`).catch(() => undefined);
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await gone;
  }
  try {
    for (let waited = 0; ; waited += 100) {
      const isReady = await ask('GET', 'status').then(
        () => true,
        () => false,
      );
      if (isReady) break;
      if (child.exitCode !== null) throw new Error(`xvfb-run ended with ${child.exitCode}`);
      if (waited > patienceMs) throw new Error('WebKitWebDriver does not answer');
      await pause(100);
    }
    const made = (await ask('POST', 'session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } },
      },
    })) as { sessionId: string; capabilities: { browserVersion: string } };
    session = made.sessionId;
    const send = (command: Command, body: Record<string, unknown>) =>
      command === 'WebDriver:TakeScreenshot'
        ? ask('GET', `session/${session}/${PATHS[command]}`)
        : ask('POST', `session/${session}/${PATHS[command]}`, body);
    return await driven('webkit', made.capabilities.browserVersion, send, end, patienceMs);
  } catch (error) {
    await end();
    throw error;
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
