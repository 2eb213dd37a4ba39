// Compiles assembly/ for every target of asconfig.json and embeds each binary in a generated module of its own,
// src/engine/wasm/simd.ts and scalar.ts: the core takes the first alone (docs/adr/0014). Fails loudly: asc answers an unknown target with its base options
// and status 0, so each binary is checked for what it must and must not contain.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

const targets = ['simd', 'scalar'] as const;
type Target = (typeof targets)[number];

const moduleOf = (target: Target) => `src/engine/wasm/${target}.ts`;

async function compile(target: Target): Promise<Uint8Array> {
  const { main: asc } = await import('assemblyscript/asc'); // seconds to load: only if there is work
  const { error, stdout, stderr } = await asc(['--config', 'asconfig.json', '--target', target]);
  // That the optimiser would not find more by going on is no news.
  process.stderr.write(stdout.toString() + stderr.toString().replace(/^Last converge was suboptimal\.\n/gm, ''));
  if (error) throw error;
  return readFileSync(`build/${target}.wasm`);
}

/** The ids of a binary's sections, in order. */
function sections(wasm: Uint8Array): number[] {
  const ids: number[] = [];
  for (let at = 8; at < wasm.length; ) {
    ids.push(wasm[at++] as number);
    let size = 0;
    for (let shift = 0, byte = 0x80; byte & 0x80; shift += 7) {
      byte = wasm[at++] as number;
      size |= (byte & 0x7f) << shift;
    }
    at += size;
  }
  return ids;
}

function check(target: Target, wasm: Uint8Array): void {
  const demand = (ok: boolean, what: string) => {
    if (!ok) throw new Error(`build/${target}.wasm ${what}`);
  };
  const module = new WebAssembly.Module(wasm as Uint8Array<ArrayBuffer>);
  const imports = WebAssembly.Module.imports(module);
  demand(imports.length === 1 && imports[0]?.kind === 'memory', 'must import its memory and nothing else');
  // Threads will share one memory: an instance must bring no data, no globals, no start function.
  const [GLOBAL, START, DATA] = [6, 8, 11];
  for (const id of sections(wasm)) demand(![GLOBAL, START, DATA].includes(id), `has a section ${id}: it keeps state`);
  const simd = readFileSync(`build/${target}.wat`, 'utf8').includes('v128');
  demand(simd === (target === 'simd'), simd ? 'uses SIMD' : 'uses no SIMD');
}

/**
 * Where the flags of the memory import stand: 1 in the file (it has a maximum), 3 once patched at load
 * (and is shared). One binary so serves both kinds of memory; it holds no atomics (docs/adr/0001).
 */
function memoryFlagAt(target: Target, wasm: Uint8Array): number {
  const name = Buffer.from('\x03env\x06memory\x02\x01', 'latin1');
  const at = Buffer.from(wasm).indexOf(name);
  if (at < 0) throw new Error(`build/${target}.wasm has no import env.memory with a maximum`);
  return at + name.length - 1;
}

/** Bytes as characters from '(' to '[': one for 0 … 51; for others a letter before it says which 52 they are of ('a': 52 … 103). */
const textOf = (wasm: Uint8Array): string =>
  Array.from(wasm, (byte) => {
    const page = Math.floor(byte / 52);
    return (page > 0 ? String.fromCharCode(96 + page) : '') + String.fromCharCode(40 + (byte % 52));
  }).join('');

const sources = [
  'asconfig.json',
  'scripts/build-wasm.ts',
  ...readdirSync('assembly').map((name) => `assembly/${name}`),
];
const made = targets.flatMap((target) => [moduleOf(target), `build/${target}.wasm`, `build/${target}.wat`]);
const time = (file: string) => statSync(file).mtimeMs;
if (made.every((file) => existsSync(file)) && Math.min(...made.map(time)) > Math.max(...sources.map(time))) {
  console.log('kernels: up to date');
  process.exit(0);
}

mkdirSync('build', { recursive: true });
mkdirSync('src/engine/wasm', { recursive: true });
for (const target of targets) {
  const wasm = await compile(target);
  check(target, wasm);
  const lines = [
    '// Made by scripts/build-wasm.ts from assembly/. Printable characters, a byte each or two, so that gzip sees the bytes (docs/adr/0013).',
    '',
    `/** build/${target}.wasm, ${wasm.length} bytes. */`,
    `export const ${target} = {`,
    `  memoryFlagAt: ${memoryFlagAt(target, wasm)},`,
    `  text: '${textOf(wasm)}',`,
    '};',
    '',
  ];
  writeFileSync(moduleOf(target), lines.join('\n'));
  console.log(`${target}.wasm: ${wasm.length} bytes`);
}
