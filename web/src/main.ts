// The shell: which part is shown, by the address. Each part is a file of its own, loaded when it is opened.

import './style/base.css';
import { addressOf, embedded, linkTo, PARTS, type PartName, readAddress, titles } from './address.js';
import type { Part, Shown } from './part.js';
import { button, h, setAttribute } from './ui/dom.js';

const load: Record<PartName, () => Promise<{ part: Part }>> = {
  learn: () => import('./learn/index.js'),
  data: () => import('./data/index.js'),
  measure: () => import('./measure/index.js'),
};

const main = document.querySelector('main') as HTMLElement;
let shown: ({ name: PartName } & Shown) | undefined;
/** What the address asked for last. */
let wanted: PartName | undefined;

/** Says which part this is: to those who see the page, to those who hear it, and in the history. */
function entitle(name: PartName): void {
  wanted = name;
  document.title = `${titles[name]} · Perceptron playground`;
  linkTo(name, location.hash);
  for (const link of document.querySelectorAll<HTMLElement>('nav a')) {
    setAttribute(link, 'aria-current', link.dataset.part === name && 'page');
  }
}

async function open(): Promise<void> {
  const { name, params } = readAddress();
  const isFirst = wanted === undefined;
  entitle(name);
  if (shown?.name === name) {
    main.removeAttribute('aria-busy'); // whatever was on its way is not waited for any more
    return shown.update(params);
  }
  main.setAttribute('aria-busy', 'true');
  try {
    const { part } = await load[name]();
    if (wanted !== name || shown?.name === name) return; // somebody was quicker
    shown?.close();
    shown = undefined;
    main.replaceChildren();
    main.className = `part-${name}`;
    shown = { name, ...part.show(main, readAddress().params) };
    // A reader of the screen is told that there is something new; at the beginning the page itself is news enough.
    if (!isFirst) main.focus({ preventScroll: true });
  } catch (error) {
    if (wanted !== name) return; // nobody waits for it any more
    shown?.close();
    shown = undefined;
    const again = button('Try again', () => void open());
    const why = h('p', {}, `“${titles[name]}” could not be loaded: ${(error as Error).message}`);
    main.replaceChildren(h('div', { class: 'trouble', role: 'alert' }, why, again));
  } finally {
    if (wanted === name) main.removeAttribute('aria-busy');
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
