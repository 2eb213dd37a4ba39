// Preloaded into the command (node --import): makes its n-th operation on a file below a folder fail, as a bad disk would.
//
// FAULT_FOLDER is the folder, FAULT_AT is n, FAULT_LOG a file that gets the name of every operation, one a line.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { FAULT_FOLDER: folder, FAULT_AT: at, FAULT_LOG: log } = process.env;
const append = fs.appendFileSync;
let count = 0;

/** Descriptors of files below the folder. */
const descriptors = new Set();

const isBelow = (path) => typeof path === 'string' && path.startsWith(folder);

/** Counts an operation. Returns the error if it is the one that fails. */
function fault(name) {
  count++;
  append(log, `${name}\n`);
  if (count !== Number(at)) return undefined;
  return Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO', errno: -5, syscall: name });
}

/** Operations on a path: promises, callbacks, synchronous ones. */
for (const name of [
  'open',
  'stat',
  'lstat',
  'rename',
  'access',
  'readFile',
  'writeFile',
  'chmod',
  'chown',
  'opendir',
]) {
  const { promises } = fs;
  const originals = { promise: promises[name], callback: fs[name], sync: fs[`${name}Sync`] };
  promises[name] = async (path, ...rest) => {
    const error = isBelow(path) && fault(name);
    if (error) throw error;
    return originals.promise.call(promises, path, ...rest);
  };
  if (name === 'open') {
    fs.open = (path, ...rest) => {
      const done = rest.pop();
      const error = isBelow(path) && fault(name);
      if (error) return void process.nextTick(done, error);
      return originals.callback.call(fs, path, ...rest, (failed, descriptor) => {
        if (!failed && isBelow(path)) descriptors.add(descriptor);
        done(failed, descriptor);
      });
    };
  }
  fs[`${name}Sync`] = (path, ...rest) => {
    const error = isBelow(path) && fault(`${name}Sync`);
    if (error) throw error;
    return originals.sync.call(fs, path, ...rest);
  };
}

/** Operations on an open file, by descriptor, as streams use them. */
for (const name of ['read', 'write', 'writev', 'fsync']) {
  const original = fs[name];
  fs[name] = (descriptor, ...rest) => {
    const error = descriptors.has(descriptor) && fault(name);
    if (error) return void process.nextTick(rest.pop(), error);
    return original.call(fs, descriptor, ...rest);
  };
}

/** Operations on an open file of the promises API. Every open file counts: the command opens no others. */
const probe = await fs.promises.open(process.execPath);
const handle = Object.getPrototypeOf(probe);
await probe.close();
for (const name of ['read', 'write', 'writev', 'sync', 'chmod', 'chown', 'stat', 'readFile', 'writeFile']) {
  const original = handle[name];
  handle[name] = async function (...args) {
    const error = fault(`handle.${name}`);
    if (error) throw error;
    return original.apply(this, args);
  };
}

syncBuiltinESMExports();
