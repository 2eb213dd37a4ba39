// Chooses an engine; the only place that detects what the platform supports.
// 'auto' is WebAssembly SIMD, else scalar WebAssembly if `perceptron-wasm/scalar` is imported, else JavaScript (a content
// security policy may forbid wasm). The built-in engines share one default memory; createEngine makes one with its own.

import { expectOptions, messageOf, show } from '../errors.js';
import { Arena } from '../memory/arena.js';
import type { Backing } from '../memory/backing.js';
import type { BoundEngine, Engine, EngineKind, Kernels } from './contract.js';
import { jsKernels } from './js/kernels.js';
import { compile, compileAsync, instantiate, isProvided, type Target } from './wasm/load.js';

const KINDS: readonly EngineKind[] = ['wasm-simd', 'wasm-scalar', 'js'];

/** The build of the kernels that an engine runs; undefined for 'js'. */
const targetOf = (kind: EngineKind): Target | undefined =>
  kind === 'js' ? undefined : kind === 'wasm-simd' ? 'simd' : 'scalar';

/** The memory that all built-in engines share; matrices are allocated in it by default. */
export const defaultArena = new Arena();

const ours = new WeakSet<object>();

/** An engine over an arena; `make` makes its kernels over a memory. */
function bind(
  kind: EngineKind,
  arena: Arena,
  make: (backing: Backing) => Kernels,
  reason?: string,
  module?: () => WebAssembly.Module,
): BoundEngine {
  // Kernels hold their memory. The WeakMap does not, so the arena alone decides how long the memory lives.
  const made = new WeakMap<Backing, Kernels>();
  const kernels = () => {
    const { backing } = arena;
    const found = made.get(backing) ?? make(backing);
    made.set(backing, found);
    return found;
  };
  const engine: BoundEngine = Object.freeze({ kind, arena, kernels, module, reason });
  ours.add(engine);
  return engine;
}

/** An engine of this kind over an arena. @throws the platform's error if it does not work here */
function build(kind: EngineKind, arena: Arena, reason?: string): BoundEngine {
  const target = targetOf(kind);
  if (!target) return bind(kind, arena, () => jsKernels(arena), reason);
  if (!arena.backing.memory) throw new Error(arena.backing.reason);
  compile(target, arena.backing.shared);
  const make = (backing: Backing) => instantiate(compile(target, backing.shared), backing);
  return bind(kind, arena, make, reason, () => compile(target, true));
}

/** The fastest engine that works here, with the reasons why faster ones do not. */
function buildBest(arena: Arena): BoundEngine {
  const reasons: string[] = [];
  for (const kind of KINDS) {
    try {
      return build(kind, arena, reasons.length > 0 ? reasons.join('; ') : undefined);
    } catch (error) {
      reasons.push(`no ${kind}: ${messageOf(error)}`);
    }
  }
  throw new Error(`no engine works here: ${reasons.join('; ')}`);
}

function buildNamed(kind: EngineKind, arena: Arena): BoundEngine {
  try {
    return build(kind, arena);
  } catch (error) {
    throw new Error(`engine '${kind}' is not available: ${messageOf(error)}`, { cause: error });
  }
}

const builtIn = new Map<EngineKind | 'auto', BoundEngine>();

/** Chooses 'auto' again at its next use if it had to fall back to 'js': new kernels are available. */
export function chooseAgain(): void {
  if (builtIn.get('auto')?.kind === 'js') builtIn.delete('auto');
}

/** The engines whose kernels are available, fastest first; the platform may not support all of them. */
export const registeredEngines = (): EngineKind[] =>
  KINDS.filter((kind) => {
    const target = targetOf(kind);
    return !target || isProvided(target);
  });

