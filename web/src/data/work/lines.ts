// Which line of a file a row stands in: blank lines, comments, the header and line breaks in quotes make the two differ.

const LF = 10;
const CR = 13;
const QUOTE = 34;
const HASH = 35;
const SPACE = 32;
const TAB = 9;

export interface TextFormat {
  readonly format: 'csv' | 'libsvm';
  /** CSV: what is between the fields. */
  readonly delimiter?: ',' | '\t' | ';' | undefined;
  readonly hasHeader: boolean;
}

/** The bytes of a file, unpacked if it is packed. */
export async function textOf(file: Blob): Promise<ReadableStream<Uint8Array>> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  return isPacked ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
}

/**
 * The lines, from 1, that these rows, from 0, begin in. Lines end as the readers have it: LF, CR LF, or CR alone. CSV: a field
 * that begins with a quote may have line breaks in it (a quote further on, as in 5" pipe, is a character like others), and a blank
 * line has nothing in it; LIBSVM: a line that is blank or a comment is no row.
 */
export async function linesOf(
  stream: ReadableStream<Uint8Array>,
  rows: readonly number[],
  { format, hasHeader, delimiter = ',' }: TextFormat,
): Promise<Map<number, number>> {
  const wanted = new Set(rows);
  const found = new Map<number, number>();
  const isCsv = format === 'csv';
  let row = hasHeader ? -1 : 0;
  let [line, begin] = [1, 1];
  const between = delimiter.charCodeAt(0);
  let [isInQuotes, isRow, isComment] = [false, false, false];
  /** Of the field so far there are spaces only; and: the byte before closed its quotes, which a second quote undoes. */
  let [isFieldStart, isClosed] = [true, false];
  let before = 0;
  const endLine = (): void => {
    line++;
    isFieldStart = true;
    isClosed = false;
    if (isRow && wanted.has(row)) found.set(row, begin);
    if (isRow) row++;
    begin = line;
    isRow = false;
    isComment = false;
  };
  const reader = stream.getReader();
  try {
    while (found.size < wanted.size) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const byte of value) {
        if (isInQuotes) {
          if (byte === LF) line++;
          isClosed = byte === QUOTE;
          isInQuotes = !isClosed;
        } else if (byte === LF || byte === CR) {
          if (byte === CR || before !== CR) endLine(); // CR LF is one end
        } else if (isCsv) {
          isRow = true;
          isInQuotes = byte === QUOTE && (isFieldStart || isClosed);
          isClosed = false;
          isFieldStart = byte === between || (isFieldStart && byte === SPACE);
        } else if (!isRow && !isComment && byte !== SPACE && byte !== TAB) {
          if (byte === HASH) isComment = true;
          else isRow = true;
        }
        before = byte;
      }
    }
    if (found.size < wanted.size) endLine();
  } finally {
    await reader.cancel();
  }
  return found;
}
