// Model files that never end, or that become more than memory holds: the command ends with an error in one line.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import { expectError, run, useFolder, worked } from './command.js';

const folder = useFolder();
const predict = (model: string) => {
  folder.write('worked.csv', worked.csv);
  // The heap is small: the text as a string would not fit.
  const env = { NODE_OPTIONS: '--max-old-space-size=300' };
  return run(['predict', model, folder.at('worked.csv'), '-q'], { cwd: folder.path, env });
};

const START = '{"type": "perceptron", "weights": [0';
const MORE = ',0.125'.repeat(2 ** 14);

test('a gzip bomb', async () => {
  const member = gzipSync(MORE.repeat(170)); // 16 MB
  folder.write('bomb.json.gz', Buffer.concat([gzipSync(START), ...new Array(80).fill(member)]));
  const because =
    /bomb\.json\.gz is not a valid model: (more than 1073741824 bytes came|.*its numbers take more than 1073741824 bytes of memory): decompress it, or save it as a file first/;
  expectError(await predict('bomb.json.gz'), 1, because);
});

test.runIf(existsSync('/dev/zero'))('/dev/zero', async () => {
  expectError(await predict('/dev/zero'), 1, /\/dev\/zero is not a valid model: this is binary data, expected text/);
});

test('an http response that never ends', async () => {
  const server = createServer((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(MORE));
    };
    response.on('drain', more);
    response.write(START);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.json`;
    expectError(await predict(url), 1, /is not a valid model: .*more than 1073741824 bytes/);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
