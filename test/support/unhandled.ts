import { onTestFinished } from 'vitest';

/** What the process would have died of while the work was done. */
export async function unhandledIn(work: () => Promise<void> | void): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    for (const listener of others) process.on('unhandledRejection', listener);
  });
  await work();
  await new Promise((resolve) => setTimeout(resolve, 30));
  return unhandled;
}
