// MurmurHash3, the 32-bit variant for x86 (Appleby, 2011), seed 0: the hash of scikit-learn's HashingVectorizer.

/** Mixes the next four bytes into the hash. */
const mixIn = (k: number): number => {
  k = Math.imul(k, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
};

/** The hash of bytes from … to − 1, from −2³¹ to 2³¹ − 1. */
export function murmur(bytes: Uint8Array, from: number, to: number): number {
  let h = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    h ^= mixIn(
      (bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24),
    );
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let end = to; end > at; ) rest = (rest << 8) | (bytes[--end] as number);
  h ^= mixIn(rest); // of no bytes: 0
  h ^= to - from;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
