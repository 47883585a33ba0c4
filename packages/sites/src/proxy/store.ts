import type { ReadableArticleStore, Reservation } from 'multilocal';
import { ConnectionError } from 'multilocal/internal/errors';
import { within } from './time.js';

/** How long a visitor waits for a copy that is missing or old, and the copy for each call of its store. */
export const LONGEST_WAIT = 10_000;

/** The error of what does not come to an end. */
export const hangs = (what: string, ms: number, hint: string) =>
  new ConnectionError(`articlesProxy: ${what} within ${ms / 1_000} s. ${hint}`, { operation: 'articles.syncTo' });

/**
 * The store with a time limit for each call, because a database behind a dead connection never answers. With a reservation,
 * runs renew it, and leave its end to the copy.
 */
export function limited(store: ReadableArticleStore, reservation?: Reservation): ReadableArticleStore {
  const renew = () => inTime(reservation?.renew?.(), 'renew');
  const lease = () => Object.assign(() => {}, reservation?.renew && { renew });
  // A proxy of the store itself could not replace the methods of a frozen one.
  return new Proxy(Object.create(store), {
    get(_, name) {
      const value = name === 'lease' && reservation ? lease : Reflect.get(store, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => inTime(value.apply(store, args), String(name));
    },
  });
}

function inTime(result: unknown, name: string): unknown {
  const { then, [Symbol.asyncIterator]: iterate } = Object(result) as Partial<
    PromiseLike<unknown> & AsyncIterable<unknown>
  >;
  if (typeof then === 'function')
    return settled(result as PromiseLike<unknown>, name).then((value) => inTime(value, name));
  return iterate ? steps(result as AsyncIterable<unknown>, name) : result;
}

async function* steps(items: AsyncIterable<unknown>, name: string): AsyncGenerator<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await settled(iterator.next(), name);
      if (done) return;
      yield value;
    }
  } finally {
    iterator.return?.()?.then(undefined, () => {});
  }
}

const settled = <T>(result: PromiseLike<T>, name: string) =>
  within(result, LONGEST_WAIT, () =>
    hangs(`\`${name}\` of the store did not respond`, LONGEST_WAIT, 'Check that the database runs and can be reached.'),
  ) as Promise<T>;
