// Memory over time, in real processes with a real collector (--expose-gc), on the built package.

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs a module in a fresh process and returns what it prints as JSON. */
function run(source: string, ...flags: string[]): Record<string, number> {
  const dist = new URL('../../dist/index.js', import.meta.url).href;
  const code = `import { Perceptron, DenseMatrix } from '${dist}';
    const turn = () => new Promise((r) => setImmediate(r));
    const collect = async () => { for (let i = 0; i < 4; i++) { await turn(); gc(); } await turn(); };
    const mebibytes = () => Math.round(process.memoryUsage().rss / 2 ** 20);
    ${source}`;
  const args = [...flags, '--expose-gc', '--input-type=module', '-e', code];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('20,000 small fits leave memory flat', () => {
  const { early, late } = run(
    `
    const X = [[3, 3], [4, 3], [1, 1]], y = [1, 1, -1];
    const many = (n) => { for (let i = 0; i < n; i++) new Perceptron({ order: ['cyclic', 'shuffle', 'random', 'batch'][i % 4] }).fit(X, y).predict(X); };
    many(10000); await collect(); const early = mebibytes();
    many(20000); await collect();
    console.log(JSON.stringify({ early, late: mebibytes() }));`,
    '--max-semi-space-size=1', // the young generation has its full size soon, on every Node
  );
  expect((late as number) - (early as number)).toBeLessThan(8);
});

test('100 large fits leave memory flat, with no collection in between', () => {
  // 24 MB each: above the size at which the memory is let go of after every fit.
  const { peak, after } = run(`
    const rows = 300, cols = 10000, data = new Float64Array(rows * cols), y = [];
    for (let i = 0; i < data.length; i++) data[i] = ((i * 2654435761) % 1000) - 500;
    for (let i = 0; i < rows; i++) y.push(i % 2);
    let peak = 0;
    for (let i = 0; i < 100; i++) { new Perceptron({ maxEpochs: 1 }).fit({ data, rows, cols }, y); peak = Math.max(peak, mebibytes()); }
    await collect();
    console.log(JSON.stringify({ peak, after: mebibytes() }));`);
  expect(peak as number).toBeLessThan(250);
  expect(after as number).toBeLessThan(150);
});

test('forgotten matrices are given back once the runtime has collected them', () => {
  // 60 × 16 MB: without the safety net 1 GB, and the memory could not be let go of.
  const { peak, after } = run(`
    let peak = 0;
    for (let i = 0; i < 60; i++) {
      (() => { DenseMatrix.allocate(200, 10000).data[0] = 1; })();
      await collect();
      peak = Math.max(peak, mebibytes());
    }
    await collect();
    console.log(JSON.stringify({ peak, after: mebibytes() }));`);
  expect(peak as number).toBeLessThan(400);
  expect(after as number).toBeLessThan(250);
});

test('a view keeps its matrix alive', () => {
  const { kept } = run(`
    const { data } = DenseMatrix.allocate(1000, 100);
    data.fill(7);
    for (let i = 0; i < 10; i++) { await collect(); DenseMatrix.allocate(1000, 100).data.fill(9); }
    console.log(JSON.stringify({ kept: Number(data.every((v) => v === 7)) }));`);
  expect(kept).toBe(1);
});

test.each(['auto', 'js'])('memory falls after an 800 MB fit with engine %s', (engine) => {
  const { during, after } = run(`
    const rows = 1000, cols = 100000, y = [];
    for (let i = 0; i < rows; i++) y.push(i % 2);
    let during = 0;
    (() => {
      const X = DenseMatrix.allocate(rows, cols);
      X.data.fill(1);
      new Perceptron({ maxEpochs: 1, engine: '${engine}' }).fit(X, y);
      during = mebibytes();
      X.dispose();
    })();
    await collect();
    console.log(JSON.stringify({ during, after: mebibytes() }));`);
  expect(during as number).toBeGreaterThan(760);
  expect(after as number).toBeLessThan(200);
});

test('a fit on a DenseMatrix allocates O(N + d), not O(N·d)', () => {
  const { grown } = run(`
    const rows = 2000, cols = 10000, y = [];
    for (let i = 0; i < rows; i++) y.push(i % 2);
    const X = DenseMatrix.allocate(rows, cols);
    for (let i = 0; i < X.data.length; i += 97) X.data[i] = i % 13 - 6;
    new Perceptron({ maxEpochs: 2 }).fit(X, y);
    await collect();
    const before = mebibytes();
    new Perceptron({ maxEpochs: 2 }).fit(X, y);
    const grown = mebibytes() - before;
    console.log(JSON.stringify({ grown }));`);
  expect(grown as number).toBeLessThan(8); // the matrix is 153 MiB
});
