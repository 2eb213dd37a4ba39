// Points to begin with, as small pictures in a row.

import { button, h } from '../ui/dom.js';
import { stamp } from './icons.js';
import { presets } from './presets.js';
import type { Session } from './session.js';

export function presetBar(session: Session): { element: HTMLElement; update(): void } {
  const all = presets.map((preset) => {
    const made = button('', () => session.choose(preset.name), { class: 'preset' });
    made.append(stamp(preset.points, preset.window), h('span', {}, preset.title));
    return { name: preset.name, made };
  });
  return {
    element: h(
      'div',
      { class: 'presets', role: 'group', 'aria-label': 'Points to begin with' },
      ...all.map(({ made }) => made),
    ),
    update() {
      for (const { name, made } of all) made.setAttribute('aria-pressed', String(session.preset === name));
    },
  };
}
