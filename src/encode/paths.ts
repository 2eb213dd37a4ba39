// Where a wrong field is, in a file whose steps contain one another.

/** Reads the JSON of a step; errors name fields from the top of the file, `path` before each. */
export function atPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (path && error instanceof Error) {
      const own = error.message.replace(/^model JSON: /, '');
      error.message = `model JSON: ${path}${own === error.message ? ': ' : '.'}${own}`;
    }
    throw error;
  }
}
