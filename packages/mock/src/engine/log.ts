import { KEY_HEADER } from './auth.js';

/** What all recorded requests may have in total, in characters. A mock that runs for days must not fill the memory. */
const LARGEST_LOG = 50_000_000;
/** What a request has without its body. */
const EACH = 5_000;

/** The last requests, oldest first. */
export class RequestLog<Entry extends object> {
  readonly entries: Entry[] = [];
  readonly #sizes = new Map<Entry, number>();
  #total = 0;

  add(entry: Entry): void {
    this.entries.push(entry);
    this.#sizes.set(entry, 0);
    this.grow(entry, EACH);
  }

  /** Counts the body of a request, and drops the oldest requests if there is no room. The last one always stays. */
  grow(entry: Entry, size: number): void {
    const before = this.#sizes.get(entry);
    if (before === undefined) return;
    this.#sizes.set(entry, before + size);
    this.#total += size;
    while (this.#total > LARGEST_LOG && this.entries.length > 1) {
      const oldest = this.entries.shift() as Entry;
      this.#total -= this.#sizes.get(oldest) ?? 0;
      this.#sizes.delete(oldest);
    }
  }

  clear(): void {
    this.entries.length = 0;
    this.#sizes.clear();
    this.#total = 0;
  }
}

/** Decoded. The value is an array if a name occurs more than once. */
export const readParameters = (params: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...params.keys()].map((name) => {
      const [first = '', ...others] = params.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );

/** Masks the key in every header. A test can then see in which other header a client leaks the key. */
export function readHeaders(headers: Headers): Record<string, string> {
  const key = headers.get(KEY_HEADER) || undefined;
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, key === undefined ? value : value.replaceAll(key, '***')]),
  );
}
