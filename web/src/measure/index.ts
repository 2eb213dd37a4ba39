// Measure: how fast is this browser? One button; the library is loaded when it is pressed.

import './measure.css';
import { version } from '../../../package.json';
import { writeAddress } from '../address.js';
import type { Part } from '../part.js';
import { button, h } from '../ui/dom.js';
import { speak } from '../ui/speak.js';
import { machineHere } from './machine.js';
import { FORMAT, type Measurement } from './results.js';
import { showMeasurement } from './show.js';
import { type SizeName, sizeNamed, sizes } from './sizes.js';
import { remarks, story } from './words.js';

/** Those who listen to the page are told of the progress this often. */
const SPEAK_EVERY_MS = 6000;

const OFFERED: readonly SizeName[] = ['quick', 'thorough'];

async function measure(
  size: SizeName,
  signal: AbortSignal,
  onProgress: (what: string, share: number) => void,
): Promise<Measurement> {
  let wasHidden = document.hidden;
  const look = () => {
    wasHidden ||= document.hidden;
  };
  document.addEventListener('visibilitychange', look);
  try {
    const { answer } = await import('./questions.js');
    const machine = machineHere();
    const answers = await answer({ size: sizes[size], machine, signal, onProgress });
    const { rounds } = sizes[size];
    return {
      format: FORMAT,
      library: version,
      date: new Date().toISOString(),
      size,
      rounds,
      machine,
      wasHidden,
      ...answers,
    };
  } finally {
    document.removeEventListener('visibilitychange', look);
  }
}

export const part: Part = {
  show(root, params) {
    let size = sizeNamed(params.get('size'));
    let running: AbortController | undefined;

    const start = button('Measure', () => void run(), { class: 'main' });
    const cancel = button('Cancel', () => running?.abort(), { hidden: true });
    const choices = OFFERED.map((name) => button(sizes[name].title, () => choose(name)));
    const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the measurement' });
    const doing = h('span', { class: 'faint' });
    const progress = h('div', { class: 'measure-progress', hidden: true }, bar, doing);
    const results = h('div');

    const how = h(
      'details',
      { class: 'measure-how', open: true },
      h('summary', {}, 'How it is measured'),
      h(
        'ul',
        {},
        h(
          'li',
          {},
          'Plain JavaScript is the loop that one would write: flat typed arrays, one sum at a time. Nobody has slowed it down.',
        ),
        h(
          'li',
          {},
          'Before anything is timed, all ways must give the same answer to the bit; primal and dual, the same mistakes in every epoch.',
        ),
        h(
          'li',
          {},
          'They take turns, round by round. A ratio is the median of the rounds; its range is their smallest and largest.',
        ),
        h(
          'li',
          {},
          'Browsers round their clocks, so short work is repeated until a sample takes long enough. Code is warmed up first.',
        ),
        h(
          'li',
          {},
          'The data are made up here, from the same seed everywhere. Close other programs for steady numbers.',
        ),
      ),
    );

    function showSize(): void {
      choices.forEach((choice, k) => {
        choice.setAttribute('aria-pressed', String(OFFERED[k] === size));
      });
    }
    function choose(name: SizeName): void {
      size = name;
      showSize();
      writeAddress('measure', new URLSearchParams({ size }));
    }
    function setRunning(isRunning: boolean): void {
      for (const choice of choices) choice.disabled = isRunning;
      start.hidden = isRunning;
      cancel.hidden = !isRunning;
      progress.hidden = !isRunning;
      results.hidden = isRunning;
    }

    async function run(): Promise<void> {
      const controller = new AbortController();
      running = controller;
      let spokenAt = performance.now();
      bar.value = 0;
      doing.textContent = 'Loading the library';
      setRunning(true);
      cancel.focus();
      speak('Measuring.');
      try {
        const measurement = await measure(size, controller.signal, (what, share) => {
          bar.value = share;
          doing.textContent = what;
          if (performance.now() - spokenAt < SPEAK_EVERY_MS) return;
          spokenAt = performance.now();
          speak(`${Math.round(100 * share)} percent.`);
        });
        results.replaceChildren(showMeasurement(measurement));
        how.open = false;
        speak([...story(measurement), ...remarks(measurement)].join(' '));
      } catch (error) {
        if (controller.signal.aborted) {
          results.replaceChildren(h('p', {}, 'Cancelled. Nothing was kept.'));
          if (start.isConnected) speak('Cancelled.'); // whoever opened another part knows
        } else {
          const why = error instanceof Error ? error.message : String(error);
          results.replaceChildren(h('div', { class: 'trouble', role: 'alert' }, `The measurement failed: ${why}`));
        }
      } finally {
        running = undefined;
        setRunning(false);
        if (start.isConnected && (document.activeElement === document.body || document.activeElement === cancel))
          start.focus({ preventScroll: true });
      }
    }

    showSize();
    root.append(
      h('h1', {}, 'How fast is your browser?'),
      h(
        'p',
        { class: 'measure-lead' },
        'The same perceptrons are trained in plain JavaScript and in WebAssembly, in primal and in dual form, on one thread and on many. Nothing leaves your machine.',
      ),
      h(
        'div',
        { class: 'row measure-start' },
        start,
        cancel,
        h('div', { class: 'row', role: 'group', 'aria-label': 'How thorough' }, ...choices),
      ),
      progress,
      results,
      how,
    );
    return {
      update(next) {
        if (running) return;
        size = sizeNamed(next.get('size'));
        showSize();
      },
      close() {
        running?.abort();
      },
    };
  },
};
