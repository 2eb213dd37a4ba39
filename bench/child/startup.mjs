// A process as short as a process with this package can be: import, compile, train, say when.
// Plain JavaScript, run by node alone. Usage: node bench/child/startup.mjs ENGINE ROWS COLS; 3 × 2 is the worked example.

const [kind, rows, cols] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const worked = { X: [[3, 3], [4, 3], [1, 1]], y: [1, 1, -1] }; // biome-ignore format: three points
const { X, y } = rows === 3 && cols === 2 ? worked : made();

/** Rows as a program has them, an array each; one number in all of them is the side they are on. */
function made() {
  const y = Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? 1 : -1));
  const X = y.map((side, i) =>
    Array.from({ length: cols }, (_, k) => (k === 0 ? side : ((i * 31 + k * 17) % 64) / 64)),
  );
  return { X, y };
}

const started = performance.now();
const { createEngine, Perceptron } = await import('perceptron-wasm');
const imported = performance.now();
const engine = createEngine({ kind });
const compiled = performance.now();
const { weights, bias, report } = new Perceptron({ engine }).fit(X, y);
const trained = performance.now();
const { copyMs } = report.timings;
console.log(
  JSON.stringify({
    importMs: imported - started,
    compileMs: compiled - imported,
    copyMs,
    trainMs: trained - compiled - copyMs,
    converged: report.converged,
    plane: [...weights, bias],
  }),
);
