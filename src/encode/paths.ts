// Where a wrong field is, in a file whose parts contain one another.

const PREFIX = 'model JSON: ';

/** Reads a part of a file; errors name fields from the top of the file, `path` before each. */
export function atPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) {
      const isField = error.message.startsWith(PREFIX);
      const own = isField ? error.message.slice(PREFIX.length) : error.message;
      if (path) error.message = `${PREFIX}${path}${isField ? '.' : ': '}${own}`;
      else if (!own.startsWith('model JSON')) error.message = PREFIX + own;
    }
    throw error;
  }
}
