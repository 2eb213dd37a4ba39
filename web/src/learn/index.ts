// Learn: the first thing that is seen. One session, and the parts of the screen that follow it.

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
import { letterKeys } from './keys.js';
import { narrator } from './narrator.js';
import { opening } from './opening.js';
import { epochPanel } from './panels/epochs.js';
import { planeView } from './plane.js';
import { HELP_ID, keysAlone, pointList } from './pointlist.js';
import { presetBar } from './presetbar.js';
import { type Cause, Session, SPEEDS } from './session.js';
import { plainAddress, shareButton } from './share.js';
import { readState, writeState } from './state.js';
import { tools } from './tools.js';
import { tourBar } from './tourbar.js';
import type { Setup } from './types.js';
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
    const epochs = epochPanel();
    const tour = tourBar(session, watch);
    const words = explain(session, accept);
    const list = pointList(session);
    const ready = presetBar(session);
    const more = drawer(session);
    const address = () => plainAddress(addressOf('learn', writeState(session.state)));
    const narrate = narrator(session);
    const stillness = matchMedia('(prefers-reduced-motion: reduce)');

    function accept(offer: Offer): void {
      // The button that was pressed is going: go on where the next one is.
      bar.main.querySelector('button')?.focus({ preventScroll: true });
      if (offer.preset) session.choose(offer.preset);
      if (offer.setup) watch(offer.setup);
      else speak(sentenceAt(session.trace, session.steps));
    }

    /** Learns otherwise, and shows it. */
    function watch(setup: Partial<Setup>): void {
      session.change(setup);
      speak(sentenceAt(session.trace, session.steps));
      session.play();
    }

    const plane = h('div', { class: 'plane' }, ...view.layers);
    const open = h('a', { class: 'open', target: '_blank', rel: 'noopener' }, 'Open in the playground');
    const numbers = fold('The numbers, and the mistakes by epoch', 'learn-panels', words.numbers, epochs.element);
    const screen = h(
      'div',
      { class: embedded ? 'learn embedded' : 'learn' },
      h(
        'h1',
        { class: embedded ? 'unseen' : 'lead' },
        'A perceptron is the simplest machine that learns: it looks for a line between blue and orange points, and turns the line at every mistake.',
      ),
      tour.row,
      h(
        'div',
        { class: 'learn-bar' },
        h('div', { class: 'controls' }, bar.main, embedded ? undefined : bar.more),
        embedded ? open : shareButton(address),
      ),
      h('section', { class: 'learn-plane', 'aria-label': 'The plane' }, plane),
      h(
        'section',
        { class: 'learn-side', 'aria-label': 'What just happened' },
        tour.card,
        words.sentence,
        embedded ? words.numbers : numbers.element,
      ),
      ...(embedded ? [keysAlone()] : [ready.element, below.element, more.element, list.element]),
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
      for (const each of [bar, words, list, ready, more, tour]) each.update();
      epochs.update(session.trace, session.steps);
      narrate(cause);
      clearTimeout(timer);
      // Until somebody does something it is the page that was asked for.
      const isAsked = session.opening !== undefined;
      timer = setTimeout(() => {
        if (!isAsked) writeAddress('learn', writeState(session.state));
        open.setAttribute('href', address());
      }, ADDRESS_MS);
    }

    const size = new ResizeObserver(([entry]) => {
      if (entry) view.resize(entry.contentRect.width, entry.contentRect.height);
    });
    size.observe(plane);
    session.listen(update);
    root.append(screen);
    update('mode');
    const ends = [letterKeys(session), opening(session, params)];

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
        numbers.close();
        for (const end of ends) end();
        session.close();
      },
    };
  },
};
