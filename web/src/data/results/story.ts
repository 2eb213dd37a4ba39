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
  // How it does on new rows is what counts; those that it trained on flatter it.
  if (heldOut) return `Right on ${share(heldOut)} of ${counted(heldOut.rows, 'row')} it had not seen.`;
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
  const { report, training, heldOut, notHeldOut } = results;
  const facts: (readonly [string, string])[] = [
    ...(heldOut ? [[`right on ${counted(heldOut.rows, 'row')} held out`, share(heldOut)] as const] : []),
    ['right on training rows', share(training)],
    ['mistakes corrected', number(report.mistakes)],
    [report.epochs === 1 ? 'epoch' : 'epochs', number(report.epochs)],
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
    heldOut &&
      h(
        'p',
        {},
        `This model has learned from all ${counted(training.rows, 'row')}. To judge it, another one was trained without the ${number(heldOut.rows)}.`,
      ),
    notHeldOut !== undefined &&
      h(
        'p',
        { class: 'data-doubt' },
        `No rows were held out to judge it by: ${notHeldOut}. On new rows it may do worse.`,
      ),
    h('p', { class: 'faint' }, engineSentence(results)),
    whyView(results),
  );
}
