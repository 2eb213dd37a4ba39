// Names that attack a terminal or a shell, inputs that never come, disks that are full: the built command.

import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someOf } from '../effort.js';
import { expectError, npy, type Result, run, shell, useFolder, worked } from './command.js';

const folder = useFolder();
const here = (args: string[]) => run(args, { cwd: folder.path });

beforeAll(() => {
  folder.write('worked.csv', worked.csv);
});

describe('a hostile name', () => {
  // The readers of text refuse bytes below 32; a model is JSON, and may hold any character.
  const [CLASS, COLUMN] = ['big\u202e\u009b1m', 'wi\u2066dth'];
  const MODEL_CLASS = 'big\u001b[2J\u202e';
  const FILE = 'a\u001b[31m$(touch x);b\u2066.csv';
  const UNSEEN = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;

  beforeAll(async () => {
    folder.write(FILE, worked.csv.replaceAll('big', CLASS).replace('width', COLUMN));
    expect((await here(['train', FILE, '-o', 'hostile.json', '-q'])).status).toBe(0);
    folder.write(
      'hostile.json',
      folder.read('hostile.json').replaceAll(CLASS, JSON.stringify(MODEL_CLASS).slice(1, -1)),
    );
    folder.write('lines.csv', worked.csv.replaceAll('big', '"big\nmodel saved as /etc/passwd"'));
  });

  const commands = [
    ['train', FILE],
    ['train', FILE, '--json'],
    ['train', FILE, '--label', `${COLUMN}x`],
    ['train', FILE, '-o', `nowhere/${FILE}`],
    ['train', 'worked.csv', '--test', FILE],
    ['train', 'worked.csv', `--${FILE}`],
    ['train', 'worked.csv', '--order', FILE],
    [FILE],
    ['predict', 'hostile.json', 'worked.csv', '--json'],
    ['inspect', FILE],
    ['inspect', 'hostile.json'],
    ['inspect', 'hostile.json', '--json'],
    ['inspect', `${FILE}x`],
    ['compare', FILE, '--budget', '0'],
    ['gen', 'xor', '--rows', '3', '-o', `${FILE}.txt`],
  ];
  test.each(
    someOf(
      commands,
      commands.filter((_, k) => k % 3 === 0),
    ),
  )('is shown with escapes: %j', async (...args) => {
    const { stdout, stderr } = await here(args);
    expect(stdout + stderr).toMatch(/\\u(001b|202e|2066)/);
    expect(stdout + stderr).not.toMatch(UNSEEN);
  });

  test.each([
    ['train', 'lines.csv'],
    ['inspect', 'lines.csv'],
  ])('adds no lines of its own: %s', async (...args) => {
    const { stdout } = await here(args);
    expect(stdout).toMatch(/^classes +"big\\nmodel saved as \/etc\/passwd": 2 rows/m);
  });

  test('is one word of the command to copy', async () => {
    const { stderr } = await here(['predict', FILE, 'hostile.json']);
    expect(stderr).not.toMatch(UNSEEN);
    const [, words] = /the model comes first: predict (.*) \(see/.exec(stderr) ?? [];
    expect(words).toBeDefined();
    const said = execFileSync('bash', ['--norc', '-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' });
    expect(said).toBe(`hostile.json\n${FILE}\n`);
  });

  test('is in the predictions as it is, and with escapes on a terminal', async () => {
    const piped = await here(['predict', 'hostile.json', 'worked.csv', '-q']);
    expect(piped.stdout).toBe(`${MODEL_CLASS}\n${MODEL_CLASS}\nsmall\n`);
    if (!existsSync('/usr/bin/script')) return;
    for (const more of ['', '--scores']) {
      const line = `script -qec "$cli predict hostile.json worked.csv -q ${more}" /dev/null < /dev/null`;
      const { stdout } = await shell(line, { cwd: folder.path });
      expect(stdout).toContain('big\\u001b[2J\\u202e');
      expect(stdout.replaceAll('\r\n', '')).not.toMatch(UNSEEN);
    }
  });
});

describe('Ctrl-C ends the wait for an input that does not come', () => {
  let server: Server;
  let address = '';
  beforeAll(async () => {
    await shell('mkfifo pipe', { cwd: folder.path });
    folder.write('rows.npy', npy([1, 2, 3, 4], [2, 2]));
    expect((await here(['train', 'worked.csv', '-o', 'model.json', '-q'])).status).toBe(0);
    server = createServer((request, response) => {
      if (!request.url?.includes('half')) return;
      response.writeHead(200);
      response.write('{"type": "percep');
    }).listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Presses Ctrl-C, later if that was too early; gives up after a minute: the wait did not end. */
  async function interrupted(args: string[]): Promise<Result> {
    for (let delay = 300; ; delay *= 2) {
      let patience: NodeJS.Timeout | undefined;
      const during = (child: ChildProcess) => {
        setTimeout(() => child.kill('SIGINT'), delay);
        patience = setTimeout(() => child.kill('SIGKILL'), delay + 20_000);
      };
      const result = await run(args, { cwd: folder.path, during, keepsInputOpen: true });
      clearTimeout(patience);
      if (result.signal !== 'SIGINT' || delay > 30_000) return result;
    }
  }

  const at = (path: string) => path.replace('URL', address);
  const waits = [
    ['train', 'pipe'],
    ['train', 'worked.csv', '--test', 'pipe'],
    ['predict', 'pipe', 'worked.csv'],
    ['predict', 'model.json', 'pipe'],
    ['inspect', 'pipe'],
    ['train', 'rows.npy', '--labels', 'pipe'],
    ['train', 'URL/stalled.csv'],
    ['train', 'URL/half.csv'],
    ['predict', 'URL/stalled.json', 'worked.csv'],
    ['predict', 'URL/half.json', 'worked.csv'],
  ];
  test.each(
    someOf(
      waits,
      waits.filter((_, k) => k % 3 === 0),
    ),
  )('%s %s', async (...args) => {
    const result = await interrupted([...args.map(at), '-q']);
    expect(result).toMatchObject({ status: 130, signal: null, stdout: '' });
    expect(result.stderr).toMatch(/: interrupted; nothing was written\n$/);
  });

  test('and a pipe that is written to late is read to its end', async () => {
    const { stdout, stderr } = await shell(
      '(sleep 0.3; cat worked.csv; sleep 0.3; echo 5,5,big) > pipe & $cli inspect pipe',
      {
        cwd: folder.path,
      },
    );
    expect(stderr).toMatch(/^pipe: comma-separated/);
    expect(stdout).toMatch(/^data +pipe: 4 rows × 2 columns/);
  });
});

describe('a named pipe as output', () => {
  beforeAll(async () => void (await shell('mkfifo out', { cwd: folder.path })));

  test('is written to the end for a reader that comes late', async () => {
    const line = '$cli gen xor --rows 50000 -q -o out & sleep 0.5; wc -l < out; wait';
    const { stdout, stderr } = await shell(line, { cwd: folder.path });
    expect({ lines: stdout.trim(), stderr }).toEqual({ lines: '50000', stderr: '' });
  });

  test.each([
    ['gen', 'xor', '-q', '-o', 'out'],
    ['train', 'worked.csv', '-q', '-o', 'out'],
    ['predict', 'model.json', 'worked.csv', '-q', '-o', 'out'],
  ])('without a reader: the first Ctrl-C ends %s', async (command, ...rest) => {
    expect((await here(['train', 'worked.csv', '-o', 'model.json', '-q'])).status).toBe(0);
    for (let delay = command === 'train' ? 1000 : 300; ; delay *= 2) {
      let patience: NodeJS.Timeout | undefined;
      const once = (child: ChildProcess) => {
        setTimeout(() => child.kill('SIGINT'), delay);
        patience = setTimeout(() => child.kill('SIGKILL'), delay + 20_000);
      };
      const result = await run([command, ...rest], { cwd: folder.path, during: once });
      clearTimeout(patience);
      // Too early: the command did not listen to signals yet; or train still trained, and its first Ctrl-C leaves the model to save.
      const isEarly = result.signal === 'SIGINT' || (command === 'train' && result.signal === 'SIGKILL');
      if (isEarly && delay < 30_000) continue;
      const stderr = `perceptron-wasm ${command}: interrupted; nothing was written\n`;
      return expect(result).toEqual({ status: 130, signal: null, stdout: '', stderr });
    }
  });
});

describe('a Ctrl-C as soon as the command listens', () => {
  // Sent by the process to itself: no delay is right on every machine.
  const code =
    "process.on('newListener', (name) => { if (name === 'SIGINT') setImmediate(() => process.emit('SIGINT')); });";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };

  test.each([
    ['gen', 'xor', '-q', '-o', 'unread'],
    ['predict', 'model.json', 'worked.csv', '-q', '-o', 'unread'],
  ])('%s does not wait for the reader of a pipe', async (command, ...rest) => {
    await shell('[ -p unread ] || mkfifo unread', { cwd: folder.path });
    expect((await here(['train', 'worked.csv', '-o', 'model.json', '-q'])).status).toBe(0);
    const stderr = `perceptron-wasm ${command}: interrupted; nothing was written\n`;
    const result = await run([command, ...rest], { cwd: folder.path, env });
    expect(result).toEqual({ status: 130, signal: null, stdout: '', stderr });
  });
});

describe('the reason is the right one', () => {
  test('a link to nothing', async () => {
    symlinkSync('gone.csv', folder.at('dangling.csv'));
    symlinkSync('missing/model.json', folder.at('dangling.json'));
    const because = 'it is a link to gone.csv, which does not exist (ENOENT)';
    expectError(await here(['inspect', 'dangling.csv']), 1, `cannot read dangling.csv: ${because}\n`);
    expectError(
      await here(['train', 'worked.csv', '-q', '-o', 'dangling.json']),
      1,
      `cannot write dangling.json: it is a link to ${folder.at('missing/model.json')}, and the directory ${folder.at('missing')} does not exist\n`,
    );
  });

  test('labels that are numbers, one of them too large', async () => {
    folder.write('large.csv', 'a,k\n1,1\n2,1e999\n');
    const message = 'large.csv: the label "1e999" is too large for a float64';
    expectError(await here(['train', 'large.csv', '--label', 'k', '-q']), 1, message);
    folder.write('words.csv', 'a,k\n1,b\n2,1e999\n');
    expect((await here(['train', 'words.csv', '--label', 'k', '-q'])).status).toBe(0);
  });

  test.skipIf(!existsSync('/dev/full'))('a full disk, at every way of writing', async () => {
    const full = 'no space left on the device (ENOSPC)\n';
    for (const command of ['train worked.csv', 'train worked.csv --json', 'predict m.json worked.csv', '--help']) {
      const line = `$cli train worked.csv -o m.json -q && $cli ${command} > /dev/full 2> err.txt; echo $?`;
      expect((await shell(line, { cwd: folder.path })).stdout).toBe('1\n');
      expect(folder.read('err.txt')).toContain(`: cannot write to standard output: ${full}`);
    }
    const result = await here(['gen', 'xor', '-o', '/dev/full']);
    expectError(result, 1, `cannot write /dev/full: ${full}`);
  });

  test.skipIf(process.platform === 'win32')('a file that may not grow, and nothing of it is left', async () => {
    const result = await shell('ulimit -f 10; $cli gen xor --rows 100000 -o large.txt', { cwd: folder.path });
    expectError(result, 1, 'cannot write large.txt: the file would be larger than is allowed (EFBIG)\n');
    expect(readdirSync(folder.path).filter((name) => /\.tmp$|large\.txt/.test(name))).toEqual([]);
  });
});
