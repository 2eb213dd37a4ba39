// What the shell knows of a part of the page.

/** A part of the page. */
export interface Part {
  /** Shows itself in an element that is empty, as the parameters of the address say. */
  show(root: HTMLElement, params: URLSearchParams): Shown;
}

export interface Shown {
  /** The address was changed by hand, or by a link. */
  update(params: URLSearchParams): void;
  /** Another part is shown: timers, listeners on the window and work under way end. */
  close(): void;
}
