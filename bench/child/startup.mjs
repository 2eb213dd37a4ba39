// A process as short as a process with this package can be: import, train the worked example, say when.
// Plain JavaScript, run by node alone. Usage: node bench/child/startup.mjs ENGINE

const started = performance.now();
const { Perceptron } = await import('perceptron-wasm');
const imported = performance.now();
const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const model = new Perceptron({ engine: process.argv[2] }).fit(X, [1, 1, -1]);
const trained = performance.now();
const { weights, bias } = model;
console.log(JSON.stringify({ importMs: imported - started, fitMs: trained - imported, plane: [...weights, bias] }));
