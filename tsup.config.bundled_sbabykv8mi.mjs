// tsup.config.ts
import { mkdirSync, readdirSync as readdirSync2, readFileSync as readFileSync2, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "tsup";

// scripts/licenses.ts
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
function licenseTexts(files) {
  const folders = [...files].flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} is bundled and has no licence to go with it`);
    return `${name} ${version}

${readFileSync(join(folder, file), "utf8").trim()}
`;
  });
  return texts.join(`
${"-".repeat(78)}

`);
}

// tsup.config.ts
var terserOptions = {
  ecma: 2020,
  compress: { passes: 3, lhs_constants: false },
  // In lines: Node shows the line of an uncaught error above its message.
  format: { max_line_len: 400 }
};
var shared = {
  target: "es2022",
  platform: "neutral",
  // esbuild's minifier and then terser: 0.5 KB gzip less than esbuild alone, 0.2 less than terser alone.
  minify: "terser",
  terserOptions,
  sourcemap: false,
  removeNodeProtocol: false
};
var CORE = /^\.\.?\/index\.js$/;
var beside = (isEdge = false) => ({
  name: "beside",
  setup({ initialOptions, onResolve }) {
    const isCjs = initialOptions.format === "cjs";
    const besides = (name) => ({ path: `./${name}.${isCjs ? "cjs" : "js"}`, external: true });
    if (isCjs) initialOptions.supported = { ...initialOptions.supported, "dynamic-import": false };
    onResolve({ filter: CORE }, () => besides(isEdge ? "edge" : "index"));
    onResolve({ filter: /^\.\.\/io\/index\.js$/ }, () => besides("io"));
    onResolve({ filter: /^\.\/team\.js$/ }, () => besides("io-threads"));
    onResolve({ filter: /^\.\.\/prepare\/index\.js$/ }, () => besides(isEdge ? "edge-prepare" : "prepare"));
    onResolve({ filter: /^\.\.\/select\/index\.js$/ }, () => besides(isEdge ? "edge-select" : "select"));
    onResolve({ filter: /^\.\.\/cluster\/index\.js$/ }, () => besides("cluster"));
    onResolve({ filter: /^\.\.\/scalar\.js$/ }, () => ({ path: "./scalar.js", external: true, sideEffects: true }));
  }
});
var withProver = {
  name: "with-prover",
  setup({ initialOptions: { format }, onResolve }) {
    const inside = { path: resolve("src/prove.ts"), sideEffects: true };
    const beside2 = { path: "./prover.js", external: true, sideEffects: true };
    onResolve({ filter: /^\.\/prove\.js$/ }, () => format === "cjs" ? inside : beside2);
  }
};
var LAYERS = ["engine/js", "engine", "async", "gram", "memory", "proof", "data", "model", "train", "trainers"];
var byLayers = {
  name: "by-layers",
  setup({ initialOptions, onLoad }) {
    initialOptions.logOverride = { ...initialOptions.logOverride, "ignored-bare-import": "silent" };
    const files = LAYERS.flatMap((folder) => {
      const names = readdirSync2(`src/${folder}`).filter((name) => name.endsWith(".ts"));
      return names.sort().map((name) => `import './${folder}/${name}';
`);
    });
    onLoad({ filter: /[\\/]src[\\/]index\.ts$/ }, ({ path }) => ({
      contents: files.join("") + readFileSync2(path, "utf8"),
      loader: "ts"
    }));
  }
};
var licenses = {
  name: "licenses",
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      const texts = licenseTexts(Object.keys(metafile?.inputs ?? {}));
      mkdirSync("dist", { recursive: true });
      writeFileSync(
        "dist/cli.licenses.txt",
        `The command (cli.js and the files that it loads) contains parts of:

${texts}`
      );
    });
  }
};
var tsup_config_default = defineConfig([
  {
    ...shared,
    entry: { index: "src/index.ts" },
    format: ["esm", "cjs"],
    esbuildPlugins: [withProver, byLayers],
    // esbuild, as a user's bundler, makes 2 % less of functions and constants that are not inlined (docs/adr/0024); others the same.
    terserOptions: {
      ...terserOptions,
      compress: { ...terserOptions.compress, reduce_funcs: false, reduce_vars: false }
    },
    // Members marked @internal are for the trainers among themselves.
    dts: { compilerOptions: { ignoreDeprecations: "6.0", stripInternal: true } },
    esbuildOptions(options) {
      options.minify = true;
      options.inject = ["src/engine/wasm/simd.ts"];
    }
  },
  {
    ...shared,
    entry: { edge: "src/edge.ts" },
    format: ["esm"],
    external: [/\.wasm\?module$/],
    esbuildPlugins: [withProver, byLayers],
    esbuildOptions(options) {
      options.minify = true;
    }
  },
  {
    ...shared,
    entry: { cli: "src/cli/main.ts" },
    format: ["esm"],
    splitting: true,
    // a command is loaded when it is called
    platform: "node",
    noExternal: ["cli-progress"],
    esbuildPlugins: [beside(), licenses],
    // cli-progress is CommonJS and asks for parts of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    esbuildOptions(options) {
      options.minify = true;
    }
  },
  {
    ...shared,
    entry: {
      io: "src/io/index.ts",
      "io-threads": "src/io/team.ts",
      prepare: "src/prepare/index.ts",
      select: "src/select/index.ts"
    },
    format: ["esm", "cjs"],
    // Each whole in its own file.
    splitting: false,
    external: ["hyparquet"],
    // an optional peer
    esbuildPlugins: [beside()],
    esbuildOptions(options) {
      options.minify = true;
    }
  },
  {
    ...shared,
    entry: { cluster: "src/cluster/index.ts" },
    format: ["esm", "cjs"],
    platform: "node",
    external: ["bullmq", "ioredis"],
    // optional peers
    esbuildPlugins: [beside()],
    esbuildOptions(options) {
      options.minify = true;
    }
  },
  {
    ...shared,
    entry: { prove: "src/prove.ts", scalar: "src/scalar.ts" },
    format: ["esm", "cjs"],
    esbuildPlugins: [beside()],
    esbuildOptions(options) {
      options.minify = true;
    }
  },
  {
    ...shared,
    entry: {
      "edge-io": "src/io/index.ts",
      "edge-prepare": "src/prepare/index.ts",
      "edge-select": "src/select/index.ts"
    },
    format: ["esm"],
    splitting: false,
    external: ["hyparquet"],
    esbuildPlugins: [beside(true)],
    esbuildOptions(options) {
      options.minify = true;
    }
  },
  {
    ...shared,
    entry: { predict: "src/predict/index.ts" },
    format: ["esm", "cjs"],
    // Long lines: those of 400 characters take 110 bytes of the 12,000 that this file may have.
    terserOptions: { ...terserOptions, format: { max_line_len: 3e3 } },
    dts: { compilerOptions: { ignoreDeprecations: "6.0", stripInternal: true } },
    esbuildOptions(options) {
      options.minify = true;
    }
  },
  ...["cluster", "io", "prepare", "select"].map(
    (name) => ({
      entry: { [name]: `src/${name}/index.ts` },
      format: ["esm", "cjs"],
      external: [CORE, /^\.\.\/prepare\/index\.js$/, ...name === "cluster" ? [/^\.\.\/(io|select)\/index\.js$/] : []],
      // scripts/beside-types.mjs puts the right one in
      dts: { only: true, compilerOptions: { ignoreDeprecations: "6.0", stripInternal: true } }
    })
  )
]);
export {
  tsup_config_default as default
};
//# sourceMappingURL=data:application/json;base64,ewogICJ2ZXJzaW9uIjogMywKICAic291cmNlcyI6IFsidHN1cC5jb25maWcudHMiLCAic2NyaXB0cy9saWNlbnNlcy50cyJdLAogICJzb3VyY2VzQ29udGVudCI6IFsiY29uc3QgX19pbmplY3RlZF9maWxlbmFtZV9fID0gXCIvdG1wL3d0L2xpbWl0cy90c3VwLmNvbmZpZy50c1wiO2NvbnN0IF9faW5qZWN0ZWRfZGlybmFtZV9fID0gXCIvdG1wL3d0L2xpbWl0c1wiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2xpbWl0cy90c3VwLmNvbmZpZy50c1wiO2ltcG9ydCB7IG1rZGlyU3luYywgcmVhZGRpclN5bmMsIHJlYWRGaWxlU3luYywgd3JpdGVGaWxlU3luYyB9IGZyb20gJ25vZGU6ZnMnO1xuaW1wb3J0IHsgcmVzb2x2ZSB9IGZyb20gJ25vZGU6cGF0aCc7XG5pbXBvcnQgeyBkZWZpbmVDb25maWcsIHR5cGUgT3B0aW9ucyB9IGZyb20gJ3RzdXAnO1xuaW1wb3J0IHsgbGljZW5zZVRleHRzIH0gZnJvbSAnLi9zY3JpcHRzL2xpY2Vuc2VzLmpzJztcblxuY29uc3QgdGVyc2VyT3B0aW9ucyA9IHtcbiAgZWNtYTogMjAyMCxcbiAgY29tcHJlc3M6IHsgcGFzc2VzOiAzLCBsaHNfY29uc3RhbnRzOiBmYWxzZSB9LFxuICAvLyBJbiBsaW5lczogTm9kZSBzaG93cyB0aGUgbGluZSBvZiBhbiB1bmNhdWdodCBlcnJvciBhYm92ZSBpdHMgbWVzc2FnZS5cbiAgZm9ybWF0OiB7IG1heF9saW5lX2xlbjogNDAwIH0sXG59IGFzIGNvbnN0O1xuXG5jb25zdCBzaGFyZWQ6IE9wdGlvbnMgPSB7XG4gIHRhcmdldDogJ2VzMjAyMicsXG4gIHBsYXRmb3JtOiAnbmV1dHJhbCcsXG4gIC8vIGVzYnVpbGQncyBtaW5pZmllciBhbmQgdGhlbiB0ZXJzZXI6IDAuNSBLQiBnemlwIGxlc3MgdGhhbiBlc2J1aWxkIGFsb25lLCAwLjIgbGVzcyB0aGFuIHRlcnNlciBhbG9uZS5cbiAgbWluaWZ5OiAndGVyc2VyJyxcbiAgdGVyc2VyT3B0aW9ucyxcbiAgc291cmNlbWFwOiBmYWxzZSxcbiAgcmVtb3ZlTm9kZVByb3RvY29sOiBmYWxzZSxcbn07XG5cbnR5cGUgUGx1Z2luID0gTm9uTnVsbGFibGU8T3B0aW9uc1snZXNidWlsZFBsdWdpbnMnXT5bbnVtYmVyXTtcblxuLyoqXG4gKiBUaGUgY29yZSwgdGhlIHJlYWRlcnMsIHByZXBhcmUgYW5kIHNlbGVjdCBhcmUgZmlsZXMgYmVzaWRlIHdob2V2ZXIgaW1wb3J0cyB0aGVtLCBub3QgY29waWVzIGluc2lkZTogbWF0cmljZXMgYXJlIGtub3duIHRvIG9uZSBjb3B5IG9mXG4gKiB0aGUgY29yZSBhbG9uZS5cbiAqL1xuY29uc3QgQ09SRSA9IC9eXFwuXFwuP1xcL2luZGV4XFwuanMkLztcbmNvbnN0IGJlc2lkZSA9IChpc0VkZ2UgPSBmYWxzZSk6IFBsdWdpbiA9PiAoe1xuICBuYW1lOiAnYmVzaWRlJyxcbiAgc2V0dXAoeyBpbml0aWFsT3B0aW9ucywgb25SZXNvbHZlIH0pIHtcbiAgICBjb25zdCBpc0NqcyA9IGluaXRpYWxPcHRpb25zLmZvcm1hdCA9PT0gJ2Nqcyc7XG4gICAgY29uc3QgYmVzaWRlcyA9IChuYW1lOiBzdHJpbmcpID0+ICh7IHBhdGg6IGAuLyR7bmFtZX0uJHtpc0NqcyA/ICdjanMnIDogJ2pzJ31gLCBleHRlcm5hbDogdHJ1ZSB9KTtcbiAgICAvLyByZXF1aXJlLCBub3QgaW1wb3J0KCk6IHRoZSBuYW1lcyB0aGF0IGEgbWluaWZpZWQgQ29tbW9uSlMgZmlsZSBleHBvcnRzIGFyZSBoaWRkZW4gZnJvbSBpbXBvcnQoKS5cbiAgICBpZiAoaXNDanMpIGluaXRpYWxPcHRpb25zLnN1cHBvcnRlZCA9IHsgLi4uaW5pdGlhbE9wdGlvbnMuc3VwcG9ydGVkLCAnZHluYW1pYy1pbXBvcnQnOiBmYWxzZSB9O1xuICAgIG9uUmVzb2x2ZSh7IGZpbHRlcjogQ09SRSB9LCAoKSA9PiBiZXNpZGVzKGlzRWRnZSA/ICdlZGdlJyA6ICdpbmRleCcpKTtcbiAgICBvblJlc29sdmUoeyBmaWx0ZXI6IC9eXFwuXFwuXFwvaW9cXC9pbmRleFxcLmpzJC8gfSwgKCkgPT4gYmVzaWRlcygnaW8nKSk7XG4gICAgb25SZXNvbHZlKHsgZmlsdGVyOiAvXlxcLlxcL3RlYW1cXC5qcyQvIH0sICgpID0+IGJlc2lkZXMoJ2lvLXRocmVhZHMnKSk7IC8vIGxvYWRlZCB3aGVuIGEgcmVhZGVyIHN0YXJ0cyB0aHJlYWRzXG4gICAgb25SZXNvbHZlKHsgZmlsdGVyOiAvXlxcLlxcLlxcL3ByZXBhcmVcXC9pbmRleFxcLmpzJC8gfSwgKCkgPT4gYmVzaWRlcyhpc0VkZ2UgPyAnZWRnZS1wcmVwYXJlJyA6ICdwcmVwYXJlJykpO1xuICAgIG9uUmVzb2x2ZSh7IGZpbHRlcjogL15cXC5cXC5cXC9zZWxlY3RcXC9pbmRleFxcLmpzJC8gfSwgKCkgPT4gYmVzaWRlcyhpc0VkZ2UgPyAnZWRnZS1zZWxlY3QnIDogJ3NlbGVjdCcpKTtcbiAgICBvblJlc29sdmUoeyBmaWx0ZXI6IC9eXFwuXFwuXFwvY2x1c3RlclxcL2luZGV4XFwuanMkLyB9LCAoKSA9PiBiZXNpZGVzKCdjbHVzdGVyJykpO1xuICAgIG9uUmVzb2x2ZSh7IGZpbHRlcjogL15cXC5cXC5cXC9zY2FsYXJcXC5qcyQvIH0sICgpID0+ICh7IHBhdGg6ICcuL3NjYWxhci5qcycsIGV4dGVybmFsOiB0cnVlLCBzaWRlRWZmZWN0czogdHJ1ZSB9KSk7XG4gIH0sXG59KTtcblxuLyoqXG4gKiBBbiBFUyBtb2R1bGUgb2YgdGhlIGNvcmUgbG9hZHMgdGhlIHByb3ZlciBhcyBhIGZpbGUgYmVzaWRlIGl0LCBieSBvbmUgdGhhdCBidW5kbGVycyBkcm9wIChzY3JpcHRzL2NvcHktZmlsZXMubWpzKS4gVGhlIENvbW1vbkpTIGZpbGVcbiAqIG5lZWRzIG5vIG90aGVyLlxuICovXG5jb25zdCB3aXRoUHJvdmVyOiBQbHVnaW4gPSB7XG4gIG5hbWU6ICd3aXRoLXByb3ZlcicsXG4gIHNldHVwKHsgaW5pdGlhbE9wdGlvbnM6IHsgZm9ybWF0IH0sIG9uUmVzb2x2ZSB9KSB7XG4gICAgY29uc3QgaW5zaWRlID0geyBwYXRoOiByZXNvbHZlKCdzcmMvcHJvdmUudHMnKSwgc2lkZUVmZmVjdHM6IHRydWUgfTtcbiAgICBjb25zdCBiZXNpZGUgPSB7IHBhdGg6ICcuL3Byb3Zlci5qcycsIGV4dGVybmFsOiB0cnVlLCBzaWRlRWZmZWN0czogdHJ1ZSB9O1xuICAgIG9uUmVzb2x2ZSh7IGZpbHRlcjogL15cXC5cXC9wcm92ZVxcLmpzJC8gfSwgKCkgPT4gKGZvcm1hdCA9PT0gJ2NqcycgPyBpbnNpZGUgOiBiZXNpZGUpKTtcbiAgfSxcbn07XG5cbi8qKiBUaGUgZm9sZGVycyBvZiB0aGUgY29yZSBmcm9tIHRoZSBrZXJuZWxzIHVwLiAqL1xuY29uc3QgTEFZRVJTID0gWydlbmdpbmUvanMnLCAnZW5naW5lJywgJ2FzeW5jJywgJ2dyYW0nLCAnbWVtb3J5JywgJ3Byb29mJywgJ2RhdGEnLCAnbW9kZWwnLCAndHJhaW4nLCAndHJhaW5lcnMnXTtcblxuLyoqXG4gKiBQdXRzIHRoZSBmaWxlcyBvZiBhIGZvbGRlciBuZXh0IHRvIGVhY2ggb3RoZXIuIGd6aXAgbG9va3MgYmFjayAzMiBrQjogaW4gdGhlIG9yZGVyIGluIHdoaWNoIGZpbGVzIGZpcnN0IGltcG9ydCBvbmUgYW5vdGhlciwgdGhlIGNvcmVcbiAqIGlzIDAuOSBrQiBsYXJnZXIgKGRvY3MvYWRyLzAwMzApLiBGaWxlcyB0aGF0IG5vdGhpbmcgdXNlcyBzdGF5IG91dC5cbiAqL1xuY29uc3QgYnlMYXllcnM6IFBsdWdpbiA9IHtcbiAgbmFtZTogJ2J5LWxheWVycycsXG4gIHNldHVwKHsgaW5pdGlhbE9wdGlvbnMsIG9uTG9hZCB9KSB7XG4gICAgaW5pdGlhbE9wdGlvbnMubG9nT3ZlcnJpZGUgPSB7IC4uLmluaXRpYWxPcHRpb25zLmxvZ092ZXJyaWRlLCAnaWdub3JlZC1iYXJlLWltcG9ydCc6ICdzaWxlbnQnIH07XG4gICAgY29uc3QgZmlsZXMgPSBMQVlFUlMuZmxhdE1hcCgoZm9sZGVyKSA9PiB7XG4gICAgICBjb25zdCBuYW1lcyA9IHJlYWRkaXJTeW5jKGBzcmMvJHtmb2xkZXJ9YCkuZmlsdGVyKChuYW1lKSA9PiBuYW1lLmVuZHNXaXRoKCcudHMnKSk7XG4gICAgICByZXR1cm4gbmFtZXMuc29ydCgpLm1hcCgobmFtZSkgPT4gYGltcG9ydCAnLi8ke2ZvbGRlcn0vJHtuYW1lfSc7XFxuYCk7XG4gICAgfSk7XG4gICAgb25Mb2FkKHsgZmlsdGVyOiAvW1xcXFwvXXNyY1tcXFxcL11pbmRleFxcLnRzJC8gfSwgKHsgcGF0aCB9KSA9PiAoe1xuICAgICAgY29udGVudHM6IGZpbGVzLmpvaW4oJycpICsgcmVhZEZpbGVTeW5jKHBhdGgsICd1dGY4JyksXG4gICAgICBsb2FkZXI6ICd0cycsXG4gICAgfSkpO1xuICB9LFxufTtcblxuLyoqIFdoYXQgb3RoZXJzIHdyb3RlIGNvbWVzIHdpdGggdGhlaXIgbGljZW5jZXMuICovXG5jb25zdCBsaWNlbnNlczogUGx1Z2luID0ge1xuICBuYW1lOiAnbGljZW5zZXMnLFxuICBzZXR1cCh7IGluaXRpYWxPcHRpb25zLCBvbkVuZCB9KSB7XG4gICAgaW5pdGlhbE9wdGlvbnMubWV0YWZpbGUgPSB0cnVlO1xuICAgIG9uRW5kKCh7IG1ldGFmaWxlIH0pID0+IHtcbiAgICAgIGNvbnN0IHRleHRzID0gbGljZW5zZVRleHRzKE9iamVjdC5rZXlzKG1ldGFmaWxlPy5pbnB1dHMgPz8ge30pKTtcbiAgICAgIG1rZGlyU3luYygnZGlzdCcsIHsgcmVjdXJzaXZlOiB0cnVlIH0pO1xuICAgICAgd3JpdGVGaWxlU3luYyhcbiAgICAgICAgJ2Rpc3QvY2xpLmxpY2Vuc2VzLnR4dCcsXG4gICAgICAgIGBUaGUgY29tbWFuZCAoY2xpLmpzIGFuZCB0aGUgZmlsZXMgdGhhdCBpdCBsb2FkcykgY29udGFpbnMgcGFydHMgb2Y6XFxuXFxuJHt0ZXh0c31gLFxuICAgICAgKTtcbiAgICB9KTtcbiAgfSxcbn07XG5cbmV4cG9ydCBkZWZhdWx0IGRlZmluZUNvbmZpZyhbXG4gIHtcbiAgICAuLi5zaGFyZWQsXG4gICAgZW50cnk6IHsgaW5kZXg6ICdzcmMvaW5kZXgudHMnIH0sXG4gICAgZm9ybWF0OiBbJ2VzbScsICdjanMnXSxcbiAgICBlc2J1aWxkUGx1Z2luczogW3dpdGhQcm92ZXIsIGJ5TGF5ZXJzXSxcbiAgICAvLyBlc2J1aWxkLCBhcyBhIHVzZXIncyBidW5kbGVyLCBtYWtlcyAyICUgbGVzcyBvZiBmdW5jdGlvbnMgYW5kIGNvbnN0YW50cyB0aGF0IGFyZSBub3QgaW5saW5lZCAoZG9jcy9hZHIvMDAyNCk7IG90aGVycyB0aGUgc2FtZS5cbiAgICB0ZXJzZXJPcHRpb25zOiB7XG4gICAgICAuLi50ZXJzZXJPcHRpb25zLFxuICAgICAgY29tcHJlc3M6IHsgLi4udGVyc2VyT3B0aW9ucy5jb21wcmVzcywgcmVkdWNlX2Z1bmNzOiBmYWxzZSwgcmVkdWNlX3ZhcnM6IGZhbHNlIH0sXG4gICAgfSxcbiAgICAvLyBNZW1iZXJzIG1hcmtlZCBAaW50ZXJuYWwgYXJlIGZvciB0aGUgdHJhaW5lcnMgYW1vbmcgdGhlbXNlbHZlcy5cbiAgICBkdHM6IHsgY29tcGlsZXJPcHRpb25zOiB7IGlnbm9yZURlcHJlY2F0aW9uczogJzYuMCcsIHN0cmlwSW50ZXJuYWw6IHRydWUgfSB9LFxuICAgIGVzYnVpbGRPcHRpb25zKG9wdGlvbnMpIHtcbiAgICAgIG9wdGlvbnMubWluaWZ5ID0gdHJ1ZTtcbiAgICAgIC8vIEZpcnN0IGluIHRoZSBidW5kbGU6IHRoYXQgbXVjaCB0ZXh0IGluIHRoZSBtaWRkbGUgd291bGQgcHVzaCBoYWxmIG9mIHRoZSBjb2RlIG91dCBvZiBnemlwJ3Mgd2luZG93IChhbm90aGVyIDAuNSBLQikuXG4gICAgICBvcHRpb25zLmluamVjdCA9IFsnc3JjL2VuZ2luZS93YXNtL3NpbWQudHMnXTtcbiAgICB9LFxuICB9LFxuICB7XG4gICAgLi4uc2hhcmVkLFxuICAgIGVudHJ5OiB7IGVkZ2U6ICdzcmMvZWRnZS50cycgfSxcbiAgICBmb3JtYXQ6IFsnZXNtJ10sXG4gICAgZXh0ZXJuYWw6IFsvXFwud2FzbVxcP21vZHVsZSQvXSxcbiAgICBlc2J1aWxkUGx1Z2luczogW3dpdGhQcm92ZXIsIGJ5TGF5ZXJzXSxcbiAgICBlc2J1aWxkT3B0aW9ucyhvcHRpb25zKSB7XG4gICAgICBvcHRpb25zLm1pbmlmeSA9IHRydWU7XG4gICAgfSxcbiAgfSxcbiAge1xuICAgIC4uLnNoYXJlZCxcbiAgICBlbnRyeTogeyBjbGk6ICdzcmMvY2xpL21haW4udHMnIH0sXG4gICAgZm9ybWF0OiBbJ2VzbSddLFxuICAgIHNwbGl0dGluZzogdHJ1ZSwgLy8gYSBjb21tYW5kIGlzIGxvYWRlZCB3aGVuIGl0IGlzIGNhbGxlZFxuICAgIHBsYXRmb3JtOiAnbm9kZScsXG4gICAgbm9FeHRlcm5hbDogWydjbGktcHJvZ3Jlc3MnXSxcbiAgICBlc2J1aWxkUGx1Z2luczogW2Jlc2lkZSgpLCBsaWNlbnNlc10sXG4gICAgLy8gY2xpLXByb2dyZXNzIGlzIENvbW1vbkpTIGFuZCBhc2tzIGZvciBwYXJ0cyBvZiBOb2RlLlxuICAgIGJhbm5lcjogeyBqczogXCJpbXBvcnQgeyBjcmVhdGVSZXF1aXJlIH0gZnJvbSAnbm9kZTptb2R1bGUnOyBjb25zdCByZXF1aXJlID0gY3JlYXRlUmVxdWlyZShpbXBvcnQubWV0YS51cmwpO1wiIH0sXG4gICAgZXNidWlsZE9wdGlvbnMob3B0aW9ucykge1xuICAgICAgb3B0aW9ucy5taW5pZnkgPSB0cnVlO1xuICAgIH0sXG4gIH0sXG4gIHtcbiAgICAuLi5zaGFyZWQsXG4gICAgZW50cnk6IHtcbiAgICAgIGlvOiAnc3JjL2lvL2luZGV4LnRzJyxcbiAgICAgICdpby10aHJlYWRzJzogJ3NyYy9pby90ZWFtLnRzJyxcbiAgICAgIHByZXBhcmU6ICdzcmMvcHJlcGFyZS9pbmRleC50cycsXG4gICAgICBzZWxlY3Q6ICdzcmMvc2VsZWN0L2luZGV4LnRzJyxcbiAgICB9LFxuICAgIGZvcm1hdDogWydlc20nLCAnY2pzJ10sXG4gICAgLy8gRWFjaCB3aG9sZSBpbiBpdHMgb3duIGZpbGUuXG4gICAgc3BsaXR0aW5nOiBmYWxzZSxcbiAgICBleHRlcm5hbDogWydoeXBhcnF1ZXQnXSwgLy8gYW4gb3B0aW9uYWwgcGVlclxuICAgIGVzYnVpbGRQbHVnaW5zOiBbYmVzaWRlKCldLFxuICAgIGVzYnVpbGRPcHRpb25zKG9wdGlvbnMpIHtcbiAgICAgIG9wdGlvbnMubWluaWZ5ID0gdHJ1ZTtcbiAgICB9LFxuICB9LFxuICB7XG4gICAgLi4uc2hhcmVkLFxuICAgIGVudHJ5OiB7IGNsdXN0ZXI6ICdzcmMvY2x1c3Rlci9pbmRleC50cycgfSxcbiAgICBmb3JtYXQ6IFsnZXNtJywgJ2NqcyddLFxuICAgIHBsYXRmb3JtOiAnbm9kZScsXG4gICAgZXh0ZXJuYWw6IFsnYnVsbG1xJywgJ2lvcmVkaXMnXSwgLy8gb3B0aW9uYWwgcGVlcnNcbiAgICBlc2J1aWxkUGx1Z2luczogW2Jlc2lkZSgpXSxcbiAgICBlc2J1aWxkT3B0aW9ucyhvcHRpb25zKSB7XG4gICAgICBvcHRpb25zLm1pbmlmeSA9IHRydWU7XG4gICAgfSxcbiAgfSxcbiAge1xuICAgIC4uLnNoYXJlZCxcbiAgICBlbnRyeTogeyBwcm92ZTogJ3NyYy9wcm92ZS50cycsIHNjYWxhcjogJ3NyYy9zY2FsYXIudHMnIH0sXG4gICAgZm9ybWF0OiBbJ2VzbScsICdjanMnXSxcbiAgICBlc2J1aWxkUGx1Z2luczogW2Jlc2lkZSgpXSxcbiAgICBlc2J1aWxkT3B0aW9ucyhvcHRpb25zKSB7XG4gICAgICBvcHRpb25zLm1pbmlmeSA9IHRydWU7XG4gICAgfSxcbiAgfSxcbiAge1xuICAgIC4uLnNoYXJlZCxcbiAgICBlbnRyeToge1xuICAgICAgJ2VkZ2UtaW8nOiAnc3JjL2lvL2luZGV4LnRzJyxcbiAgICAgICdlZGdlLXByZXBhcmUnOiAnc3JjL3ByZXBhcmUvaW5kZXgudHMnLFxuICAgICAgJ2VkZ2Utc2VsZWN0JzogJ3NyYy9zZWxlY3QvaW5kZXgudHMnLFxuICAgIH0sXG4gICAgZm9ybWF0OiBbJ2VzbSddLFxuICAgIHNwbGl0dGluZzogZmFsc2UsXG4gICAgZXh0ZXJuYWw6IFsnaHlwYXJxdWV0J10sXG4gICAgZXNidWlsZFBsdWdpbnM6IFtiZXNpZGUodHJ1ZSldLFxuICAgIGVzYnVpbGRPcHRpb25zKG9wdGlvbnMpIHtcbiAgICAgIG9wdGlvbnMubWluaWZ5ID0gdHJ1ZTtcbiAgICB9LFxuICB9LFxuICB7XG4gICAgLi4uc2hhcmVkLFxuICAgIGVudHJ5OiB7IHByZWRpY3Q6ICdzcmMvcHJlZGljdC9pbmRleC50cycgfSxcbiAgICBmb3JtYXQ6IFsnZXNtJywgJ2NqcyddLFxuICAgIC8vIExvbmcgbGluZXM6IHRob3NlIG9mIDQwMCBjaGFyYWN0ZXJzIHRha2UgMTEwIGJ5dGVzIG9mIHRoZSAxMiwwMDAgdGhhdCB0aGlzIGZpbGUgbWF5IGhhdmUuXG4gICAgdGVyc2VyT3B0aW9uczogeyAuLi50ZXJzZXJPcHRpb25zLCBmb3JtYXQ6IHsgbWF4X2xpbmVfbGVuOiAzMDAwIH0gfSxcbiAgICBkdHM6IHsgY29tcGlsZXJPcHRpb25zOiB7IGlnbm9yZURlcHJlY2F0aW9uczogJzYuMCcsIHN0cmlwSW50ZXJuYWw6IHRydWUgfSB9LFxuICAgIGVzYnVpbGRPcHRpb25zKG9wdGlvbnMpIHtcbiAgICAgIG9wdGlvbnMubWluaWZ5ID0gdHJ1ZTtcbiAgICB9LFxuICB9LFxuICAuLi5bJ2NsdXN0ZXInLCAnaW8nLCAncHJlcGFyZScsICdzZWxlY3QnXS5tYXAoXG4gICAgKG5hbWUpOiBPcHRpb25zID0+ICh7XG4gICAgICBlbnRyeTogeyBbbmFtZV06IGBzcmMvJHtuYW1lfS9pbmRleC50c2AgfSxcbiAgICAgIGZvcm1hdDogWydlc20nLCAnY2pzJ10sXG4gICAgICBleHRlcm5hbDogW0NPUkUsIC9eXFwuXFwuXFwvcHJlcGFyZVxcL2luZGV4XFwuanMkLywgLi4uKG5hbWUgPT09ICdjbHVzdGVyJyA/IFsvXlxcLlxcLlxcLyhpb3xzZWxlY3QpXFwvaW5kZXhcXC5qcyQvXSA6IFtdKV0sIC8vIHNjcmlwdHMvYmVzaWRlLXR5cGVzLm1qcyBwdXRzIHRoZSByaWdodCBvbmUgaW5cbiAgICAgIGR0czogeyBvbmx5OiB0cnVlLCBjb21waWxlck9wdGlvbnM6IHsgaWdub3JlRGVwcmVjYXRpb25zOiAnNi4wJywgc3RyaXBJbnRlcm5hbDogdHJ1ZSB9IH0sXG4gICAgfSksXG4gICksXG5dKTtcbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvbGltaXRzL3NjcmlwdHMvbGljZW5zZXMudHNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9saW1pdHMvc2NyaXB0c1wiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2xpbWl0cy9zY3JpcHRzL2xpY2Vuc2VzLnRzXCI7Ly8gVGhlIGxpY2VuY2VzIG9mIGJ1bmRsZWQgcGFja2FnZXM6IHdoYXQgb3RoZXJzIHdyb3RlIGNvbWVzIHdpdGggdGhlaXIgdGVybXMgKGRpc3QvY2xpLmxpY2Vuc2VzLnR4dCwgd2ViL2Rpc3QvbGljZW5zZXMudHh0KS5cblxuaW1wb3J0IHsgcmVhZGRpclN5bmMsIHJlYWRGaWxlU3luYyB9IGZyb20gJ25vZGU6ZnMnO1xuaW1wb3J0IHsgam9pbiB9IGZyb20gJ25vZGU6cGF0aCc7XG5cbi8qKiBOYW1lcywgdmVyc2lvbnMgYW5kIGxpY2VuY2UgdGV4dHMgb2YgdGhlIHBhY2thZ2VzIHRoYXQgYnVuZGxlZCBmaWxlcyBhcmUgZnJvbS4gQHRocm93cyBFcnJvciBpZiBvbmUgaGFzIG5vIGxpY2VuY2UgKi9cbmV4cG9ydCBmdW5jdGlvbiBsaWNlbnNlVGV4dHMoZmlsZXM6IEl0ZXJhYmxlPHN0cmluZz4pOiBzdHJpbmcge1xuICBjb25zdCBmb2xkZXJzID0gWy4uLmZpbGVzXS5mbGF0TWFwKChwYXRoKSA9PiBwYXRoLm1hdGNoKC9eLipub2RlX21vZHVsZXNcXC8oQFteL10rXFwvKT9bXi9dKy8pPy5bMF0gPz8gW10pO1xuICBjb25zdCB0ZXh0cyA9IFsuLi5uZXcgU2V0KGZvbGRlcnMpXS5zb3J0KCkubWFwKChmb2xkZXIpID0+IHtcbiAgICBjb25zdCB7IG5hbWUsIHZlcnNpb24gfSA9IEpTT04ucGFyc2UocmVhZEZpbGVTeW5jKGpvaW4oZm9sZGVyLCAncGFja2FnZS5qc29uJyksICd1dGY4JykpO1xuICAgIGNvbnN0IGZpbGUgPSByZWFkZGlyU3luYyhmb2xkZXIpLmZpbmQoKGVudHJ5KSA9PiAvXmxpY2VuW2NzXWUvaS50ZXN0KGVudHJ5KSk7XG4gICAgaWYgKCFmaWxlKSB0aHJvdyBuZXcgRXJyb3IoYCR7bmFtZX0gaXMgYnVuZGxlZCBhbmQgaGFzIG5vIGxpY2VuY2UgdG8gZ28gd2l0aCBpdGApO1xuICAgIHJldHVybiBgJHtuYW1lfSAke3ZlcnNpb259XFxuXFxuJHtyZWFkRmlsZVN5bmMoam9pbihmb2xkZXIsIGZpbGUpLCAndXRmOCcpLnRyaW0oKX1cXG5gO1xuICB9KTtcbiAgcmV0dXJuIHRleHRzLmpvaW4oYFxcbiR7Jy0nLnJlcGVhdCg3OCl9XFxuXFxuYCk7XG59XG4iXSwKICAibWFwcGluZ3MiOiAiO0FBQXdMLFNBQVMsV0FBVyxlQUFBQSxjQUFhLGdCQUFBQyxlQUFjLHFCQUFxQjtBQUM1UCxTQUFTLGVBQWU7QUFDeEIsU0FBUyxvQkFBa0M7OztBQ0EzQyxTQUFTLGFBQWEsb0JBQW9CO0FBQzFDLFNBQVMsWUFBWTtBQUdkLFNBQVMsYUFBYSxPQUFpQztBQUM1RCxRQUFNLFVBQVUsQ0FBQyxHQUFHLEtBQUssRUFBRSxRQUFRLENBQUMsU0FBUyxLQUFLLE1BQU0sbUNBQW1DLElBQUksQ0FBQyxLQUFLLENBQUMsQ0FBQztBQUN2RyxRQUFNLFFBQVEsQ0FBQyxHQUFHLElBQUksSUFBSSxPQUFPLENBQUMsRUFBRSxLQUFLLEVBQUUsSUFBSSxDQUFDLFdBQVc7QUFDekQsVUFBTSxFQUFFLE1BQU0sUUFBUSxJQUFJLEtBQUssTUFBTSxhQUFhLEtBQUssUUFBUSxjQUFjLEdBQUcsTUFBTSxDQUFDO0FBQ3ZGLFVBQU0sT0FBTyxZQUFZLE1BQU0sRUFBRSxLQUFLLENBQUMsVUFBVSxlQUFlLEtBQUssS0FBSyxDQUFDO0FBQzNFLFFBQUksQ0FBQyxLQUFNLE9BQU0sSUFBSSxNQUFNLEdBQUcsSUFBSSw4Q0FBOEM7QUFDaEYsV0FBTyxHQUFHLElBQUksSUFBSSxPQUFPO0FBQUE7QUFBQSxFQUFPLGFBQWEsS0FBSyxRQUFRLElBQUksR0FBRyxNQUFNLEVBQUUsS0FBSyxDQUFDO0FBQUE7QUFBQSxFQUNqRixDQUFDO0FBQ0QsU0FBTyxNQUFNLEtBQUs7QUFBQSxFQUFLLElBQUksT0FBTyxFQUFFLENBQUM7QUFBQTtBQUFBLENBQU07QUFDN0M7OztBRFZBLElBQU0sZ0JBQWdCO0FBQUEsRUFDcEIsTUFBTTtBQUFBLEVBQ04sVUFBVSxFQUFFLFFBQVEsR0FBRyxlQUFlLE1BQU07QUFBQTtBQUFBLEVBRTVDLFFBQVEsRUFBRSxjQUFjLElBQUk7QUFDOUI7QUFFQSxJQUFNLFNBQWtCO0FBQUEsRUFDdEIsUUFBUTtBQUFBLEVBQ1IsVUFBVTtBQUFBO0FBQUEsRUFFVixRQUFRO0FBQUEsRUFDUjtBQUFBLEVBQ0EsV0FBVztBQUFBLEVBQ1gsb0JBQW9CO0FBQ3RCO0FBUUEsSUFBTSxPQUFPO0FBQ2IsSUFBTSxTQUFTLENBQUMsU0FBUyxXQUFtQjtBQUFBLEVBQzFDLE1BQU07QUFBQSxFQUNOLE1BQU0sRUFBRSxnQkFBZ0IsVUFBVSxHQUFHO0FBQ25DLFVBQU0sUUFBUSxlQUFlLFdBQVc7QUFDeEMsVUFBTSxVQUFVLENBQUMsVUFBa0IsRUFBRSxNQUFNLEtBQUssSUFBSSxJQUFJLFFBQVEsUUFBUSxJQUFJLElBQUksVUFBVSxLQUFLO0FBRS9GLFFBQUksTUFBTyxnQkFBZSxZQUFZLEVBQUUsR0FBRyxlQUFlLFdBQVcsa0JBQWtCLE1BQU07QUFDN0YsY0FBVSxFQUFFLFFBQVEsS0FBSyxHQUFHLE1BQU0sUUFBUSxTQUFTLFNBQVMsT0FBTyxDQUFDO0FBQ3BFLGNBQVUsRUFBRSxRQUFRLHdCQUF3QixHQUFHLE1BQU0sUUFBUSxJQUFJLENBQUM7QUFDbEUsY0FBVSxFQUFFLFFBQVEsaUJBQWlCLEdBQUcsTUFBTSxRQUFRLFlBQVksQ0FBQztBQUNuRSxjQUFVLEVBQUUsUUFBUSw2QkFBNkIsR0FBRyxNQUFNLFFBQVEsU0FBUyxpQkFBaUIsU0FBUyxDQUFDO0FBQ3RHLGNBQVUsRUFBRSxRQUFRLDRCQUE0QixHQUFHLE1BQU0sUUFBUSxTQUFTLGdCQUFnQixRQUFRLENBQUM7QUFDbkcsY0FBVSxFQUFFLFFBQVEsNkJBQTZCLEdBQUcsTUFBTSxRQUFRLFNBQVMsQ0FBQztBQUM1RSxjQUFVLEVBQUUsUUFBUSxxQkFBcUIsR0FBRyxPQUFPLEVBQUUsTUFBTSxlQUFlLFVBQVUsTUFBTSxhQUFhLEtBQUssRUFBRTtBQUFBLEVBQ2hIO0FBQ0Y7QUFNQSxJQUFNLGFBQXFCO0FBQUEsRUFDekIsTUFBTTtBQUFBLEVBQ04sTUFBTSxFQUFFLGdCQUFnQixFQUFFLE9BQU8sR0FBRyxVQUFVLEdBQUc7QUFDL0MsVUFBTSxTQUFTLEVBQUUsTUFBTSxRQUFRLGNBQWMsR0FBRyxhQUFhLEtBQUs7QUFDbEUsVUFBTUMsVUFBUyxFQUFFLE1BQU0sZUFBZSxVQUFVLE1BQU0sYUFBYSxLQUFLO0FBQ3hFLGNBQVUsRUFBRSxRQUFRLGtCQUFrQixHQUFHLE1BQU8sV0FBVyxRQUFRLFNBQVNBLE9BQU87QUFBQSxFQUNyRjtBQUNGO0FBR0EsSUFBTSxTQUFTLENBQUMsYUFBYSxVQUFVLFNBQVMsUUFBUSxVQUFVLFNBQVMsUUFBUSxTQUFTLFNBQVMsVUFBVTtBQU0vRyxJQUFNLFdBQW1CO0FBQUEsRUFDdkIsTUFBTTtBQUFBLEVBQ04sTUFBTSxFQUFFLGdCQUFnQixPQUFPLEdBQUc7QUFDaEMsbUJBQWUsY0FBYyxFQUFFLEdBQUcsZUFBZSxhQUFhLHVCQUF1QixTQUFTO0FBQzlGLFVBQU0sUUFBUSxPQUFPLFFBQVEsQ0FBQyxXQUFXO0FBQ3ZDLFlBQU0sUUFBUUMsYUFBWSxPQUFPLE1BQU0sRUFBRSxFQUFFLE9BQU8sQ0FBQyxTQUFTLEtBQUssU0FBUyxLQUFLLENBQUM7QUFDaEYsYUFBTyxNQUFNLEtBQUssRUFBRSxJQUFJLENBQUMsU0FBUyxhQUFhLE1BQU0sSUFBSSxJQUFJO0FBQUEsQ0FBTTtBQUFBLElBQ3JFLENBQUM7QUFDRCxXQUFPLEVBQUUsUUFBUSwwQkFBMEIsR0FBRyxDQUFDLEVBQUUsS0FBSyxPQUFPO0FBQUEsTUFDM0QsVUFBVSxNQUFNLEtBQUssRUFBRSxJQUFJQyxjQUFhLE1BQU0sTUFBTTtBQUFBLE1BQ3BELFFBQVE7QUFBQSxJQUNWLEVBQUU7QUFBQSxFQUNKO0FBQ0Y7QUFHQSxJQUFNLFdBQW1CO0FBQUEsRUFDdkIsTUFBTTtBQUFBLEVBQ04sTUFBTSxFQUFFLGdCQUFnQixNQUFNLEdBQUc7QUFDL0IsbUJBQWUsV0FBVztBQUMxQixVQUFNLENBQUMsRUFBRSxTQUFTLE1BQU07QUFDdEIsWUFBTSxRQUFRLGFBQWEsT0FBTyxLQUFLLFVBQVUsVUFBVSxDQUFDLENBQUMsQ0FBQztBQUM5RCxnQkFBVSxRQUFRLEVBQUUsV0FBVyxLQUFLLENBQUM7QUFDckM7QUFBQSxRQUNFO0FBQUEsUUFDQTtBQUFBO0FBQUEsRUFBMEUsS0FBSztBQUFBLE1BQ2pGO0FBQUEsSUFDRixDQUFDO0FBQUEsRUFDSDtBQUNGO0FBRUEsSUFBTyxzQkFBUSxhQUFhO0FBQUEsRUFDMUI7QUFBQSxJQUNFLEdBQUc7QUFBQSxJQUNILE9BQU8sRUFBRSxPQUFPLGVBQWU7QUFBQSxJQUMvQixRQUFRLENBQUMsT0FBTyxLQUFLO0FBQUEsSUFDckIsZ0JBQWdCLENBQUMsWUFBWSxRQUFRO0FBQUE7QUFBQSxJQUVyQyxlQUFlO0FBQUEsTUFDYixHQUFHO0FBQUEsTUFDSCxVQUFVLEVBQUUsR0FBRyxjQUFjLFVBQVUsY0FBYyxPQUFPLGFBQWEsTUFBTTtBQUFBLElBQ2pGO0FBQUE7QUFBQSxJQUVBLEtBQUssRUFBRSxpQkFBaUIsRUFBRSxvQkFBb0IsT0FBTyxlQUFlLEtBQUssRUFBRTtBQUFBLElBQzNFLGVBQWUsU0FBUztBQUN0QixjQUFRLFNBQVM7QUFFakIsY0FBUSxTQUFTLENBQUMseUJBQXlCO0FBQUEsSUFDN0M7QUFBQSxFQUNGO0FBQUEsRUFDQTtBQUFBLElBQ0UsR0FBRztBQUFBLElBQ0gsT0FBTyxFQUFFLE1BQU0sY0FBYztBQUFBLElBQzdCLFFBQVEsQ0FBQyxLQUFLO0FBQUEsSUFDZCxVQUFVLENBQUMsaUJBQWlCO0FBQUEsSUFDNUIsZ0JBQWdCLENBQUMsWUFBWSxRQUFRO0FBQUEsSUFDckMsZUFBZSxTQUFTO0FBQ3RCLGNBQVEsU0FBUztBQUFBLElBQ25CO0FBQUEsRUFDRjtBQUFBLEVBQ0E7QUFBQSxJQUNFLEdBQUc7QUFBQSxJQUNILE9BQU8sRUFBRSxLQUFLLGtCQUFrQjtBQUFBLElBQ2hDLFFBQVEsQ0FBQyxLQUFLO0FBQUEsSUFDZCxXQUFXO0FBQUE7QUFBQSxJQUNYLFVBQVU7QUFBQSxJQUNWLFlBQVksQ0FBQyxjQUFjO0FBQUEsSUFDM0IsZ0JBQWdCLENBQUMsT0FBTyxHQUFHLFFBQVE7QUFBQTtBQUFBLElBRW5DLFFBQVEsRUFBRSxJQUFJLCtGQUErRjtBQUFBLElBQzdHLGVBQWUsU0FBUztBQUN0QixjQUFRLFNBQVM7QUFBQSxJQUNuQjtBQUFBLEVBQ0Y7QUFBQSxFQUNBO0FBQUEsSUFDRSxHQUFHO0FBQUEsSUFDSCxPQUFPO0FBQUEsTUFDTCxJQUFJO0FBQUEsTUFDSixjQUFjO0FBQUEsTUFDZCxTQUFTO0FBQUEsTUFDVCxRQUFRO0FBQUEsSUFDVjtBQUFBLElBQ0EsUUFBUSxDQUFDLE9BQU8sS0FBSztBQUFBO0FBQUEsSUFFckIsV0FBVztBQUFBLElBQ1gsVUFBVSxDQUFDLFdBQVc7QUFBQTtBQUFBLElBQ3RCLGdCQUFnQixDQUFDLE9BQU8sQ0FBQztBQUFBLElBQ3pCLGVBQWUsU0FBUztBQUN0QixjQUFRLFNBQVM7QUFBQSxJQUNuQjtBQUFBLEVBQ0Y7QUFBQSxFQUNBO0FBQUEsSUFDRSxHQUFHO0FBQUEsSUFDSCxPQUFPLEVBQUUsU0FBUyx1QkFBdUI7QUFBQSxJQUN6QyxRQUFRLENBQUMsT0FBTyxLQUFLO0FBQUEsSUFDckIsVUFBVTtBQUFBLElBQ1YsVUFBVSxDQUFDLFVBQVUsU0FBUztBQUFBO0FBQUEsSUFDOUIsZ0JBQWdCLENBQUMsT0FBTyxDQUFDO0FBQUEsSUFDekIsZUFBZSxTQUFTO0FBQ3RCLGNBQVEsU0FBUztBQUFBLElBQ25CO0FBQUEsRUFDRjtBQUFBLEVBQ0E7QUFBQSxJQUNFLEdBQUc7QUFBQSxJQUNILE9BQU8sRUFBRSxPQUFPLGdCQUFnQixRQUFRLGdCQUFnQjtBQUFBLElBQ3hELFFBQVEsQ0FBQyxPQUFPLEtBQUs7QUFBQSxJQUNyQixnQkFBZ0IsQ0FBQyxPQUFPLENBQUM7QUFBQSxJQUN6QixlQUFlLFNBQVM7QUFDdEIsY0FBUSxTQUFTO0FBQUEsSUFDbkI7QUFBQSxFQUNGO0FBQUEsRUFDQTtBQUFBLElBQ0UsR0FBRztBQUFBLElBQ0gsT0FBTztBQUFBLE1BQ0wsV0FBVztBQUFBLE1BQ1gsZ0JBQWdCO0FBQUEsTUFDaEIsZUFBZTtBQUFBLElBQ2pCO0FBQUEsSUFDQSxRQUFRLENBQUMsS0FBSztBQUFBLElBQ2QsV0FBVztBQUFBLElBQ1gsVUFBVSxDQUFDLFdBQVc7QUFBQSxJQUN0QixnQkFBZ0IsQ0FBQyxPQUFPLElBQUksQ0FBQztBQUFBLElBQzdCLGVBQWUsU0FBUztBQUN0QixjQUFRLFNBQVM7QUFBQSxJQUNuQjtBQUFBLEVBQ0Y7QUFBQSxFQUNBO0FBQUEsSUFDRSxHQUFHO0FBQUEsSUFDSCxPQUFPLEVBQUUsU0FBUyx1QkFBdUI7QUFBQSxJQUN6QyxRQUFRLENBQUMsT0FBTyxLQUFLO0FBQUE7QUFBQSxJQUVyQixlQUFlLEVBQUUsR0FBRyxlQUFlLFFBQVEsRUFBRSxjQUFjLElBQUssRUFBRTtBQUFBLElBQ2xFLEtBQUssRUFBRSxpQkFBaUIsRUFBRSxvQkFBb0IsT0FBTyxlQUFlLEtBQUssRUFBRTtBQUFBLElBQzNFLGVBQWUsU0FBUztBQUN0QixjQUFRLFNBQVM7QUFBQSxJQUNuQjtBQUFBLEVBQ0Y7QUFBQSxFQUNBLEdBQUcsQ0FBQyxXQUFXLE1BQU0sV0FBVyxRQUFRLEVBQUU7QUFBQSxJQUN4QyxDQUFDLFVBQW1CO0FBQUEsTUFDbEIsT0FBTyxFQUFFLENBQUMsSUFBSSxHQUFHLE9BQU8sSUFBSSxZQUFZO0FBQUEsTUFDeEMsUUFBUSxDQUFDLE9BQU8sS0FBSztBQUFBLE1BQ3JCLFVBQVUsQ0FBQyxNQUFNLDhCQUE4QixHQUFJLFNBQVMsWUFBWSxDQUFDLGdDQUFnQyxJQUFJLENBQUMsQ0FBRTtBQUFBO0FBQUEsTUFDaEgsS0FBSyxFQUFFLE1BQU0sTUFBTSxpQkFBaUIsRUFBRSxvQkFBb0IsT0FBTyxlQUFlLEtBQUssRUFBRTtBQUFBLElBQ3pGO0FBQUEsRUFDRjtBQUNGLENBQUM7IiwKICAibmFtZXMiOiBbInJlYWRkaXJTeW5jIiwgInJlYWRGaWxlU3luYyIsICJiZXNpZGUiLCAicmVhZGRpclN5bmMiLCAicmVhZEZpbGVTeW5jIl0KfQo=
