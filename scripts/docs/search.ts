// The search of the site. TypeDoc's own looks for each word of a question anywhere within any word, so that "a", "in" and "0" find every
// page. This one leaves out words that every page has, looks for short words as a whole, puts pages first that have more of the words,
// and shows an option that many trainers have twice at most.

import { readFileSync, writeFileSync } from 'node:fs';

interface Found {
  ref: string;
  score: number;
}

/** Runs in the page, which gets its text. */
function searchFor(
  { index, data }: { index: { search(query: string): Found[] }; data: { rows: { name: string }[] } },
  question: string,
): Found[] {
  const common =
    /^(a|an|and|are|as|at|be|by|can|do|does|for|from|happens|how|i|if|in|into|is|it|its|my|of|on|one|or|so|than|that|the|then|this|to|together|use|what|when|where|which|who|why|will|with|you|your)$/;
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const rare = words.filter((word) => !common.test(word));
  const found = new Map<string, Found & { words: number }>();
  for (const word of new Set(rare.length > 0 ? rare : words)) {
    const stem = word.length > 4 ? word.replace(/s$/, '') : word;
    for (const { ref, score } of index.search(word.length < 4 ? word : `${word}^5 ${stem}^5 *${stem}*`)) {
      const row = found.get(ref) ?? { ref, score: 0, words: 0 };
      row.score += score;
      row.words++;
      found.set(ref, row);
    }
  }
  const all = [...found.values()].map(({ ref, score, words }) => ({ ref, score: score * words ** 2 }));
  const shown = new Map<string | undefined, number>();
  return all
    .sort((a, b) => b.score - a.score)
    .filter(({ ref }) => {
      const name = data.rows[Number(ref)]?.name;
      const times = (shown.get(name) ?? 0) + 1;
      shown.set(name, times);
      return times <= 2;
    });
}

/** Puts it in the place of TypeDoc's. */
export function betterSearch(file: string): void {
  const script = readFileSync(file, 'utf8');
  const theirs =
    /let (\w+)=(\w+)\.split\(" "\)\.map\(\w+=>\w+\.length\?`\*\$\{\w+\}\*`:""\)\.join\(" "\);(\w+)=(\w+)\.index\.search\(\1\)/;
  if (!theirs.test(script)) throw new Error(`${file}: the search of TypeDoc has changed; see scripts/docs/search.ts`);
  writeFileSync(
    file,
    script.replace(theirs, (_, __, text, found, state) => `${found}=(${searchFor})(${state},${text})`),
  );
}
