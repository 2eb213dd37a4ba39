// The worker that reads and trains, so that the page never waits: one piece of work after the other, cancelled by a message.

import { createEngine } from 'perceptron-wasm';
import workerUrl from 'perceptron-wasm/worker.js?url';
import type { Cancel, Message, Progress, Question } from '../types.js';
import { Session } from './session.js';
import { readingTrouble, trainingTrouble } from './trouble.js';

const session = new Session(new URL(workerUrl, import.meta.url).href);
/** What ends a question, and what says that nobody wants its answer. */
interface Ends {
  readonly end: AbortController;
  readonly drop: AbortController;
}
const underWay = new Map<number, Ends>();
const tell = (message: Message): void => postMessage(message);

// Held for life: who waits for it learns that this worker is gone. Pages without https have no locks.
const { name: lock } = globalThis as unknown as { name: string };
void navigator.locks?.request(lock, () => {
  tell({ holds: lock });
  return new Promise(() => {});
});

function hasSimd(): boolean {
  try {
    return createEngine({ kind: 'wasm-simd' }).kind === 'wasm-simd';
  } catch {
    return false;
  }
}

/** Settles when all questions so far are answered. The first one waits for scalar WebAssembly in a browser without SIMD. */
let before: Promise<unknown> = hasSimd() ? Promise.resolve() : import('perceptron-wasm/scalar').catch(reportError);

addEventListener('message', ({ data }: MessageEvent<Question | Cancel>) => {
  if ('cancel' in data) {
    const ends = underWay.get(data.cancel);
    ends?.end.abort();
    if (data.isDropped) ends?.drop.abort();
    return;
  }
  const ends = { end: new AbortController(), drop: new AbortController() };
  underWay.set(data.id, ends);
  // What cannot even be explained ends this worker, which the page hears of: else all later questions would wait for ever.
  before = before.then(() => answer(data, ends)).catch(reportError);
});

async function answer(question: Question, ends: Ends): Promise<void> {
  const { id } = question;
  try {
    tell({ id, done: await work(question, ends) });
  } catch (error) {
    if (ends.end.signal.aborted) tell({ id, isCancelled: true });
    else if (question.do === 'read') tell({ id, trouble: await readingTrouble(error, question.request) });
    else if (question.do === 'predict')
      tell({ id, trouble: await readingTrouble(error, { file: question.file, ignore: [] }) });
    else tell({ id, trouble: trainingTrouble(error) });
  } finally {
    underWay.delete(id);
  }
}

function work(question: Question, { end, drop }: Ends) {
  const context = {
    signal: end.signal,
    dropped: drop.signal,
    onProgress: (progress: Progress) => tell({ id: question.id, progress }),
  };
  switch (question.do) {
    case 'read':
      return session.read(question.request, context);
    case 'train':
      return session.train(question.data, question.choice, context);
    case 'save':
      return session.save(question.model);
    case 'try':
      return session.try(question.model, question.cells);
    case 'predict':
      return session.predict(question.model, question.file, context);
    case 'calibrate':
      return session.calibrate(question.model, context);
    case 'keep':
      session.keep(question);
      return undefined;
  }
}
