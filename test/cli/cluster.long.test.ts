// worker, tune --cluster and train --shards: what the commands print and write is what they print and write without a cluster.

import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program, type Server, startRedis } from '../cluster/redis.js';
import { cli, expectError, run, useFolder } from './command.js';

const folder = useFolder();
const line = (i: number) => `${(i % 7) - 3 + (i % 2)},${(i % 5) - 2},${i % 2 ? 'spam' : 'ham'}`;

beforeAll(() => {
  folder.write('rows.csv', `a,b,kind\n${Array.from({ length: 60 }, (_, i) => line(i)).join('\n')}\n`);
  folder.write(
    'table.csv',
    `age,town,kind\n${Array.from({ length: 60 }, (_, i) => `${i % 9 ? 20 + (i % 30) : ''},${i % 3 ? 'Ulm' : 'Bonn'},${i % 2 ? 'spam' : 'ham'}`).join('\n')}\n`,
  );
  for (let k = 0; k < 3; k++)
    folder.write(
      `part-${k}.svm`,
      Array.from({ length: 30 }, (_, i) => `${(i + k) % 2} 1:${((i + k) % 2) + (i % 3)} 3:${i % 5}\n`).join(''),
    );
});

describe.runIf(program)('with a cluster', () => {
  let server: Server;
  let worker: ChildProcess;
  const said: string[] = [];
  const env = () => ({ PERCEPTRON_REDIS: server.url });

  beforeAll(async () => {
    server = await startRedis();
    worker = spawn(process.execPath, [cli, 'worker', '--data-root', folder.path, '--threads', '1'], {
      env: { PATH: process.env.PATH, ...env() },
    });
    await new Promise<void>((resolve) => {
      worker.stderr?.on('data', (chunk) => {
        said.push(String(chunk));
        resolve();
      });
    });
    expect(said.join()).toMatch(/^worker .+:\d+:1 of version \S+ waits for jobs; their files are below /);
  });
  afterAll(async () => {
    worker.kill('SIGTERM');
    worker.kill('SIGTERM'); // npx passes on what the terminal has sent to both: they count as one
    expect(await new Promise((resolve) => worker.once('exit', resolve))).toBe(0);
    expect(said.join()).toContain('it takes no more jobs');
    await server.end();
  });

  test.each([
    ['rows of numbers', ['rows.csv', '--grid', 'margin=0,1', '--grid', 'scale=none,standardize,unit-ball']],
    ['a table', ['table.csv', '--grid', 'average=true,false', '--missing', 'median']],
  ])('tune has the same scores: %s', async (_, args) => {
    const all = ['tune', ...args, '--label', 'kind', '--json', '-q'];
    const [here, there] = [
      await run(all, { cwd: folder.path }),
      await run([...all, '--cluster', 'env'], { cwd: folder.path, env: env() }),
    ];
    expect(there.stderr).toBe('');
    expect(JSON.parse(there.stdout)).toEqual(JSON.parse(here.stdout));
  });

  test('train --shards writes the same file', async () => {
    const all = ['train', '--shards', 'part-*.svm', '--classes', '0,1', '--cols', '4', '--epochs', '5'];
    const here = await run([...all, '-o', 'here.json'], { cwd: folder.path });
    const there = await run([...all, '-o', 'there.json', '--cluster', server.url, '--run', 'r1'], { cwd: folder.path });
    expect(there.stdout).toBe(here.stdout.replace('here.json', 'there.json'));
    expect(here.stdout).toMatch(
      /^mixed 3 shards of 90 rows: (not )?separated after \d epochs? and \d+ mistakes?; saved as here.json\n$/,
    );
    expect(folder.read('there.json')).toBe(folder.read('here.json'));
    expect((await run(['predict', 'here.json', 'part-0.svm', '-q'], { cwd: folder.path })).status).toBe(0);
    const again = await run([...all, '--cluster', server.url, '--run', 'r1', '--resume'], { cwd: folder.path });
    expectError(
      { ...again, stderr: again.stderr.split('\n').slice(1).join('\n') },
      1,
      /Redis does not know the run r1: it has ended/,
    );
  });
});

test.each<[string, string[], RegExp]>([
  ['no address', ['worker', '--data-root', '.'], /--redis needs the address of Redis.*PERCEPTRON_REDIS/],
  ['no data root', ['worker', '--redis', 'redis://127.0.0.1:1'], /--data-root DIR is missing/],
  ['no classes', ['train', '--shards', 'part-*.svm', '--cols', '4'], /--shards needs --classes/],
  ['no columns', ['train', '--shards', 'part-*.svm', '--classes', '0,1'], /--shards needs --cols/],
  ['both kinds of data', ['train', 'rows.csv', '--shards', 'part-*.svm'], /DATA and --shards cannot be combined/],
  ['an option of one file', ['train', 'rows.csv', '--resume'], /--resume needs --shards/],
  [
    'a resumed run without its name',
    ['train', '--shards', 'part-*.svm', '--classes', '0,1', '--cols', '4', '--cluster', 'redis://h', '--resume'],
    /--resume needs the --run/,
  ],
])('wrong usage is named: %s', async (_, args, message) => {
  expectError(await run(args, { cwd: folder.path }), 2, message);
});

test('a pattern that matches nothing, and a server that is not there, are errors in one line', async () => {
  const shards = ['train', '--classes', '0,1', '--cols', '4', '-q', '--shards'];
  expectError(await run([...shards, 'none-*.svm'], { cwd: folder.path }), 1, /no file here matches none-\*.svm/);
  expectError(
    await run([...shards, 'part-*.svm', '--cluster', 'redis://127.0.0.1:1'], { cwd: folder.path }),
    1,
    /Redis at redis:\/\/127.0.0.1:1 cannot be reached/,
  );
});
