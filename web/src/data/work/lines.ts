// Which line of a file a row stands in: blank lines, comments, the header and line breaks in quotes make the two differ.

const LF = 10;
const CR = 13;
const QUOTE = 34;
const HASH = 35;
const isSpace = (byte: number): boolean => byte === 32 || byte === 9 || byte === CR;

export interface TextFormat {
  readonly format: 'csv' | 'libsvm';
  readonly hasHeader: boolean;
}

/** The bytes of a file, unpacked if it is packed. */
export async function textOf(file: Blob): Promise<ReadableStream<Uint8Array>> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  return isPacked ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
}

/**
 * The lines, from 1, that these rows, from 0, begin in. CSV: a row may have line breaks in quotes, and a blank line has nothing in
 * it; LIBSVM: a line that is blank or a comment is no row.
 */
export async function linesOf(
  stream: ReadableStream<Uint8Array>,
  rows: readonly number[],
  { format, hasHeader }: TextFormat,
): Promise<Map<number, number>> {
  const wanted = new Set(rows);
  const found = new Map<number, number>();
  const isCsv = format === 'csv';
  let row = hasHeader ? -1 : 0;
  let [line, begin] = [1, 1];
  let [isInQuotes, isRow, isComment] = [false, false, false];
  const endLine = (): void => {
    line++;
    if (isInQuotes) return;
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
        if (byte === LF) endLine();
        else if (isCsv) {
          if (byte === QUOTE) isInQuotes = !isInQuotes;
          if (byte !== CR) isRow = true;
        } else if (!isRow && !isComment && !isSpace(byte)) {
          if (byte === HASH) isComment = true;
          else isRow = true;
        }
      }
    }
    if (found.size < wanted.size) endLine();
  } finally {
    await reader.cancel();
  }
  return found;
}
