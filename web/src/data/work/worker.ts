// The worker that reads and trains, so that the page never waits: one piece of work at a time, cancelled by a message.

import workerUrl from 'perceptron-wasm/worker.js?url';
import type { Message, Question } from '../types.js';
import { Session } from './session.js';
import { readingTrouble, trainingTrouble } from './trouble.js';

const session = new Session(new URL(workerUrl, import.meta.url).href);
const underWay = new Map<number, AbortController>();
const tell = (message: Message): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<Question | { cancel: number }>) => {
  if ('cancel' in data) underWay.get(data.cancel)?.abort();
  else void answer(data);
});

async function answer(question: Question): Promise<void> {
  const { id } = question;
  const controller = new AbortController();
  const { signal } = controller;
  underWay.set(id, controller);
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
    onProgress: (progress: import('../types.js').Progress) => tell({ id: question.id, progress }),
  };
  switch (question.do) {
    case 'read':
      return session.read(question.request, context);
    case 'train':
      return session.train(question.choice, context);
    case 'model':
      return session.model();
  }
}
