// nextTurn: waits until the event loop has run timers, input and painting.

/** Calls back after the event loop has gone round. Browsers would delay a timer by 4 ms. */
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

/** Resolves after the event loop has gone round. */
export const nextTurn = (): Promise<void> => new Promise(afterOthers);
