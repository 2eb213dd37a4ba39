// Errors in words that help: what it is, where, and what to do about it. The library's own sentence is kept where it knows more.

import { DataError } from 'perceptron-wasm/io';
import type { Fix, ReadRequest, Trouble } from '../types.js';
import { short } from '../words.js';

/** Bytes of a file that are looked at. */
const HEAD = 2 ** 14;

const JSON_START = /^\s*[[{]/;

/** Files that people drop and that are no data, by how they begin. */
const OTHERS: readonly [begin: RegExp | string, title: string, remedy: string][] = [
  [
    /^\s*\{\s*"type"\s*:\s*"(perceptron|pocket-perceptron|dual-perceptron|multiclass-perceptron|pipeline)"/,
    'This is a trained model, not data',
    'Drop the data to train on. To use this model, run: npx perceptron-wasm predict MODEL.json DATA.csv',
  ],
  [/^%PDF/, 'This is a PDF, a document for people', 'Find the table it shows as a CSV file.'],
  [
    'PK\x03\x04',
    'This is a spreadsheet (.xlsx) or a zip archive',
    'In the spreadsheet, save the sheet as CSV (UTF-8). Of an archive, unpack it first.',
  ],
  ['\xd0\xcf\x11\xe0', 'This is an old spreadsheet or document (.xls, .doc)', 'Save the sheet as CSV (UTF-8).'],
  [
    /^\s*<(!doctype|html|head|body|\?xml|svg)/i,
    'This is a web page or XML, not a table of numbers',
    'A download may have given you a page instead of the file: open it, and look for a link to the file itself.',
  ],
  [JSON_START, 'This looks like JSON, but not like a table', 'Make it a list of records, or save it as CSV.'],
  [
    /^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF....WEBP/s,
    'This is a picture',
    'Drop a table of numbers: CSV, TSV, LIBSVM or .npy.',
  ],
  [/^\x93NUMPY/, 'This NumPy file cannot be used', 'Save a matrix of numbers with np.save: a row for each sample.'],
];

const FORMATS = 'Drop a table of numbers or words: CSV, TSV, JSON, LIBSVM text or NumPy .npy, plain or .gz.';

async function beginningOf(file: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  } catch {
    return new Uint8Array(); // it cannot be read: the error that is being explained says so
  }
}

/** What the library says to programmers: the page has buttons for it, or says it in its own words. */
const FOR_PROGRAMMERS = [
  / \((?:or )?read (?:it|words) with readTable[^)]*\)/,
  /; leave the column out with "ignore" if it is no feature/,
  /, or (?:its column left out|leave the column out) with "ignore"(?:: \[-1\])?/,
  /, or say "header": true if these are names/,
  / \(label: null if it has no label\)/,
  / \("(?:label|ignore|maxCols|header)"\)/g,
  /: read it with readNpy or readData/,
];

/** An error about a file that can be read all the same, if what is wrong in it counts as missing. */
export class Mendable extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

const LIBSVM = /^\s*[^\s,;]+ +\d+:[^\s,;]/m;

/** Whether a file that does not hold rows of numbers may hold a table of words. */
export async function mayBeTable(file: Blob, error: Error): Promise<boolean> {
  if (/"header"/.test(error.message)) return false; // names or data? That is asked first.
  const head = String.fromCharCode(...(await beginningOf(file)));
  const [begin] = otherThing(head) ?? [];
  return (begin === undefined || begin === JSON_START) && !LIBSVM.test(head);
}

const otherThing = (head: string) =>
  OTHERS.find(([begin]) => (typeof begin === 'string' ? head.startsWith(begin) : begin.test(head)));

/** The sentence without the file's name and the place, which the title has. */
function sentenceOf(error: Error): string {
  const place = error instanceof DataError ? [error.source, error.line, error.column] : [];
  const where = `${place.filter((part) => part !== undefined).join(':')}: `;
  const text = error.message.startsWith(where) ? error.message.slice(where.length) : error.message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

const forPeople = (sentence: string): string =>
  FOR_PROGRAMMERS.reduce((text, part) => text.replace(part, ''), sentence);

const field = /in field (\d+)(?: \(("(?:[^"\\]|\\.)*")\))?/;
const words = /^Columns (.*?)(?: \(from 0\))? hold words/;

const nameOf = (index: number, json: string | undefined): string =>
  json === undefined ? `column ${index}` : `“${short(JSON.parse(json))}”`;

const HEADER_FIXES: readonly Fix[] = [
  { text: 'The first line has the names', change: { header: true } },
  { text: 'The first line is data', change: { header: false } },
];

const AS_MISSING: Fix = { text: 'Take it as missing, and go on', change: { fillGaps: true } };

const ascending = (columns: readonly number[]): number[] => [...new Set(columns)].sort((a, b) => a - b);

/** What can be done about it with a click. */
function fixesFor(sentence: string, { ignore, header }: ReadRequest, columns: readonly string[]): Fix[] {
  if (/decimals with a point/.test(sentence)) return [];
  if (/^Every line ends with/.test(sentence)) {
    return [{ text: 'Leave that column out', change: { ignore: ascending([...ignore, columns.length - 1]) } }];
  }
  const [, number, json] = field.exec(sentence) ?? [];
  if (number !== undefined && /^Expected a number/.test(sentence)) {
    const index = Number(number) - 1;
    const name = nameOf(index, json);
    const isGap = /fill it in/.test(sentence);
    return [
      ...(/"header": true/.test(sentence) && header === undefined ? HEADER_FIXES.slice(0, 1) : []),
      { text: `Leave out ${name}`, change: { ignore: ascending([...ignore, index]) } },
      ...(isGap ? [] : [{ text: `Take ${name} as the label`, change: { label: index } }]),
    ];
  }
  const [, list] = words.exec(sentence) ?? [];
  if (list !== undefined) {
    const all = list.match(/"(?:[^"\\]|\\.)*"|\d+/g) ?? [];
    const indices = all.map((item) => (item.startsWith('"') ? columns.indexOf(JSON.parse(item)) : Number(item)));
    if (indices.includes(-1)) return [];
    return indices.slice(0, 6).map((label, k) => ({
      text: `The label is ${nameOf(label, all[k]?.startsWith('"') ? all[k] : undefined)}`,
      change: { label, ignore: ascending([...ignore, ...indices.filter((i) => i !== label)]) },
    }));
  }
  return /"header"/.test(sentence) ? [...HEADER_FIXES] : [];
}

/** The names in a first line, as far as it is plain. */
export const firstNames = (bytes: Uint8Array): string[] =>
  (new TextDecoder().decode(bytes).split('\n', 1)[0] ?? '')
    .trim()
    .split(/[,;\t]/)
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'));

const REMEDIES: readonly [RegExp, string][] = [
  [/^This is empty/, 'Choose a file with rows of numbers in it.'],
  [/only a header/, 'Below the names there must be rows of numbers.'],
  [/fields in a line/, 'Every line needs as many values as the first one. Mend that line, and drop the file again.'],
  [/empty field|fill it in/, 'Fill the gap in, or take the row out, and drop the file again.'],
  [/decimals with a point/, 'Save the file with a point in decimals (1.5), and no commas within numbers.'],
  [/UTF-8/, 'Save it as UTF-8: spreadsheets call that “CSV UTF-8”.'],
  [/^Every line ends with/, 'An empty column at the end is often an accident: leave it out.'],
  [/closing quote/, 'A quote was opened and never closed: mend it in a text editor.'],
  [/^Expected a number in/, 'A column of numbers has a word in it: mend it, or take it as missing.'],
  [/hold words/, 'Say which column is the label. The others are left out: features must be numbers.'],
  [/truncated|cut off|unexpected end|gzip|decompress/i, 'The packed file is not complete: download or pack it again.'],
  [/maxCols|index of at most/, 'That is more columns than fit into memory; most likely the index is a typo.'],
  [/two columns with commas/, FORMATS],
  [/binary data|compressed with/, FORMATS],
  [/labels, one for each row/, 'The labels must be as many as the rows: choose the file that belongs to this one.'],
  [/header/, 'Say whether the first line holds the names of the columns.'],
];

/** What was wrong with a file. */
export async function readingTrouble(thrown: unknown, request: ReadRequest): Promise<Trouble> {
  const { file } = request;
  const error = thrown instanceof Mendable ? thrown.cause : thrown;
  const bytes = await beginningOf(file);
  const head = String.fromCharCode(...bytes);
  const reason = error instanceof Error ? error : new Error(String(error));
  const detail = sentenceOf(reason);
  const [, other, otherRemedy] = otherThing(head) ?? [];
  const isNumpy = head.startsWith('\x93NUMPY');
  // The matrix may be good, and its labels not.
  const isOther = other !== undefined && !(isNumpy && request.labels !== undefined);
  const line = error instanceof DataError ? error.line : undefined;
  // Browsers say little of a file that is a folder, or is no longer there: Chromium calls it a network error.
  if (/^Cannot be read:/.test(detail)) {
    return {
      title: `“${file.name}” cannot be read`,
      detail: 'Your browser could not open it. It may be a folder, or it has been moved or changed since.',
      remedy: 'Choose the file once more.',
      fixes: [],
    };
  }
  return {
    title: isOther
      ? `${other}: “${file.name}”`
      : `${line === undefined ? '' : `Line ${line} of `}“${file.name}” cannot be read`,
    // Of what is no data at all, where it stops to look like data is of no interest.
    detail: isOther && !isNumpy ? '' : forPeople(detail),
    remedy: otherRemedy ?? REMEDIES.find(([about]) => about.test(detail))?.[1] ?? 'Mend that, and drop the file again.',
    fixes: isOther
      ? []
      : [...(thrown instanceof Mendable ? [AS_MISSING] : []), ...fixesFor(detail, request, firstNames(bytes))],
  };
}

/** Why there is no model. */
export function trainingTrouble(error: unknown): Trouble {
  const reason = error instanceof Error ? error : new Error(String(error));
  const isMemory = reason instanceof RangeError && /memory|allocat|bytes/i.test(reason.message);
  return {
    title: 'Training did not work',
    detail: sentenceOf(reason),
    remedy: isMemory
      ? 'There is not enough memory for this here. Try fewer rows, or a border that is not bent.'
      : 'Change the options and try again. Your data is still here.',
    fixes: [],
  };
}
