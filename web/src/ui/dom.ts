// Elements in one expression. No innerHTML anywhere: what comes from a file is text.

type Child = Node | string | number | undefined | null | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  for (const child of children) {
    if (child !== undefined && child !== null && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
  return element;
}

/** true: present and empty; false and undefined: absent. There is no `style`: the page's policy forbids it; use a class, or `element.style`. */
export function setAttribute(element: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** A button with its action. */
export function button(text: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = h('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', action);
  return made;
}
