// UTF-8. A lone surrogate, which UTF-8 does not have, becomes U+FFFD: TextEncoder's rule.

const encoder = new TextEncoder();

/** The most bytes that a UTF-16 code unit needs. */
export const MOST_BYTES = 3;

/** Writes a text into a buffer that has room for it; returns how many bytes it has. */
export const writeText = (text: string, into: Uint8Array): number => encoder.encodeInto(text, into).written;

/** The bytes of a text. */
export const utf8Of = (text: string): Uint8Array => encoder.encode(text);
