// The worker that reads and trains, so that the page never waits: one piece of work after the other, cancelled by a message.

import workerUrl from 'perceptron-wasm/worker.js?url';
import type { Message, Progress, Question } from '../types.js';
import { Session } from './session.js';
import { readingTrouble, trainingTrouble } from './trouble.js';

const session = new Session(new URL(workerUrl, import.meta.url).href);
const underWay = new Map<number, AbortController>();
const tell = (message: Message): void => postMessage(message);

// Held for life: who waits for it learns that this worker is gone. Pages without https have no locks.
const { name: lock } = globalThis as unknown as { name: string };
void navigator.locks?.request(lock, () => {
  tell({ holds: lock });
  return new Promise(() => {});
});

/** Settles when all questions so far are answered. */
let before: Promise<void> = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<Question | { cancel: number }>) => {
  if ('cancel' in data) {
    underWay.get(data.cancel)?.abort();
    return;
  }
  const controller = new AbortController();
  underWay.set(data.id, controller);
  // What cannot even be explained ends this worker, which the page hears of: else all later questions would wait for ever.
  before = before.then(() => answer(data, controller.signal)).catch(reportError);
});

async function answer(question: Question, signal: AbortSignal): Promise<void> {
  const { id } = question;
  try {
    tell({ id, done: await work(question, signal) });
  } catch (error) {
    if (signal.aborted) tell({ id, isCancelled: true });
    else if (question.do === 'read') tell({ id, trouble: await readingTrouble(error, question.request) });
    else tell({ id, trouble: trainingTrouble(error) });
  } finally {
    underWay.delete(id);
  }
}

function work(question: Question, signal: AbortSignal) {
  const context = {
    signal,
    onProgress: (progress: Progress) => tell({ id: question.id, progress }),
  };
  switch (question.do) {
    case 'read':
      return session.read(question.request, context);
    case 'train':
      return session.train(question.data, question.choice, context);
    case 'save':
      return session.save(question.model);
    case 'keep':
      session.keep(question);
      return undefined;
  }
}
