// A file for the browser's downloads.

import { h } from './dom.js';

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = h('a', { href: address, download: name });
  link.click();
  // The download has begun by then, and keeps the bytes.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
