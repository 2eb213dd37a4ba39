// Inputs in pieces: what is read must not depend on where the pieces end.

export const inPieces = (input: Uint8Array, size: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < input.length; at += size) controller.enqueue(input.slice(at, at + size));
      controller.close();
    },
  });
