// Word counts and TF-IDF as one writes them in JavaScript: a regular expression, a Map, rows of sorted pairs.

const WORDS = /[\p{L}\p{N}_]{2,}/gu;

type Row = [column: number, value: number][];

function normalised(counts: Map<number, number>, weight: (column: number) => number): Row {
  const row = [...counts].sort(([a], [b]) => a - b).map(([c, n]): [number, number] => [c, n * weight(c)]);
  const length = Math.sqrt(row.reduce((sum, [, value]) => sum + value * value, 0)) || 1;
  return row.map(([column, value]) => [column, value / length]);
}

function countsOf(text: string, columnOf: (word: string) => number | undefined): Map<number, number> {
  const counts = new Map<number, number>();
  for (const word of text.toLowerCase().match(WORDS) ?? []) {
    const column = columnOf(word);
    if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  return counts;
}

/** FNV-1a of the code units. */
function hash(word: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

export const hashed = (texts: readonly string[], features: number): Row[] =>
  texts.map((text) =>
    normalised(
      countsOf(text, (word) => hash(word) % features),
      () => 1,
    ),
  );

export function tfidf(texts: readonly string[]): Row[] {
  const columns = new Map<string, number>();
  const rows = texts.map((text) =>
    countsOf(text, (word) => {
      const column = columns.get(word) ?? columns.size;
      columns.set(word, column);
      return column;
    }),
  );
  const documents = new Float64Array(columns.size);
  for (const row of rows) for (const column of row.keys()) documents[column]! += 1;
  const idf = documents.map((count) => Math.log((1 + texts.length) / (1 + count)) + 1);
  return rows.map((row) => normalised(row, (column) => idf[column]!));
}
