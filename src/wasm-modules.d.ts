// What `import module from '….wasm?module'` gives on edge runtimes.
declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
