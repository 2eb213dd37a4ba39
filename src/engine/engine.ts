// Choosing an engine: the one place that finds out what the platform can do.
// SIMD, else scalar WebAssembly where `perceptron-wasm/scalar` is imported, else JavaScript (a content security policy
// may forbid wasm and must not forbid training). The built-in engines run over one default memory; createEngine makes one with its own.

import { expectOptions, show } from '../errors.js';
import { Arena } from '../memory/arena.js';
import type { Backing } from '../memory/backing.js';
import type { BoundEngine, Engine, EngineKind, Kernels } from './contract.js';
import { jsKernels } from './js/kernels.js';
import { compile, compileAsync, instantiate, isProvided, type Target } from './wasm/load.js';

const KINDS: readonly EngineKind[] = ['wasm-simd', 'wasm-scalar', 'js'];

/** The build of the kernels that an engine runs; none for 'js'. */
const targetOf = (kind: EngineKind): Target | undefined =>
  kind === 'js' ? undefined : kind === 'wasm-simd' ? 'simd' : 'scalar';

/** The memory that all built-in engines share, and that matrices live in unless told otherwise. */
export const defaultArena = new Arena();

const ours = new WeakSet<object>();

/** An engine over an arena, given how to make kernels over a memory. */
function bind(
  kind: EngineKind,
  arena: Arena,
  make: (backing: Backing) => Kernels,
  reason?: string,
  module?: () => WebAssembly.Module,
): BoundEngine {
  // Kernels hold their memory: kept weakly by memory, so that the arena alone decides how long it lives.
  const made = new WeakMap<Backing, Kernels>();
  const kernels = () => {
    const { backing } = arena;
    const found = made.get(backing) ?? make(backing);
    made.set(backing, found);
    return found;
  };
  const engine: BoundEngine = Object.freeze({ kind, arena, kernels, module, ...(reason !== undefined && { reason }) });
  ours.add(engine);
  return engine;
}

/** An engine of this kind over an arena; throws what the platform throws if it cannot be. */
function build(kind: EngineKind, arena: Arena, reason?: string): BoundEngine {
  const target = targetOf(kind);
  if (!target) return bind(kind, arena, () => jsKernels(arena), reason);
  if (typeof WebAssembly !== 'object') throw new Error('this platform has no WebAssembly');
  compile(target, arena.backing.shared);
  const make = (backing: Backing) => instantiate(compile(target, backing.shared), backing);
  return bind(kind, arena, make, reason, () => compile(target, true));
}

/** The first engine that works here, fastest first, with the reasons why a faster one did not. */
function buildBest(arena: Arena): BoundEngine {
  const reasons: string[] = [];
  for (const kind of KINDS) {
    try {
      return build(kind, arena, reasons.length > 0 ? reasons.join('; ') : undefined);
    } catch (error) {
      reasons.push(`no ${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`no engine works here: ${reasons.join('; ')}`);
}

function buildNamed(kind: EngineKind, arena: Arena): BoundEngine {
  try {
    return build(kind, arena);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`engine '${kind}' is not available: ${why}`, { cause: error });
  }
}

const builtIn = new Map<EngineKind | 'auto', BoundEngine>();

/** An 'auto' that had to fall back to 'js' is chosen anew when it is next asked for: there are new kernels. */
export function chooseAgain(): void {
  if (builtIn.get('auto')?.kind === 'js') builtIn.delete('auto');
}

/** The engines that have their kernels here, fastest first, whether the platform runs them or not. */
export const registeredEngines = (): EngineKind[] =>
  KINDS.filter((kind) => {
    const target = targetOf(kind);
    return !target || isProvided(target);
  });

/** The engine an `engine` option means. */
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

export interface EngineOptions {
  /** Which engine; 'auto' (the default) takes the fastest that works. */
  kind?: EngineKind | 'auto';
  /** The kernels compiled by you, from `perceptron-wasm/simd.wasm` or `/scalar.wasm` (say which by `kind`). */
  module?: WebAssembly.Module;
  /** The most its memory may grow to, in bytes; 4 GiB by default. Rows beyond that are trained on part by part (docs/memory.md). */
  maxMemoryBytes?: number;
}

/** Makes an engine with a memory of its own. Throws if a named kind does not work here, and says why. */
export function createEngine(options: EngineOptions = {}): Engine {
  expectOptions(options, ['kind', 'module', 'maxMemoryBytes'], 'createEngine');
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
  // A module as published imports memory that is not shared.
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
 * Compiles the kernels without blocking, for pages that want it; nothing needs it. Resolves to the engine
 * that 'auto' then means.
 */
export async function prepareEngine(): Promise<Engine> {
  if (typeof WebAssembly === 'object' && !builtIn.has('auto')) {
    const { shared } = defaultArena.backing;
    try {
      await compileAsync('simd', shared);
    } catch {
      // No SIMD, or no wasm at all: the synchronous choice below finds out which and keeps the reason.
    }
  }
  return resolveEngine('auto');
}
