declare module '*.css';
declare module 'perceptron-wasm/worker.js?url' {
  const url: string;
  export default url;
}
