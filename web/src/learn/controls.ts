// Step, play, reset; what a step is, and how fast they come.

import { button, h } from '../ui/dom.js';
import { counted } from '../ui/numbers.js';
import { icon } from './icons.js';
import { type Session, SPEEDS, type StepBy } from './session.js';

export interface Controls {
  /** The buttons of every moment, and how they step and play: on a phone they stick to the lower edge. */
  readonly main: HTMLElement;
  readonly more: HTMLElement;
  update(): void;
}

export function controls(session: Session): Controls {
  const stepText = h('span');
  const step = button('', () => session.step(), { class: 'main step', 'aria-keyshortcuts': 'S' });
  step.append(icon('step'), stepText, keyOf('S'));
  const playText = h('span');
  const playIcon = h('span', { class: 'icon-place' });
  const play = button('', () => (session.isPlaying ? session.pause() : session.play()), { 'aria-keyshortcuts': 'P' });
  play.append(playIcon, playText, keyOf('P'));
  const reset = button('', () => session.reset(), { 'aria-keyshortcuts': 'R' });
  reset.append(icon('reset'), h('span', {}, 'Reset'), keyOf('R'));

  const kinds = (['mistake', 'sample'] as const).map((kind) => stepKind(session, kind));
  const steps = h('fieldset', { class: 'step-by' }, h('legend', {}, 'Step to'), ...kinds.map(({ element }) => element));
  const speed = h('input', { type: 'range', id: 'speed', min: 0, max: SPEEDS.length - 1, step: 1 });
  speed.addEventListener('input', () => session.mode({ speed: Number(speed.value) }));
  const speedText = h('output', { for: 'speed', class: 'number faint' });

  return {
    main: h('div', { class: 'main-controls', role: 'group', 'aria-label': 'Learning' }, step, play, reset),
    more: h(
      'div',
      { class: 'more-controls' },
      steps,
      h('div', { class: 'speed' }, h('label', { for: 'speed' }, 'Speed'), speed, speedText),
    ),
    update() {
      const { isPlaying, isAtEnd, steps: done, trace } = session;
      stepText.textContent = 'Step';
      // Disabled it would lose the focus of who is stepping by keyboard.
      step.setAttribute('aria-disabled', String(isAtEnd));
      // One invitation at a time.
      step.classList.toggle('main', !isAtEnd && !session.offer && !(session.tour && session.hasSaidAll));
      playText.textContent = isPlaying ? 'Pause' : 'Play';
      playIcon.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
      play.setAttribute('aria-disabled', String(trace.steps.length === 0));
      reset.setAttribute('aria-disabled', String(done === 0));
      for (const kind of kinds) kind.update();
      speed.value = String(session.speed);
      const rate = SPEEDS[session.speed] ?? 1;
      speedText.textContent = `${rate} a second`;
      speed.setAttribute('aria-valuetext', `${counted(rate, 'step')} a second`);
    },
  };
}

/** The letter on a button; `aria-keyshortcuts` says it to those who hear it. */
const keyOf = (letter: string): HTMLElement => h('kbd', { 'aria-hidden': 'true' }, letter);

function stepKind(session: Session, kind: StepBy): { element: HTMLElement; update(): void } {
  const input = h('input', { type: 'radio', name: 'step-by', value: kind });
  input.addEventListener('change', () => session.mode({ stepBy: kind }));
  return {
    element: h(
      'label',
      { class: 'segment' },
      input,
      h('span', { class: 'next' }, 'next '),
      kind === 'mistake' ? 'mistake' : 'point',
    ),
    update() {
      input.checked = session.stepBy === kind;
      // In orders other than the list's own only the mistakes are known.
      input.disabled = kind === 'sample' && !session.trace.hasSamples;
    },
  };
}
