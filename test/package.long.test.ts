// The package as its users get it: packed, installed into an empty project, and run in processes of their own.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build as esbuild } from 'esbuild';
import { build } from 'tsup';
import { build as buildWithVite } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs } from './programs.js';

const root = resolve(import.meta.dirname, '..');
let project: string;
let installed: string;

const npm = (...args: string[]) => execFileSync('npm', args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('there is no dist/: run `npm run build` first');
  project = mkdtempSync(join(tmpdir(), 'perceptron-wasm-'));
  installed = join(project, 'node_modules/perceptron-wasm');
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true }');
  // Scripts are left out: `prepare` would build dist/ anew under the feet of the other tests.
  npm('pack', root, '--ignore-scripts');
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'));
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`);
  // What workerd does with such an import, as a loader of Node's: the platform compiles, the code only receives.
  writeFileSync(
    join(project, 'edge-hooks.mjs'),
    `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(\`
      export const load = (url, context, next) => url.endsWith('.wasm?module')
        ? { format: 'module', shortCircuit: true, source: "import { readFileSync } from 'node:fs'; globalThis.given = (globalThis.given ?? 0) + 1;" +
            "export default new WebAssembly.Module(readFileSync(new URL(" + JSON.stringify(url) + ")));" }
        : next(url, context);\`));`,
  );
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a script inside the project and gives what it passes to `tell`. */
function run(file: 'main.mjs' | 'main.cjs', script: string, ...flags: string[]): unknown {
  writeFileSync(join(project, file), `const tell = (value) => console.log(JSON.stringify(value));\n${script}`);
  return JSON.parse(execFileSync(process.execPath, [...flags, file], { cwd: project, encoding: 'utf8' }));
}

const trains = `(options) => {
  const { report } = new Perceptron(options).fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']);
  return { epochs: report.epochs, mistakes: report.mistakes, engine: report.engine, why: report.engineReason };
}`;
const worked = { epochs: 6, mistakes: 7 };

/** Tells what is proven of XOR, or why nothing is. */
const proves = `const [X, y] = [[[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]];
  const proven = () => {
    try { return new Perceptron({ maxEpochs: 1 }).fit(X, y).diagnose(X, y, { prove: true }).separable; } catch (error) { return String(error); }
  };
  tell(proven());`;

describe('the tarball', () => {
  test('holds dist, docs, examples, the licence, the readme, the changelog and nothing else', () => {
    const allowed = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json'];
    expect(readdirSync(installed).filter((name) => !allowed.includes(name))).toEqual([]);
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']));
    const files = readdirSync(join(installed, 'dist')).sort();
    // Parts that entries share, or load when they are first wanted; one that nothing loads is left over from another build.
    const chunks = files.filter((name) => /^[a-z-]+-[A-Z0-9]{8}\.js$/.test(name));
    expect(chunks.some((name) => name.startsWith('taskrunner'))).toBe(true);
    const entries = files.filter((name) => name.endsWith('.js') && !chunks.includes(name));
    const loaded = new Set(entries);
    for (const name of loaded) {
      const text = readFileSync(join(installed, 'dist', name), 'utf8');
      for (const [, next] of text.matchAll(/"\.\/([\w-]+\.js)"/g))
        if (chunks.includes(next as string)) loaded.add(next as string);
    }
    expect(chunks.filter((name) => !loaded.has(name))).toEqual([]);
    expect(files.filter((name) => !chunks.includes(name))).toEqual([
      'cli.js',
      'cli.licenses.txt',
      'cluster.cjs',
      'cluster.d.cts',
      'cluster.d.ts',
      'cluster.js',
      'edge-io.js',
      'edge-prepare.js',
      'edge-select.js',
      'edge.js',
      'index.cjs',
      'index.d.cts',
      'index.d.ts',
      'index.js',
      'io-threads.cjs',
      'io-threads.js',
      'io.cjs',
      'io.d.cts',
      'io.d.ts',
      'io.js',
      'predict.cjs',
      'predict.d.cts',
      'predict.d.ts',
      'predict.js',
      'prepare.cjs',
      'prepare.d.cts',
      'prepare.d.ts',
      'prepare.js',
      'prove.cjs',
      'prove.d.cts',
      'prove.d.ts',
      'prove.js',
      'prover.js',
      'scalar.cjs',
      'scalar.d.cts',
      'scalar.d.ts',
      'scalar.js',
      'scalar.wasm',
      'select.cjs',
      'select.d.cts',
      'select.d.ts',
      'select.js',
      'simd.wasm',
      'worker.js',
    ]);
  });

  test('engines says which Node it needs: those with process.getBuiltinModule, for threads and for reading paths', () => {
    const { engines } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(engines).toEqual({ node: '^20.16.0 || >=22.3.0' });
    const reader = readFileSync(join(root, 'docs/cli.md'), 'utf8');
    expect(reader).toContain('Node (20.16 or later, 22.3 or later)');
  });

  test('brings no dependencies and runs nothing at install', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const field of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
      expect(manifest).not.toHaveProperty(field);
    }
    // Peers are for those who want what needs them: npm installs none of them by itself.
    for (const peer of Object.keys(manifest.peerDependencies)) {
      expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true });
    }
    for (const hook of ['preinstall', 'install', 'postinstall']) expect(manifest.scripts).not.toHaveProperty(hook);
    expect(existsSync(join(installed, 'binding.gyp'))).toBe(false);
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'perceptron-wasm',
    ]);
  });
});

