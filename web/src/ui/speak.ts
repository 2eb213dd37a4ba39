// Sentences for those who hear the page.

const spoken = document.querySelector('#spoken');

/** Says a sentence, after what is being said; the last one wins. The same sentence twice is said twice. */
export function speak(sentence: string): void {
  if (!spoken) return;
  // A reader of the screen says what has changed: two equal sentences differ by a space that nobody hears.
  spoken.textContent = spoken.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
