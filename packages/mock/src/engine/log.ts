import { KEY_HEADER } from './auth.js';

const MASK = '***';

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
    while (this.#total > LARGEST_LOG && this.entries.length > 1) this.#drop();
  }

  clear(): void {
    this.entries.length = 0;
    this.#sizes.clear();
    this.#total = 0;
  }

  #drop(): void {
    const oldest = this.entries.shift() as Entry;
    this.#total -= this.#sizes.get(oldest) ?? 0;
    this.#sizes.delete(oldest);
  }
}

/** The record of a request. Its body and its status are filled in later. */
export function openRecord<Operation extends string>(
  request: Request,
  url: URL,
  path: string,
  operation: Operation | undefined,
  at: number,
) {
  return {
    operation,
    method: request.method,
    path,
    query: readParameters(url.searchParams),
    headers: readHeaders(request.headers),
    body: undefined as unknown,
    status: 0,
    at,
  };
}

function readParameters(params: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 && values[0] !== undefined ? values[0] : values];
    }),
  );
}

/** Masks the key in every header. A test can then see in which other header a client leaks the key. */
function readHeaders(headers: Headers): Record<string, string> {
  const key = headers.get(KEY_HEADER);
  return Object.fromEntries(
    [...headers].map(([name, value]) => {
      if (name === KEY_HEADER) return [name, MASK];
      return [name, key === null || key === '' ? value : value.replaceAll(key, MASK)];
    }),
  );
}
