// UTF-8 into a buffer of the caller, and back. A lone surrogate, which UTF-8 does not have, becomes U+FFFD, as with TextEncoder.

/** The most bytes that a UTF-16 code unit needs. */
export const MOST_BYTES = 3;

/** Writes a code point at `at`; returns the position after it. The caller has made room for it. */
export function putCodePoint(bytes: Uint8Array, at: number, c: number): number {
  if (c < 0x80) {
    bytes[at++] = c;
    return at;
  }
  if ((c & 0xfffff800) === 0xd800) c = 0xfffd;
  if (c < 0x800) {
    bytes[at++] = 0xc0 | (c >> 6);
  } else {
    if (c < 0x10000) {
      bytes[at++] = 0xe0 | (c >> 12);
    } else {
      bytes[at++] = 0xf0 | (c >> 18);
      bytes[at++] = 0x80 | ((c >> 12) & 63);
    }
    bytes[at++] = 0x80 | ((c >> 6) & 63);
  }
  bytes[at++] = 0x80 | (c & 63);
  return at;
}

/** Writes a text at `at`; returns the position after it. */
export function putText(bytes: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; ) {
    const c = text.codePointAt(i) as number;
    at = putCodePoint(bytes, at, c);
    i += c > 0xffff ? 2 : 1;
  }
  return at;
}

/** The bytes of a text. */
export function utf8Of(text: string): Uint8Array {
  const bytes = new Uint8Array(MOST_BYTES * text.length);
  return bytes.subarray(0, putText(bytes, 0, text));
}
