// Output files: all or nothing, whatever goes wrong.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectNotRead, expectWritable, writeOutput } from '../../src/cli/files.js';
import { Perceptron } from '../../src/index.js';
import { saveModel } from '../../src/io/index.js';

/** What is done to the disk. */
const log: string[] = [];
const { open, rename } = promises;

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perceptron-files-'));
  log.length = 0;
  vi.spyOn(promises, 'open').mockImplementation(async (path, ...rest) => {
    log.push(`open ${path}`);
    const file = await open(path, ...rest);
    const sync = file.sync.bind(file);
    return Object.assign(file, {
      sync() {
        log.push('sync');
        return sync();
      },
    });
  });
  vi.spyOn(promises, 'rename').mockImplementation((from, to) => {
    log.push('rename');
    return rename(from, to);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test('writes a new file, and replaces an old one', async () => {
  await writeOutput(at('a.txt'), ['one\n', 'two\n']);
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\ntwo\n');
  await writeOutput(at('a.txt'), ['three\n']);
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('three\n');
  expect(readdirSync(folder)).toEqual(['a.txt']);
});

test('writes text of many blocks, and none at all', async () => {
  const chunks = Array.from({ length: 50_000 }, (_, i) => `line ${i} ünïcode\n`);
  await writeOutput(at('long.txt'), chunks);
  expect(readFileSync(at('long.txt'), 'utf8')).toBe(chunks.join(''));
  await writeOutput(at('empty.txt'), []);
  expect(readFileSync(at('empty.txt'), 'utf8')).toBe('');
});

test('compresses a file whose name ends in .gz', async () => {
  await writeOutput(at('a.txt.gz'), ['one\n', 'two\n']);
  expect(gunzipSync(readFileSync(at('a.txt.gz'))).toString()).toBe('one\ntwo\n');
});

test.each(['a.txt', 'a.txt.gz'])('a source that fails half-way leaves the old %s and no other file', async (name) => {
  writeFileSync(at(name), 'old');
  async function* failing() {
    yield 'x'.repeat(1 << 20);
    throw new Error('the source broke');
  }
  await expect(writeOutput(at(name), failing())).rejects.toThrow(`cannot write ${at(name)}: the source broke`);
  expect(readFileSync(at(name), 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual([name]);
});

test('keeps the permissions of the file it replaces', async () => {
  writeFileSync(at('a.txt'), 'old');
  chmodSync(at('a.txt'), 0o600);
  await writeOutput(at('a.txt'), ['new']);
  expect(statSync(at('a.txt')).mode & 0o777).toBe(0o600);
});

/** Looks at the temporary file while it is written. */
async function duringWrite(name: string): Promise<{ mode: number; uid: number; gid: number }> {
  let seen = { mode: 0, uid: -1, gid: -1 };
  function* source() {
    const temporary = readdirSync(folder).find((entry) => entry.endsWith('.tmp')) as string;
    const { mode, uid, gid } = statSync(at(temporary));
    seen = { mode: mode & 0o777, uid, gid };
    yield 'new';
  }
  await writeOutput(at(name), source());
  expect(readFileSync(at(name), 'utf8')).toBe('new');
  return seen;
}

test.each([
  ['0600', 0o600],
  ['0640', 0o640],
  ['0666', 0o666],
])('a temporary file has the permissions of its target from the start: %s', async (_, mode) => {
  writeFileSync(at('a.txt'), 'old');
  chmodSync(at('a.txt'), mode);
  expect((await duringWrite('a.txt')).mode).toBe(mode);
  expect(statSync(at('a.txt')).mode & 0o777).toBe(mode);
});

test.skipIf(process.getuid?.() !== 0)('root keeps the owner of the file it replaces', async () => {
  writeFileSync(at('a.txt'), 'old');
  chmodSync(at('a.txt'), 0o640);
  chownSync(at('a.txt'), 1234, 4321);
  expect(await duringWrite('a.txt')).toEqual({ mode: 0o640, uid: 1234, gid: 4321 });
  expect(statSync(at('a.txt'))).toMatchObject({ uid: 1234, gid: 4321 });
});

test.each<[string, (path: string) => Promise<void>]>([
  ['the command', (path) => writeOutput(path, ['new'])],
  ['saveModel', (path) => saveModel(new Perceptron().fit([[1], [2]], [0, 1]), path)],
])('%s syncs the directory after the rename', async (_, write) => {
  await write(at('a.txt'));
  const [opened, synced, renamed, ...after] = log;
  expect([opened, synced, renamed]).toEqual([expect.stringMatching(/^open .*tmp$/), 'sync', 'rename']);
  expect(after).toEqual([`open ${folder}`, 'sync']);
});

test('writes through a symbolic link, which stays one', async () => {
  mkdirSync(at('real'));
  writeFileSync(at('real/a.txt'), 'old');
  symlinkSync(at('real/a.txt'), at('link.txt'));
  await writeOutput(at('link.txt'), ['new']);
  expect(lstatSync(at('link.txt')).isSymbolicLink()).toBe(true);
  expect(readFileSync(at('real/a.txt'), 'utf8')).toBe('new');
});

test('writes through a link to a file that is not there yet, by way of another link and a linked folder', async () => {
  mkdirSync(at('real/deep'), { recursive: true });
  symlinkSync('deep/new.txt', at('real/second.txt'));
  symlinkSync('real', at('folder'));
  symlinkSync('folder/second.txt', at('link.txt'));
  await expectWritable(at('link.txt'));
  await writeOutput(at('link.txt'), ['new']);
  expect(lstatSync(at('link.txt')).isSymbolicLink()).toBe(true);
  expect(lstatSync(at('real/second.txt')).isSymbolicLink()).toBe(true);
  expect(readFileSync(at('real/deep/new.txt'), 'utf8')).toBe('new');
});

test('saveModel, too, writes through a link to a file that is not there yet', async () => {
  mkdirSync(at('real'));
  symlinkSync('real/new.json', at('link.json'));
  await saveModel(new Perceptron().fit([[1], [2]], [0, 1]), at('link.json'));
  expect(lstatSync(at('link.json')).isSymbolicLink()).toBe(true);
  expect(readdirSync(at('real'))).toEqual(['new.json']);
});

test('a process that exits in the middle leaves no temporary file', () => {
  const script = `
    import { saveModel } from '${pathToFileURL(join(import.meta.dirname, '../../dist/io.js')).href}';
    function* rows() { yield 1; process.exit(7); }
    await saveModel({ toJSON: () => ({}), packed: () => ({ rows: rows() }) }, 'model.json');`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(status).toBe(7);
  expect(readdirSync(folder)).toEqual([]);
});

test('refuses to replace what is read, by any of its names', async () => {
  writeFileSync(at('data.txt'), 'rows');
  writeFileSync(at('other.txt'), 'rows');
  symlinkSync(at('data.txt'), at('link.txt'));
  const names = [at('data.txt'), at('link.txt'), `${folder}/./data.txt`];
  for (const output of names) {
    const because = `-o ${output} is also an input`;
    for (const input of names) await expect(expectNotRead(output, [undefined, input])).rejects.toThrow(because);
    await expect(expectNotRead(output, [at('other.txt'), at('missing.txt')])).resolves.toBeUndefined();
  }
});

test('names the file and the reason, before the work and after it', async () => {
  const missing = at('nowhere/a.txt');
  const because = `cannot write ${missing}: the directory ${at('nowhere')} does not exist`;
  await expect(expectWritable(missing)).rejects.toThrow(because);
  await expect(writeOutput(missing, ['x'])).rejects.toThrow(because);
  await expect(expectWritable(folder)).rejects.toThrow(`cannot write ${folder}: it is a directory (EISDIR)`);
  writeFileSync(at('file'), '');
  await expect(expectWritable(at('file/a.txt'))).rejects.toThrow('a part of the path is not a directory (ENOTDIR)');
  await expect(expectWritable(at('new.txt'))).resolves.toBeUndefined();
  expect(readdirSync(folder)).toEqual(['file']);
});

test.skipIf(!existsSync('/dev/full'))('a device is written to, not replaced', async () => {
  await expect(writeOutput('/dev/full', ['x'])).rejects.toThrow(
    'cannot write /dev/full: no space left on the device (ENOSPC)',
  );
  await writeOutput('/dev/null', ['x']);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
});
