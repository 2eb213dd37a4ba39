// Makes kernels over a memory from an embedded binary, which is decoded and compiled on first use. The core contains the
// SIMD build; importing `perceptron-wasm/scalar` registers the scalar build (docs/adr/0014).

import type { Backing } from '../../memory/backing.js';
import type { Element, Kernels, Steps } from '../contract.js';
import { simd } from './simd.js';

export type Target = 'simd' | 'scalar';

/** Kernels that a module exports with the signature of the contract. */
type Direct = Omit<Kernels, 'primal' | 'dual' | 'dot' | 'axpy'>;

/** The exports of a kernel module that the library calls (assembly/index.ts). */
interface Exports extends Direct {
  rowDot(element: Element, x: number, w: number, d: number): number;
  step(element: Element, w: number, x: number, step: number, d: number): void;
  run: Steps['run'];
  scan: Steps['scan'];
  apply: Steps['apply'];
  runDual: Steps['run'];
  scanDual: Steps['scan'];
  applyDual: Steps['apply'];
}

/** A build of the kernels as scripts/build-wasm.ts writes it: the encoded bytes, and the index of the memory import's flags. */
export interface Binary {
  readonly text: string;
  readonly memoryFlagAt: number;
}

/** The builds that are available. */
const binaries: Record<Target, Binary | undefined> = { simd, scalar: undefined };

/** Compiled modules by target and kind of memory. */
const compiled = new Map<string, WebAssembly.Module>();

/** Makes the scalar build available. */
export function provideScalar(binary: Binary): void {
  binaries.scalar = binary;
}

/** Whether there is a build for this target, compiled or not. */
export const isProvided = (target: Target): boolean =>
  binaries[target] !== undefined || compiled.has(keyOf(target, false));

/** The bytes of a target; its memory import is marked as shared if `shared`. @throws Error if the build is not available */
function bytesOf(target: Target, shared: boolean): Uint8Array<ArrayBuffer> {
  const binary = binaries[target];
  if (!binary) throw new Error("import 'perceptron-wasm/scalar' first");
  const { text, memoryFlagAt } = binary;
  const bytes = new Uint8Array(text.replace(/[a-d]/g, '').length);
  // A byte is one of 52 characters from '(' on; a letter a to d before it adds 52 times its place in the alphabet.
  for (let k = 0, i = 0, first = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    if (code > 96) {
      first = 52 * (code - 96);
    } else {
      bytes[i++] = first + code - 40;
      first = 0;
    }
  }
  if (shared) bytes[memoryFlagAt] = 3;
  return bytes;
}

const keyOf = (target: Target, shared: boolean) => `${target}${shared ? ' shared' : ''}`;

/** Registers modules that the platform compiled (src/edge.ts); they import memory that is not shared. */
export function provideModules(modules: Record<Target, WebAssembly.Module>): void {
  compiled.set(keyOf('simd', false), modules.simd);
  compiled.set(keyOf('scalar', false), modules.scalar);
}

/** The module of a target; compiles it on first use. @throws the platform's error if it does not compile */
export function compile(target: Target, shared: boolean): WebAssembly.Module {
  const key = keyOf(target, shared);
  let module = compiled.get(key);
  if (!module) {
    module = new WebAssembly.Module(bytesOf(target, shared));
    compiled.set(key, module);
  }
  return module;
}

/** Compiles a target without blocking; `compile` then returns at once. */
export async function compileAsync(target: Target, shared: boolean): Promise<void> {
  const key = keyOf(target, shared);
  if (!compiled.has(key)) compiled.set(key, await WebAssembly.compile(bytesOf(target, shared)));
}

/** The kernels of a module over a memory. */
export function instantiate(module: WebAssembly.Module, { memory, reason }: Backing): Kernels {
  if (!memory) throw new Error(reason);
  const e = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
  return {
    ...e,
    primal: { run: e.run, scan: e.scan, apply: e.apply },
    dual: { run: e.runDual, scan: e.scanDual, apply: e.applyDual },
    dot: e.rowDot,
    axpy: e.step,
  };
}
