/** The callbacks of a signal stand behind one real listener, however many calls share it: Node 20 warns of more than ten. */
const hubs = new WeakMap<AbortSignal, Set<() => void>>();

/** Call back once when the signal aborts, at once where it has. Returns what takes the callback off again. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  const hub = hubs.get(signal) ?? new Set();
  if (hub.size === 0) {
    hubs.set(signal, hub);
    signal.addEventListener('abort', callAll);
  }
  hub.add(callback);
  return () => {
    if (hub.delete(callback) && hub.size === 0) signal.removeEventListener('abort', callAll);
  };
}

function callAll({ target }: Event): void {
  for (const callback of hubs.get(target as AbortSignal) ?? []) callback();
}
