// A spam filter over HTTP.   Start it:  node examples/spam-filter.mjs   Ask it:  curl -d 'Claim your free prize now' localhost:8080

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Perceptron } from 'perceptron-wasm';
import { readTable } from 'perceptron-wasm/io';
import { Pipeline, TextVectorizer } from 'perceptron-wasm/prepare';

const { columns } = await readTable(new URL('messages.csv', import.meta.url));
const perceptron = new Perceptron({ order: 'shuffle', average: true, interceptScaling: 0.1 });
const model = new Pipeline(new TextVectorizer(), perceptron);
model.fit(columns.text, columns.kind);

const server = createServer(async (request, response) => {
  if (Number(request.headers['content-length'] ?? Infinity) > 10_000) return response.writeHead(413).end();
  const message = await text(request);
  const because = model.explain(message, { top: 3 }).map(({ name }) => name);
  response.setHeader('content-type', 'application/json');
  response.end(`${JSON.stringify({ kind: model.predictOne(message), because })}\n`);
});
server.once('listening', () => console.log(`http://127.0.0.1:${server.address().port}`));
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
