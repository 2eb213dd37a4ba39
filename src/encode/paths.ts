// Where a wrong field is, in a file whose parts contain one another.

/** Reads a part of a file; errors name fields from the top of the file, `path` before each. */
export function atPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) {
      error.message = path
        ? error.message.replace(/^(model JSON: )?/, (start) => `model JSON: ${path}${start ? '.' : ': '}`)
        : error.message.replace(/^(?!model JSON)/, 'model JSON: ');
    }
    throw error;
  }
}
