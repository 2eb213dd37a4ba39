// Letting timers, input and painting have their turn.

/** Calls back once they had it. A timer would be clamped to 4 ms in browsers. */
function afterOthers(callback: () => void): void {
  const scope = globalThis as { setImmediate?: (callback: () => void) => unknown };
  if (typeof scope.setImmediate === 'function') {
    scope.setImmediate(callback);
  } else if (typeof MessageChannel === 'function') {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      callback();
    };
    port2.postMessage(0);
  } else {
    setTimeout(callback);
  }
}

/** Resolves once they had it. */
export const nextTurn = (): Promise<void> => new Promise(afterOthers);
