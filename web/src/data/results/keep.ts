// The model to keep, and the command that makes the same one.

import { copyButton } from '../../ui/copy.js';
import { button, h } from '../../ui/dom.js';
import { bytes } from '../../ui/numbers.js';
import { save } from '../../ui/save.js';
import { speak } from '../../ui/speak.js';
import { commandFor, modelName } from '../commandline.js';
import { troubleBox, troubleOf } from '../troublebox.js';
import type { ReadRequest, Results } from '../types.js';

/** The command names a file, which whoever pasted rows or took an example does not have yet. */
function fileView({ file, origin }: ReadRequest): HTMLElement | undefined {
  if (origin === undefined) return undefined;
  const sentence =
    origin === 'pasted'
      ? 'The pasted rows are in no file yet: save them first, where you run the command.'
      : 'The example is not on your disk yet: save it first, where you run the command.';
  return h(
    'p',
    { class: 'row' },
    h('span', {}, sentence),
    button(`Save ${file.name}`, () => save(file, file.name)),
  );
}

export function keepView(results: Results, request: ReadRequest, download: () => Promise<Blob>): HTMLElement {
  const { summary, choice, report, heldOut } = results;
  const name = modelName(summary.file);
  // The command refuses to hold rows out where that cannot be.
  const command = commandFor(heldOut ? choice : { ...choice, heldout: 0 }, summary, request);
  const said = h('div', { class: 'data-saved' });
  const get = button('Download the model', () => void keep(), { class: 'main' });
  async function keep(): Promise<void> {
    try {
      const blob = await download();
      save(blob, name);
      const sentence = `Saved as ${name}, ${bytes(blob.size)}.`;
      said.replaceChildren(h('p', { class: 'faint' }, sentence));
      speak(sentence);
    } catch (error) {
      said.replaceChildren(troubleBox(troubleOf(error), () => {}, undefined));
    }
  }
  // Words are not broken, least of all behind a dash.
  const words = command.split(' ').flatMap((word) => [h('span', {}, word), ' ']);
  const code = h('code', {}, ...words.slice(0, -1));
  const differs =
    report.stopReason === 'aborted'
      ? 'The command trains to the end; here it was stopped.'
      : 'It makes the same file, to the bit.';
  const isBent = choice.trainer === 'dual';
  return h(
    'div',
    { class: 'card data-keep' },
    h('h3', {}, 'Keep it'),
    h(
      'div',
      { class: 'row' },
      get,
      h('span', { class: 'faint' }, `${name}: JSON, for perceptron-wasm predict or loadModel`),
    ),
    isBent && h('p', { class: 'faint' }, 'A kernel model holds rows of your data. Think before you share it.'),
    said,
    h('h3', {}, 'The same on the command line'),
    fileView(request),
    h(
      'div',
      { class: 'data-command' },
      h('pre', { tabindex: 0, 'aria-label': 'Command' }, code),
      copyButton('Copy', () => command),
    ),
    h('p', { class: 'faint' }, differs),
  );
}
