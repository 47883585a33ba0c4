import type { ClientOptions } from '@multilocal/client/client';
import { freshUrl } from '@multilocal/test/support/clients';
import type { MockControl } from 'multilocal/mock/server';
import { expect } from 'vitest';
import type { MultilocalLoader, MultilocalLoaderContext } from '../../src/astro/index.js';

type DataStore = MultilocalLoaderContext['store'];
type Entry = ReturnType<DataStore['values']>[number];

/** A content collection as Astro keeps it between builds, and what its loader logged. */
export interface Collection extends MultilocalLoaderContext {
  readonly log: string[];
  /** What is stored beside the entries. */
  readonly notes: Map<string, string>;
  /** The schema of the user, if not that of the loader. */
  parse: MultilocalLoaderContext['parseData'];
}

/** The parts of Astro that a loader uses. `set` ignores an entry with the digest of the stored one, as Astro does. */
export function collectionOf(name = 'articles'): Collection {
  const entries = new Map<string, Entry>();
  const notes = new Map<string, string>();
  const log: string[] = [];
  const store: DataStore = {
    // The data of each entry is what the caller stored.
    get: (key) => entries.get(key) as never,
    entries: () => [...entries],
    values: () => [...entries.values()],
    keys: () => [...entries.keys()],
    has: (key) => entries.has(key),
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
    set: (entry) => {
      if (entries.get(entry.id)?.digest === entry.digest) return false;
      entries.set(entry.id, entry);
      return true;
    },
    addModuleImport: () => expect.unreachable(),
  };
  const collection: Collection = {
    collection: name,
    store,
    meta: {
      get: (key) => notes.get(key),
      set: (key, value) => notes.set(key, value),
      has: (key) => notes.has(key),
      delete: (key) => notes.delete(key),
    },
    parse: async ({ data }) => data,
    parseData: (props) => collection.parse(props),
    config: { cacheDir: new URL('file:///dev/null/'), site: undefined },
    logger: {
      info: (line) => log.push(`info: ${line}`),
      warn: (line) => log.push(`warn: ${line}`),
      error: (line) => log.push(`error: ${line}`),
    },
    log,
    notes,
  };
  return collection;
}

/** One build. Returns what it logged, and the number of requests that it sent. */
export async function build(loader: MultilocalLoader, collection: Collection, api: MockControl) {
  const before = api.requests.length;
  collection.log.length = 0;
  await loader.load(collection);
  return { requests: api.requests.length - before, log: collection.log.join('\n') };
}

/** Options of a client whose requests the mock handles. */
export function connectionTo(api: MockControl, more: ClientOptions = {}): ClientOptions {
  return { apiKey: api.keys.sphere, baseUrl: freshUrl(), fetch: api.handle, rateLimit: false, maxRetries: 0, ...more };
}

export const sanitize = (html: string) => html.replaceAll(/<script.*?<\/script>/gs, '');