describe('an installed package', () => {
  test('trains when imported as an ES module', () => {
    expect(run('main.mjs', `import { Perceptron } from 'perceptron-wasm'; tell((${trains})());`)).toEqual({
      ...worked,
      engine: 'wasm-simd',
    });
  });

  test('trains when required from CommonJS', () => {
    expect(run('main.cjs', `const { Perceptron } = require('perceptron-wasm'); tell((${trains})());`)).toEqual({
      ...worked,
      engine: 'wasm-simd',
    });
  });

  const reads = `const { X, y } = await readData(new TextEncoder().encode('a,b,kind\\n3,3,yes\\n4,3,yes\\n1,1,no\\n'));
    const { report } = new Perceptron().fit(X, y);
    tell({ epochs: report.epochs, mistakes: report.mistakes, isOurs: X instanceof DenseMatrix });`;

  test('reads with the matrices of the core, as an ES module and from CommonJS', () => {
    const expected = { ...worked, isOurs: true };
    const names = '{ DenseMatrix, Perceptron }';
    const imports = `import ${names} from 'perceptron-wasm'; import { readData } from 'perceptron-wasm/io';`;
    expect(run('main.mjs', `${imports} ${reads}`)).toEqual(expected);
    const requires = `const ${names} = require('perceptron-wasm'); const { readData } = require('perceptron-wasm/io');`;
    expect(run('main.cjs', `${requires} (async () => { ${reads} })();`)).toEqual(expected);
  });

  test('has engine wasm-scalar once perceptron-wasm/scalar is imported, in both module systems', () => {
    const tells = `const refused = (() => { try { new Perceptron({ engine: 'wasm-scalar' }); } catch (error) { return error.message; } })();`;
    const then = `tell({ refused, ...(${trains})({ engine: 'wasm-scalar' }) });`;
    const expected = {
      ...worked,
      engine: 'wasm-scalar',
      refused: "engine 'wasm-scalar' is not available: import 'perceptron-wasm/scalar' first",
    };
    const imports = `import { Perceptron } from 'perceptron-wasm'; ${tells}`;
    expect(run('main.mjs', `${imports} await import('perceptron-wasm/scalar'); ${then}`)).toEqual(expected);
    const requires = `const { Perceptron } = require('perceptron-wasm'); ${tells}`;
    expect(run('main.cjs', `${requires} require('perceptron-wasm/scalar'); ${then}`)).toEqual(expected);
  });

  test('proves without a further import in Node and at the edge, in both module systems and in both at once', () => {
    expect(run('main.mjs', `import { Perceptron } from 'perceptron-wasm'; ${proves}`)).toBe('no');
    expect(
      run(
        'main.mjs',
        `import { Perceptron } from 'perceptron-wasm'; ${proves}`,
        '--conditions=edge-light',
        '--import',
        './edge-hooks.mjs',
      ),
    ).toBe('no');
    expect(run('main.cjs', `const { Perceptron } = require('perceptron-wasm'); ${proves}`)).toBe('no');
    expect(
      run('main.cjs', `require('perceptron-wasm/prove'); const { Perceptron } = require('perceptron-wasm'); ${proves}`),
    ).toBe('no');
  });

  test('predicts with a saved model, its matrices too, as an ES module, from CommonJS and at the edge', () => {
    const predicts = `const model = new DualPerceptron({ kernel: { type: 'rbf', gamma: 1 } }).fit([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]);
      const X = DenseMatrix.from([[1, 1], [0, 1], [0.9, 0.7]]);
      const { decisionFunction, predict } = loadPredictor(JSON.parse(JSON.stringify(model)));
      const same = decisionFunction(X).every((score, i) => Object.is(score, model.decisionFunction(X)[i]));
      tell({ same, labels: predict(X).slice(0, 2) });`;
    const expected = { same: true, labels: [0, 1] };
    const names = '{ DenseMatrix, DualPerceptron }';
    const imports = `import ${names} from 'perceptron-wasm'; import { loadPredictor } from 'perceptron-wasm/predict';`;
    expect(run('main.mjs', `${imports} ${predicts}`)).toEqual(expected);
    const requires = `const ${names} = require('perceptron-wasm'); const { loadPredictor } = require('perceptron-wasm/predict');`;
    expect(run('main.cjs', `${requires} ${predicts}`)).toEqual(expected);
    const alone = `import { loadPredictor } from 'perceptron-wasm/predict'; tell(typeof loadPredictor);`;
    expect(run('main.mjs', alone, '--conditions=workerd')).toBe('function');
  });

  test('has threads, from within and by the script of perceptron-wasm/worker.js', () => {
    const threads = `const X = { data: Float64Array.from({ length: 40000 }, (_, i) => Math.sin(i * i)), rows: 400, cols: 100 };
      const y = Array.from({ length: 400 }, (_, i) => i % 2);
      const threads = async (options) => (await new DualPerceptron().fitAsync(X, y, { threads: 2, ...options })).report;`;
    const both = [
      { threads: 2, why: undefined },
      { threads: 2, why: undefined },
    ];
    const tells = `const told = [];
      for (const workerUrl of [undefined, url]) {
        const { threads: count, threadsReason: why } = await threads(workerUrl && { workerUrl });
        told.push({ threads: count, why });
      }
      tell(told);`;
    const imports = `import { DualPerceptron } from 'perceptron-wasm'; const url = import.meta.resolve('perceptron-wasm/worker.js');`;
    expect(run('main.mjs', `${imports} ${threads} ${tells}`)).toEqual(both);
    const requires = `const { DualPerceptron } = require('perceptron-wasm');
      const url = require('node:url').pathToFileURL(require.resolve('perceptron-wasm/worker.js'));`;
    expect(run('main.cjs', `${requires} ${threads} (async () => { ${tells} })();`)).toEqual(both);
  });

  test.each(['simd', 'scalar'])('trains with the kernels of perceptron-wasm/%s.wasm compiled by the user', (target) => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { createEngine, Perceptron } from 'perceptron-wasm';
      const file = new URL(import.meta.resolve('perceptron-wasm/${target}.wasm'));
      const module = await WebAssembly.compile(readFileSync(file));
      tell((${trains})({ engine: createEngine({ module, kind: 'wasm-${target}' }) }));`;
    expect(run('main.mjs', script)).toEqual({ ...worked, engine: `wasm-${target}` });
  });
});

describe('where WebAssembly cannot be used', () => {
  const both = `const named = (() => { try { new Perceptron({ engine: 'wasm-simd' }).fit([[1], [2]], [0, 1]); } catch (error) { return String(error); } })();
    const result = { auto: (${trains})(), named };`;
  /** The bundle inside a context that refuses to compile wasm, as a content security policy does. */
  const underPolicy = `
    const { readFileSync } = require('node:fs');
    const vm = require('node:vm');
    const context = vm.createContext({ performance, module: { exports: {} } }, { codeGeneration: { strings: false, wasm: false } });
    vm.runInContext(readFileSync(require.resolve('perceptron-wasm'), 'utf8'), context);
    tell(vm.runInContext(${JSON.stringify(`(() => { const { Perceptron } = module.exports; ${both} return result; })()`)}, context));`;

  test.each([
    [
      'a runtime without it',
      // Not the flag --no-expose-wasm: newer Nodes need WebAssembly themselves to start.
      `delete globalThis.WebAssembly; const { Perceptron } = require('perceptron-wasm'); ${both} tell(result);`,
      [],
      /no WebAssembly/,
    ],
    [
      'a machine that stores the high byte first',
      `Uint16Array.of = () => Uint8Array.of(0, 1); const { Perceptron } = require('perceptron-wasm'); ${both} tell(result);`,
      [],
      /this machine is big-endian/,
    ],
    ['a policy that forbids it', underPolicy, [], /disallowed by embedder/],
  ] as const)(
    '%s trains in JavaScript and says why, and an engine asked for by name is a clear error',
    (_, script, flags, reason) => {
      const { auto, named } = run('main.cjs', script, ...flags) as { auto: { why: string }; named: string };
      expect(auto).toMatchObject({ ...worked, engine: 'js' });
      expect(auto.why).toMatch(reason);
      expect(named).toMatch(/engine 'wasm-simd' is not available: /);
      expect(named).toMatch(reason);
    },
  );
});

/** What the compiler says. */
function compile(compilerOptions: object, files: readonly string[]): string {
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: project, stdio: 'pipe' });
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}

describe('the public types', () => {
  const consumers = [
    'consumer',
    'consumer-cluster',
    'consumer-io',
    'consumer-labels',
    'consumer-predict',
    'consumer-prepare',
    'consumer-select',
  ];

  test.each([
    ['perceptron-wasm', 'index', 'consumer', 'Perceptron'],
    ['perceptron-wasm/cluster', 'cluster', 'consumer-cluster', 'connectCluster'],
    ['perceptron-wasm/io', 'io', 'consumer-io', 'readCsv'],
    ['perceptron-wasm/predict', 'predict', 'consumer-predict', 'loadPredictor'],
    ['perceptron-wasm/prepare', 'prepare', 'consumer-prepare', 'loadModel'],
    ['perceptron-wasm/select', 'select', 'consumer-select', 'crossValidate'],
  ])('of %s have each of their names in the sample consumer', (_, entry, consumer, known) => {
    const declared =
      readFileSync(join(installed, `dist/${entry}.d.ts`), 'utf8').match(/export \{([^}]*)\};?\s*$/)?.[1] ?? '';
    const names = declared.split(',').map((name) => name.replace(/\btype\b/, '').trim());
    const text = readFileSync(join(root, `test/types/${consumer}.ts`), 'utf8').replace(/^import \{[^}]*\}/gm, '');
    expect(names).toContain(known);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });

  // What is compiled takes little time, the compiler much: all files of a resolution at once.
  test.each([
    ['node10', 'esnext', ['ts']],
    ['node16', 'node16', ['mts', 'cts']],
    ['bundler', 'esnext', ['ts']],
  ])('compile with lib es2022 alone under %s resolution (module %s, %s)', (moduleResolution, module, kinds) => {
    const files = consumers.flatMap((consumer) =>
      kinds.map((kind) => {
        const file = `${consumer}.${kind}`;
        copyFileSync(join(root, `test/types/${consumer}.ts`), join(project, file));
        return file;
      }),
    );
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022'],
      types: [],
      module,
      moduleResolution,
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      ...(moduleResolution === 'node10' && { ignoreDeprecations: '6.0' }),
    };
    expect(compile(compilerOptions, files)).toBe('');
  });

  test('compile in every program of README.md, the guides and the comments, as a strict project of Node has it', () => {
    const folder = join(project, 'programs');
    mkdirSync(folder);
    const runtime = 'node_modules/onnxruntime-web';
    symlinkSync(join(root, runtime), join(project, runtime), 'junction');
    const files = programs.flatMap(({ list, place }) =>
      list.map(({ code }, i) => {
        const file = `programs/${place.replaceAll(/\W/g, '-')}-${i}.mts`;
        writeFileSync(join(project, file), `${code}\nexport {};\n`);
        return file;
      }),
    );
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    };
    expect(compile(compilerOptions, files)).toBe('');
  });
});

describe('a bundle', () => {
  const bundle = async (script: string) => {
    writeFileSync(join(project, 'entry.js'), script);
    await build({
      config: false,
      silent: true,
      entry: [join(project, 'entry.js')],
      outDir: join(project, 'out'),
      format: 'esm',
      platform: 'browser',
      noExternal: [/.*/],
    });
    return readFileSync(join(project, 'out/entry.js'), 'utf8');
  };

  test('that takes DenseMatrix alone leaves the trainers out', async () => {
    const trainerOnly = /partialFit\(|mistakesByEpoch|validationFraction/;
    expect(await bundle(`export { Perceptron } from 'perceptron-wasm';`)).toMatch(trainerOnly);
    expect(await bundle(`export { DenseMatrix } from 'perceptron-wasm';`)).not.toMatch(trainerOnly);
  });

  test('has the scalar kernels where perceptron-wasm/scalar is imported, and nowhere else', async () => {
    const names = `import { Perceptron } from 'perceptron-wasm';`;
    const tells = `console.log(JSON.stringify((${trains})({ engine: 'wasm-scalar' })));`;
    const kernels = readFileSync(join(installed, 'dist/scalar.js'), 'utf8').match(/text:\s*"([^"]+)"/)?.[1] ?? '';
    expect(kernels.length).toBeGreaterThan(13_000);
    expect(await bundle(`${names} ${tells}`)).not.toContain(kernels);
    expect(await bundle(`${names} import 'perceptron-wasm/scalar'; ${tells}`)).toContain(kernels);
    const told = execFileSync(process.execPath, ['out/entry.js'], { cwd: project, encoding: 'utf8' });
    expect(JSON.parse(told)).toEqual({ ...worked, engine: 'wasm-scalar' });
  });

  /** As Vite makes it, by rolldown, and what it tells. */
  const withVite = async (script: string) => {
    writeFileSync(join(project, 'entry.js'), script);
    await buildWithVite({
      root: project,
      configFile: false,
      logLevel: 'silent',
      build: {
        lib: { entry: 'entry.js', formats: ['es'], fileName: () => 'vite.mjs' },
        outDir: 'out',
        emptyOutDir: false,
      },
    });
    return readFileSync(join(project, 'out/vite.mjs'), 'utf8');
  };

  test.each([
    ['esbuild', bundle, 'out/entry.js'],
    ['vite', withVite, 'out/vite.mjs'],
  ])('of %s has the prover where perceptron-wasm/prove is imported, and nowhere else', async (_, make, file) => {
    const script = `import { Perceptron } from 'perceptron-wasm'; const tell = (value) => console.log(JSON.stringify(value)); ${proves}`;
    const told = () => JSON.parse(execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8' }));
    const without = await make(script);
    expect(told()).toBe(
      `Error: "prove" needs the prover, which bundlers leave out: add "import 'perceptron-wasm/prove'"`,
    );
    const withProver = await make(`import 'perceptron-wasm/prove'; ${script}`);
    expect(told()).toBe('no');
    expect(withProver.length).toBeGreaterThan(without.length + 5000);
  });
});

test('one file with all of it, as content delivery networks make, trains, proves and has threads without a place of its own', async () => {
  const entries = ['', '/io', '/predict', '/prepare', '/prove', '/scalar', '/select'];
  const names = entries.map((entry, i) => `export * as entry${i} from 'perceptron-wasm${entry}';`);
  const { outputFiles } = await esbuild({
    stdin: { contents: names.join('\n'), resolveDir: project },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['hyparquet'],
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  writeFileSync(join(project, 'one.js'), outputFiles[0]?.contents as Uint8Array);
  const told = run(
    'main.mjs',
    `import { readFileSync } from 'node:fs';
    const { entry0: { DualPerceptron, Perceptron }, entry1: { readData } } =
      await import('data:text/javascript;base64,' + readFileSync('one.js').toString('base64'));
    const { X, y } = await readData(new TextEncoder().encode('a,b,kind\\n0,0,no\\n1,1,no\\n0,1,yes\\n1,0,yes\\n'));
    const { separable } = new Perceptron({ engine: 'wasm-scalar', maxEpochs: 1 }).fit(X, y).diagnose(X, y, { prove: true });
    const wide = { data: Float64Array.from({ length: 40000 }, (_, i) => (i * i) % 101), rows: 400, cols: 100 };
    const { report } = await new DualPerceptron({ maxEpochs: 2 }).fitAsync(wide, Array.from({ length: 400 }, (_, i) => i % 2), { threads: 2 });
    tell({ separable, engine: report.engine, threads: report.threads });`,
  );
  expect(told).toEqual({ separable: 'no', engine: 'wasm-simd', threads: 2 });
});

describe('where "exports" is not read', () => {
  test('"alias" names a file for each entry, as Parcel wants it by default', () => {
    const { alias, exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const entries = Object.keys(exports).filter(
      (entry) => !['.', './package.json', './simd.wasm', './scalar.wasm'].includes(entry),
    );
    expect(Object.keys(alias)).toEqual(entries);
    for (const file of Object.values<string>(alias)) expect(existsSync(join(installed, file)), file).toBe(true);
  });

  const parcel = join(root, 'build/parcel/node_modules/parcel/lib/bin.js');
  if (!existsSync(parcel)) console.warn('No Parcel: its test is skipped (npm install --prefix build/parcel parcel).');
  test.runIf(existsSync(parcel))('Parcel bundles every entry with its default settings, for pages', () => {
    const script = `import { Perceptron } from 'perceptron-wasm';
      import { readData } from 'perceptron-wasm/io';
      import { loadPredictor } from 'perceptron-wasm/predict';
      import { TextVectorizer } from 'perceptron-wasm/prepare';
      import { split } from 'perceptron-wasm/select';
      import 'perceptron-wasm/prove';
      import 'perceptron-wasm/scalar';
      (async () => {
        const { X, y } = await readData(new TextEncoder().encode('a,b,kind\\n3,3,yes\\n4,3,yes\\n1,1,no\\n'));
        const model = new Perceptron({ engine: 'wasm-scalar' }).fit(X, y);
        const labels = loadPredictor(JSON.parse(JSON.stringify(model))).predict([[9, 9]]);
        const { separable } = model.diagnose(X, y, { prove: true });
        console.log(JSON.stringify({ labels, separable, others: [typeof TextVectorizer, typeof split] }));
      })();`;
    const folder = join(project, 'parcel');
    mkdirSync(folder);
    // Parcel wants optional packages, too, unless the project's package.json says that they are not there (docs/formats.md).
    const own = join(project, 'package.json');
    const manifest = JSON.parse(readFileSync(own, 'utf8'));
    writeFileSync(own, JSON.stringify({ ...manifest, alias: { hyparquet: false } }));
    writeFileSync(join(folder, 'entry.js'), script);
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><title>x</title><script type="module" src="entry.js"></script>',
    );
    execFileSync(
      process.execPath,
      [parcel, 'build', 'index.html', '--no-cache', '--no-optimize', '--dist-dir', join(folder, 'dist')],
      {
        cwd: folder,
        stdio: 'pipe',
      },
    );
    const made = readFileSync(join(folder, 'dist/index.html'), 'utf8').match(/src="?\/?([^" >]+\.js)/)?.[1] as string;
    const told = execFileSync(process.execPath, [join(folder, 'dist', made)], { encoding: 'utf8' });
    expect(JSON.parse(told)).toEqual({ labels: ['yes'], separable: 'yes', others: ['function', 'function'] });
  });
});

test('edge runtimes get kernels that came compiled, over memory that is not shared', () => {
  const told = run(
    'main.mjs',
    `import { DenseMatrix, Perceptron } from 'perceptron-wasm';
    import { readData } from 'perceptron-wasm/io';
    WebAssembly.Module = function () { throw new Error('Wasm code generation disallowed by embedder'); };
    const { buffer } = DenseMatrix.allocate(1, 1).data;
    const { X } = await readData(new TextEncoder().encode('1,2\\n'));
    const isOurs = X instanceof DenseMatrix;
    const scalar = (${trains})({ engine: 'wasm-scalar' });
    const cores = new Set(['', '/scalar'].map((entry) => import.meta.resolve('perceptron-wasm' + entry))).size;
    tell({ ...(${trains})(), scalar, cores, given: globalThis.given, shared: buffer instanceof SharedArrayBuffer, isOurs });`,
    '--import',
    './edge-hooks.mjs',
    '--conditions=workerd',
  );
  const scalar = { ...worked, engine: 'wasm-scalar' };
  expect(told).toEqual({ ...worked, engine: 'wasm-simd', scalar, cores: 1, given: 2, shared: false, isOurs: true });
});
