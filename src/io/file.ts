// Files, in Node.

import type { promises } from 'node:fs';
import { DataError } from './errors.js';
import type { ByteSource } from './source.js';

/** Bytes read at once: enough to amortise a system call, few enough for the caches. */
const READ_BYTES = 2 ** 18;

/** Opens a file, a pipe or a device. @throws DataError saying why it cannot be read */
export async function openFile(fs: typeof import('node:fs'), path: string | URL, name: string): Promise<ByteSource> {
  let handle: promises.FileHandle | undefined;
  try {
    const file = await fs.promises.open(path);
    handle = file;
    const stat = await file.stat();
    if (stat.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
    return fromHandle(file, stat.isFile(), stat.size);
  } catch (error) {
    await handle?.close();
    throw unreadable(error, name);
  }
}

function fromHandle(handle: promises.FileHandle, isFile: boolean, size: number): ByteSource {
  const buffer = new Uint8Array(READ_BYTES);
  return {
    // Files in /proc report a size of 0.
    size: isFile && size > 0 ? size : undefined,
    announced: undefined,
    next: async () => {
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null);
      return bytesRead > 0 ? buffer.subarray(0, bytesRead) : undefined;
    },
    close: async () => {
      const closed = handle.close().catch(() => {});
      // Closing a pipe waits for the pending read, which may never end.
      if (isFile) await closed;
    },
  };
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a directory, expected a file',
  EACCES: 'you have no permission to read it',
  EPERM: 'you have no permission to read it',
  EMFILE: 'too many files are open',
  ELOOP: 'its symbolic links form a circle',
};

/** Why a file cannot be read. */
export function unreadable(cause: unknown, source: string): DataError {
  const { code, message } = cause as { code?: string; message?: string };
  return new DataError(SENTENCES[code ?? ''] ?? `cannot be read: ${message ?? cause}`, { source, cause });
}
