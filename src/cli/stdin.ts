// Standard input, and its end.

let isOpen = false;

export function openStdin(): NodeJS.ReadStream {
  isOpen = true;
  return process.stdin;
}

/** Closes standard input: an open pipe would keep the process alive until its writer ends. */
export function leaveStdin(): void {
  if (isOpen) process.stdin.destroy();
}
