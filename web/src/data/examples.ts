// Files to try with. Flowers, fruit and moons are made up for this page from seeded random numbers, and the messages are written
// for the package's examples; the penguins are real (examples/README.md says whose).

import messages from '../../../examples/messages.csv?url';
import penguins from '../../../examples/penguins.csv?url';

export interface Example {
  readonly file: string;
  readonly url: string;
  readonly name: string;
  readonly about: string;
  /** Which column is the label, where that is anybody's guess. */
  readonly label?: number;
}

const own = (file: string) => ({ file, url: `./examples/${file}` });

export const examples: readonly Example[] = [
  { ...own('flowers.csv'), name: 'Flowers', about: '3 classes; two of them overlap' },
  { ...own('fruit.csv'), name: 'Fruit', about: '2 classes; the columns want scaling' },
  { ...own('moons.csv'), name: 'Moons', about: '2 classes; no line splits them' },
  { file: 'messages.csv', url: messages, name: 'Messages', about: 'Sentences: spam, or not?' },
  { file: 'penguins.csv', url: penguins, name: 'Penguins', about: 'Real ones: words, numbers and gaps', label: 0 },
];

/** @throws Error where the page's own file is not to be had */
export async function loadExample({ file, url }: Example): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the example ${file} could not be loaded (${response.status})`);
  return new File([await response.blob()], file);
}
