// The shell: which part is shown, by the address. Each part is a file of its own, loaded when it is opened.

import './style/base.css';
import { addressOf, embedded, PARTS, type PartName, readAddress, titles } from './address.js';
import type { Part, Shown } from './part.js';
import { h } from './ui/dom.js';

const load: Record<PartName, () => Promise<{ part: Part }>> = {
  learn: () => import('./learn/index.js'),
  data: () => import('./data/index.js'),
  measure: () => import('./measure/index.js'),
};

const main = document.querySelector('main') as HTMLElement;
let shown: ({ name: PartName } & Shown) | undefined;
let wanted: PartName | undefined;

async function open(): Promise<void> {
  const { name, params } = readAddress();
  if (shown?.name === name) return shown.update(params);
  if (wanted === name) return; // on its way; it reads the address when it has come
  const isFirst = wanted === undefined;
  wanted = name;
  document.title = `${titles[name]} · Perceptron playground`;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === addressOf(name)) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  main.setAttribute('aria-busy', 'true');
  try {
    const { part } = await load[name]();
    if (wanted !== name) return; // somebody was quicker
    shown?.close();
    shown = undefined;
    main.replaceChildren();
    main.className = `part-${name}`;
    shown = { name, ...part.show(main, readAddress().params) };
    // A reader of the screen is told that there is something new; at the beginning the page itself is news enough.
    if (!isFirst) main.focus({ preventScroll: true });
  } catch (error) {
    wanted = undefined;
    shown?.close();
    shown = undefined;
    const again = h('button', { type: 'button' }, 'Try again');
    again.addEventListener('click', () => void open());
    const why = h('p', {}, `“${titles[name]}” could not be loaded: ${(error as Error).message}`);
    main.replaceChildren(h('div', { class: 'trouble', role: 'alert' }, why, again));
  } finally {
    main.removeAttribute('aria-busy');
  }
}

if (embedded) document.documentElement.classList.add('embed');
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault(); // the address belongs to the parts
  main.focus();
});
addEventListener('hashchange', () => void open());
if (!PARTS.some((name) => location.hash.startsWith(addressOf(name))))
  history.replaceState(null, '', addressOf('learn'));
void open();
