// What the thread of a page was busy with, as the browser itself noted it.

import type { Page } from 'playwright-core';

export interface Traced<T> {
  readonly answer: T;
  /** Processor time of each task of the page's thread, in ms: other programs, and other tests, do not lengthen it. */
  readonly busyMs: number[];
}

interface Event {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args: { readonly name?: string };
  /** Processor time, in microseconds. */
  readonly tdur?: number;
}

/** Does some work, and notes what the page was busy with meanwhile. */
export async function traced<T>(page: Page, work: () => Promise<T>): Promise<Traced<T>> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel'] });
  let answer: T;
  let trace: Buffer;
  try {
    answer = await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: Event[] };
  const threadOf = ({ pid, tid }: Event): string => `${pid} ${tid}`;
  const named = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const mains = new Set(named.map(threadOf));
  const tasks = events.filter((event) => event.tdur !== undefined && mains.has(threadOf(event)));
  return { answer, busyMs: tasks.map(({ tdur = 0 }) => tdur / 1000) };
}
