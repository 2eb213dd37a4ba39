// The outcome in one sentence, the numbers that matter, and who did the work.

import { h } from '../../ui/dom.js';
import { counted, duration, number, percent } from '../../ui/numbers.js';
import type { Accuracy, Results } from '../types.js';

const share = ({ right, rows }: Accuracy): string => percent(right / rows);

/** What one tells a friend. */
export function headline({ report, training, heldOut, choice, classes }: Results): string {
  const isBent = choice.trainer === 'dual' && choice.kernel !== 'linear';
  const all = training.rows === training.right;
  const isStopped = report.stopReason === 'aborted';
  if (heldOut) {
    // How it does on new rows is what counts; those that it trained on flatter it.
    const begin = isStopped ? 'Stopped. So far it is right' : 'Right';
    return `${begin} on ${share(heldOut)} of ${counted(heldOut.rows, 'row')} held out, and on ${share(training)} of those it trained on.`;
  }
  if (isStopped) return `Stopped. So far it is right on ${share(training)} of the rows.`;
  if (report.converged && all) {
    const rows = counted(training.rows, 'row');
    return classes.length > 2
      ? `Separated. ${isBent ? 'Bent' : 'Straight'} borders tell all ${rows} of ${classes.length} classes apart.`
      : `Separated. A ${isBent ? 'bent' : 'straight'} border splits all ${rows}.`;
  }
  return `Right on ${number(training.right)} of ${counted(training.rows, 'row')} (${share(training)}).`;
}

const ENGINES = {
  'wasm-simd': 'WebAssembly (SIMD)',
  'wasm-scalar': 'WebAssembly',
  js: 'plain JavaScript',
};

/** Who did the work. */
function engineSentence({ report, fitMs }: Results): string {
  const { engine, threads, threadsReason } = report;
  const by = `Trained in ${duration(fitMs)} by ${ENGINES[engine]}, on ${counted(threads, 'thread')}.`;
  if (engine === 'js') {
    return `${by} WebAssembly is forbidden or missing here: that is slower, and the result is the same to the bit.`;
  }
  const isAlone = /isolated/.test(threadsReason ?? '');
  return isAlone ? `${by} More threads need a host that isolates the page; the result would be the same.` : by;
}

/** Why it was not faster, in the library's words, for those who can do something about it. */
function whyView({ report: { engineReason, threadsReason } }: Results): HTMLElement | undefined {
  const reasons = [engineReason, threadsReason].filter((reason) => reason !== undefined);
  if (reasons.length === 0) return undefined;
  return h(
    'details',
    { class: 'data-why' },
    h('summary', {}, 'Why?'),
    h('p', { class: 'faint' }, `${reasons.join('; ')}.`),
  );
}

export function storyView(results: Results): HTMLElement {
  const { report, training, heldOut, choice } = results;
  const facts: (readonly [string, string])[] = [
    ['right on training rows', share(training)],
    ...(heldOut ? [[`right on ${counted(heldOut.rows, 'row')} held out`, share(heldOut)] as const] : []),
    ['mistakes corrected', number(report.mistakes)],
    [report.epochs === 1 ? 'pass' : 'passes', number(report.epochs)],
  ];
  return h(
    'div',
    { class: 'card data-story' },
    h(
      'dl',
      { class: 'data-facts' },
      ...facts.map(([name, value]) => h('div', {}, h('dt', { class: 'faint' }, name), h('dd', {}, value))),
    ),
    h('p', {}, results.story),
    choice.heldout > 0 &&
      !heldOut &&
      h('p', { class: 'data-doubt' }, 'There are too few rows to hold some out: all of them were trained on.'),
    h('p', { class: 'faint' }, engineSentence(results)),
    whyView(results),
  );
}
