/** Wait, until one of the signals aborts. Tells whether the whole time has passed. `Infinity` waits for a signal. */
export function sleep(milliseconds: number, signals: readonly AbortSignal[]): Promise<boolean> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (whole: boolean) => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', cut);
      resolve(whole);
    };
    const cut = () => end(false);
    if (signals.some((signal) => signal.aborted)) return cut();
    for (const signal of signals) signal.addEventListener('abort', cut);
    if (milliseconds !== Number.POSITIVE_INFINITY) timer = setTimeout(() => end(true), milliseconds);
  });
}
