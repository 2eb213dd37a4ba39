// The keyboard's place, where what it is on is made anew: whoever changes how a file is taken goes on from the same control.

export interface FocusKeeper {
  /** Before anything is replaced: notes which control has the focus, if it is one of those. */
  note(): void;
  /** Afterwards: the control of the same name, or else the title of what is there now. */
  restore(): void;
  /** Somebody else says where the focus goes. */
  forget(): void;
}

/** `places`: what is replaced; their controls that have a `name` are known by it. `titles`: what can have the focus instead, the best first. */
export function focusKeeper(
  places: readonly HTMLElement[],
  titles: () => readonly (HTMLElement | null)[],
): FocusKeeper {
  /** '': on something without a name. */
  let left: string | undefined;
  return {
    note() {
      const active = document.activeElement;
      if (!active || !places.some((place) => place.contains(active))) return;
      // Whoever cancels by a button, which has no name and is soon gone, goes back to what they came from.
      left = active.getAttribute('name') || left || '';
    },
    restore() {
      const name = left;
      left = undefined;
      // Whoever went elsewhere in the meantime stays there.
      if (name === undefined || (document.activeElement && document.activeElement !== document.body)) return;
      const named = places.flatMap((place) => [...place.querySelectorAll<HTMLElement>('[name]')]);
      const twin = named.find((one) => one.getAttribute('name') === name);
      (twin ?? titles().find((title) => title !== null))?.focus({ preventScroll: true });
    },
    forget() {
      left = undefined;
    },
  };
}
