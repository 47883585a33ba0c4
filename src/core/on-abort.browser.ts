/** Call back once when the signal aborts, at once where it has. Returns what takes the callback off again. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  signal.addEventListener('abort', callback);
  return () => signal.removeEventListener('abort', callback);
}
