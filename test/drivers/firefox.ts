// Firefox without a window, by Marionette: its own protocol, WebDriver's commands over a socket, `length:[0, id, name, body]`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Driven, driven, onPath, pause } from './driven.js';

const program = onPath('firefox-esr') ?? onPath('firefox');
export const hasFirefox = program !== undefined;

/** Starts a Firefox of its own. `prefs`: as in about:config, on top of those that keep it quiet. */
export async function openFirefox(
  prefs: Readonly<Record<string, boolean | number | string>> = {},
  patienceMs = 120_000,
): Promise<Driven> {
  if (program === undefined) throw new Error('there is no firefox-esr or firefox on the PATH');
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const all = {
    'marionette.port': 0,
    'app.update.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'toolkit.telemetry.reportingpolicy.firstRun': false,
    ...prefs,
  };
  const lines = Object.entries(all).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--marionette'], {
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  async function end(): Promise<void> {
    child.kill();
    await Promise.race([gone, pause(5000).then(() => child.kill('SIGKILL'))]);
    await gone;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  try {
    const file = join(profile, 'MarionetteActivePort');
    for (let waited = 0; !existsSync(file) || readFileSync(file, 'utf8') === ''; waited += 100) {
      if (child.exitCode !== null) throw new Error(`Firefox ended with ${child.exitCode}`);
      if (waited > patienceMs) throw new Error('Firefox did not say which port it listens on');
      await pause(100);
    }
    const send = await connection(Number(readFileSync(file, 'utf8')));
    const { capabilities } = (await send('WebDriver:NewSession', {})) as { capabilities: { browserVersion: string } };
    return await driven('firefox', capabilities.browserVersion, send, end, patienceMs);
  } catch (error) {
    await end();
    throw error;
  }
}

/** One question at a time, each with its answer. */
async function connection(port: number) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let next = 1;
  const waiting = new Map<number, { done: (value: unknown) => void; fail: (error: Error) => void }>();
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || received.length < end) return;
      const message = JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
      if (!Array.isArray(message)) continue; // the greeting
      const [, id, error, result] = message;
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.fail(new Error(`${error.error}: ${error.message}`));
      // Answers of one value stand in `value`.
      else asked?.done(result && typeof result === 'object' && 'value' in result ? result.value : result);
    }
  });
  const fall = () => {
    for (const { fail } of waiting.values()) fail(new Error('Firefox closed the connection'));
  };
  socket.on('error', fall).on('close', fall);
  return (command: string, body: Record<string, unknown>): Promise<unknown> =>
    new Promise((done, fail) => {
      const id = next++;
      waiting.set(id, { done, fail });
      const text = JSON.stringify([0, id, command, body]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}
