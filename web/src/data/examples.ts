// Files to try with, made up for this page from seeded random numbers: nobody measured them, and anybody may use them.

export interface Example {
  readonly file: string;
  readonly name: string;
  readonly about: string;
}

export const examples: readonly Example[] = [
  { file: 'flowers.csv', name: 'Flowers', about: '3 classes; two of them overlap' },
  { file: 'fruit.csv', name: 'Fruit', about: '2 classes; the columns want scaling' },
  { file: 'moons.csv', name: 'Moons', about: '2 classes; no line splits them' },
  { file: 'messages.txt', name: 'Messages', about: 'LIBSVM: words that occur or not' },
];

/** @throws Error where the page's own file is not to be had */
export async function loadExample({ file }: Example): Promise<File> {
  const response = await fetch(`./examples/${file}`);
  if (!response.ok) throw new Error(`the example ${file} could not be loaded (${response.status})`);
  return new File([await response.blob()], file);
}
