// Names that somebody may have meant: for messages.

/** The name that differs in case, spaces and marks alone, or has one letter more, less or changed, or two exchanged. */
export function near(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const a = plain(name);
  return names.find((other) => {
    const b = plain(other);
    let start = 0;
    while (start < a.length && a[start] === b[start]) start++;
    let end = 0;
    while (end < a.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
    return a === b || (start + end > 1 && Math.max(a.length, b.length) - start - end < 3 - +(a.length !== b.length));
  });
}
