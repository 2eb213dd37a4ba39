// Learn: the first thing that is seen. One session, and the parts of the screen that follow it.

import '../ui/chart.css';
import './panels/panels.css';
import './learn.css';
import { addressOf, embedded, linkTo, writeAddress } from '../address.js';
import type { Part } from '../part.js';
import { h } from '../ui/dom.js';
import { speak } from '../ui/speak.js';
import { controls } from './controls.js';
import { drawer } from './drawer.js';
import { editable } from './editing.js';
import { pointEditor } from './editor.js';
import { explain } from './explain.js';
import { fold } from './fold.js';
import { narrator } from './narrator.js';
import { curvePanel } from './panels/curve.js';
import { planeView } from './plane.js';
import { HELP_ID, keysAlone, pointList } from './pointlist.js';
import { presetBar } from './presetbar.js';
import { type Cause, Session, SPEEDS } from './session.js';
import { plainAddress, shareButton } from './share.js';
import { readState, writeState } from './state.js';
import { tools } from './tools.js';
import { type Offer, sentenceAt } from './words.js';

/** Faster than this nobody sees a line move. */
const FASTEST_MOVING = 5;
const ADDRESS_MS = 200;

export const part: Part = {
  show(root, params) {
    const session = new Session(readState(params));
    const view = planeView(HELP_ID);
    const editor = pointEditor(session, view, () => draw(false));
    editable(view, editor);
    const bar = controls(session);
    const below = tools({
      label: (label) => editor.setLabel(label),
      add: () => editor.addInMiddle(),
      flip: () => editor.selected !== undefined && editor.flip(editor.selected),
      remove: () => editor.selected !== undefined && editor.remove(editor.selected),
    });
    const curve = curvePanel();
    const words = explain(session, accept);
    const list = pointList(session);
    const ready = presetBar(session);
    const more = drawer(session);
    const address = () => plainAddress(addressOf('learn', writeState(session.state)));
    const narrate = narrator(session);
    const stillness = matchMedia('(prefers-reduced-motion: reduce)');

    function accept(offer: Offer): void {
      if (offer.preset) session.choose(offer.preset);
      if (offer.setup) session.change(offer.setup);
      speak(sentenceAt(session.trace, session.steps));
      // The button that was pressed is gone: go on where the next one is.
      bar.main.querySelector('button')?.focus({ preventScroll: true });
      if (offer.setup) session.play();
    }

    const plane = h('div', { class: 'plane' }, ...view.layers);
    const open = h('a', { class: 'open', target: '_blank', rel: 'noopener' }, 'Open in the playground');
    const folds = [
      fold('Points to begin with', 'learn-presets', ready.element),
      fold('The numbers and the curve', 'learn-panels', words.numbers, curve.element),
    ] as const;
    const screen = h(
      'div',
      { class: embedded ? 'learn embedded' : 'learn' },
      h('h1', { class: 'unseen' }, 'Watch a perceptron learn'),
      h('div', { class: 'learn-bar' }, bar.main, ...(embedded ? [open] : [bar.more, shareButton(address)])),
      h('section', { class: 'learn-plane', 'aria-label': 'The plane' }, plane),
      h(
        'section',
        { class: 'learn-side', 'aria-label': 'What just happened' },
        words.sentence,
        embedded ? words.numbers : folds[1].element,
      ),
      ...(embedded ? [keysAlone()] : [below.element, folds[0].element, more.element, list.element]),
    );

    let timer: ReturnType<typeof setTimeout> | undefined;
    function draw(isMoving: boolean): void {
      const { trace, steps, window, seedLines } = session;
      const others = seedLines.filter(({ converged }) => converged).map(({ plane: line }) => line);
      view.update({ trace, steps, window, others, selected: editor.selected }, isMoving && !stillness.matches);
      below.update(trace.setup.points, editor.label, editor.selected);
    }

    function update(cause: Cause): void {
      // Whoever goes on with the steps is done with the point.
      if (!['setup', 'mode', 'seeds'].includes(cause) && !view.hasFocus()) editor.forget();
      const isSlow = (SPEEDS[session.speed] ?? 1) <= FASTEST_MOVING;
      draw(cause === 'step' || (isSlow && (cause === 'play' || cause === 'end')));
      screen.classList.toggle('fresh', session.steps === 0 && !session.isPlaying);
      for (const each of [bar, words, list, ready, more]) each.update();
      curve.update(session.trace, session.steps);
      narrate(cause);
      clearTimeout(timer);
      timer = setTimeout(() => {
        writeAddress('learn', writeState(session.state));
        open.setAttribute('href', address());
      }, ADDRESS_MS);
    }

    const size = new ResizeObserver(([entry]) => {
      if (entry) view.resize(entry.contentRect.width, entry.contentRect.height);
    });
    size.observe(plane);
    const shortcuts: Readonly<Record<string, () => void>> = {
      s: () => session.step(),
      p: () => (session.isPlaying ? session.pause() : session.play()),
      r: () => session.reset(),
    };
    screen.addEventListener('keydown', (event) => {
      // Where the focus is on what they are about, and nothing is being typed.
      const target = event.target as Element;
      if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input[type=text]')) return;
      const act = target.closest('.plane, .learn-bar') ? shortcuts[event.key.toLowerCase()] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    });
    session.listen(update);
    root.append(screen);
    update('mode');

    return {
      update(next) {
        editor.forget();
        session.load(readState(next));
      },
      close() {
        clearTimeout(timer);
        // The address is another part's by now; the way back leads to what was shown last.
        linkTo('learn', addressOf('learn', writeState(session.state)));
        size.disconnect();
        view.close();
        bar.close();
        for (const each of folds) each.close();
        session.close();
      },
    };
  },
};