/** The engine that an `engine` option names. @throws RangeError for another value; Error if the engine is not available */
export function resolveEngine(engine: Engine | EngineKind | 'auto' = 'auto'): BoundEngine {
  if (typeof engine === 'object' && engine !== null && ours.has(engine)) return engine as BoundEngine;
  if (engine !== 'auto' && !KINDS.includes(engine as EngineKind)) {
    throw new RangeError(
      `"engine" must be 'auto', 'wasm-simd', 'wasm-scalar', 'js' or an engine made by createEngine, got ${show(engine)}`,
    );
  }
  const name = engine as EngineKind | 'auto';
  let found = builtIn.get(name);
  if (!found) {
    found = name === 'auto' ? buildBest(defaultArena) : buildNamed(name, defaultArena);
    builtIn.set(name, found);
  }
  return found;
}

/** Options of `createEngine`. */
export interface EngineOptions {
  /** Which engine; 'auto' (the default) takes the fastest that works. */
  kind?: EngineKind | 'auto';
  /** Kernels that you compiled from `perceptron-wasm/simd.wasm` or `/scalar.wasm`; `kind` must say which. */
  module?: WebAssembly.Module;
  /** The limit of its memory in bytes; default 4 GiB. `fit` trains on larger rows part by part (docs/memory.md). */
  maxMemoryBytes?: number;
}

/**
 * Makes an engine with its own memory.
 * @throws TypeError or RangeError naming the option; Error saying why if a named kind is not available
 *
 * @example
 * const engine = createEngine({ kind: 'js', maxMemoryBytes: 2 ** 20 });
 * console.log(new Perceptron({ engine }).fit([[1], [2]], [0, 1]).report.engine); // → js
 */
export function createEngine(options: EngineOptions = {}): Engine {
  options = expectOptions(options, ['kind', 'module', 'maxMemoryBytes'], 'createEngine');
  const { kind = 'auto', module, maxMemoryBytes } = options;
  if (kind !== 'auto' && !KINDS.includes(kind)) {
    throw new RangeError(`"kind" must be 'auto', 'wasm-simd', 'wasm-scalar' or 'js', got ${show(kind)}`);
  }
  if (maxMemoryBytes !== undefined && !(Number.isInteger(maxMemoryBytes) && maxMemoryBytes >= 65536)) {
    throw new RangeError(`"maxMemoryBytes" must be an integer of at least 65536, got ${show(maxMemoryBytes)}`);
  }
  if (module === undefined) {
    const arena = new Arena(maxMemoryBytes);
    return kind === 'auto' ? buildBest(arena) : buildNamed(kind, arena);
  }
  checkModule(module);
  if (kind === 'js' || kind === 'auto') {
    throw new RangeError(`"module" needs a "kind", 'wasm-simd' or 'wasm-scalar', got ${show(kind)}`);
  }
  // The published modules import memory that is not shared.
  const arena = new Arena(maxMemoryBytes, false);
  return bind(kind, arena, (backing) => instantiate(module, backing));
}

function checkModule(module: unknown): asserts module is WebAssembly.Module {
  if (Object.prototype.toString.call(module) !== '[object WebAssembly.Module]') {
    throw new TypeError(`"module" must be a WebAssembly.Module, got ${show(module)}`);
  }
  const names = WebAssembly.Module.exports(module as WebAssembly.Module).map((e) => e.name);
  const missing = ['run', 'scores', 'dot_f64', 'runDual', 'pairPanel', 'transform', 'pairSparse'].find(
    (n) => !names.includes(n),
  );
  if (missing) throw new TypeError(`"module" is not a module of perceptron-wasm: it does not export "${missing}"`);
}

/**
 * Compiles the kernels without blocking; optional. Resolves to the engine that 'auto' names.
 * @throws Nothing: where WebAssembly is not available it resolves to the engine 'js', which says why
 *
 * @example
 * const { kind } = await prepareEngine();
 * console.log(kind); // → wasm-simd
 */
export async function prepareEngine(): Promise<Engine> {
  if (typeof WebAssembly === 'object' && !builtIn.has('auto')) {
    const { shared } = defaultArena.backing;
    try {
      await compileAsync('simd', shared);
    } catch {
      // No SIMD, or no wasm at all: the synchronous choice below finds the reason.
    }
  }
  return resolveEngine('auto');
}
