// Text from files and models, made safe to show. A terminal obeys control characters, and bidirectional ones reorder a line: a
// class name could hide text, move the cursor, or add a line that looks like ours.

/** Controls, formats (bidirectional, zero-width, tags), separators of lines and paragraphs, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const hex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text with escapes such as \u001b for characters that are not seen. JSON stays JSON of the same value. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => character.split('').map(hex).join(''));

/** The same for text of several lines: line breaks stay. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** A text in quotes, with escapes. */
export const quoted = (text: string): string => visible(JSON.stringify(text));

/** What a shell takes as this one word. Unseen characters become octal bytes in $'…': pasted, they could end a quotation. */
export function shellWord(word: string): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  const inQuotes = `'${word.replaceAll("'", `'\\''`)}'`;
  if (visible(word) === word) return inQuotes;
  const octal = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  return `$'${word.replace(/[\\']/g, '\\$&').replace(UNSEEN, octal)}'`;
}
