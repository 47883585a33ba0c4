import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Article, type ArticleStore, Client, type ClientEvent, type Identity } from 'multilocal';
import { type MockControl, startMockServer } from 'multilocal/mock/server';
import { directoryStore } from 'multilocal/node';
import type { Options } from './options.js';
import type { SiteInfo } from './pages.js';
import type { Screen } from './screen.js';

/** A part of the demo. The chapters run in the order of the list in `main.ts`. */
export interface Chapter {
  readonly title: string;
  tell(demo: Demo): Promise<void>;
}

/** The data that the chapters share. */
export interface Demo {
  readonly client: Client;
  readonly identity: Identity;
  /** `undefined` against the real service. */
  readonly mock: MockControl | undefined;
  readonly options: Options;
  readonly site: Site;
  readonly meter: Meter;
  readonly screen: Screen;
  /** Aborted by Ctrl-C. Every request uses it. */
  readonly signal: AbortSignal;
}

/** The folders on the disk. */
export interface Site {
  /** Data from the service: the articles, and the list of confirmations. */
  readonly content: string;
  /** The finished site. */
  readonly pages: string;
  /** The home page, as a path to open. */
  readonly index: string;
  /** What every page shows. */
  readonly info: SiteInfo;
  readonly store: ArticleStore;
  /** The stored articles, newest publication first. */
  articles(): Promise<Article[]>;
}

/** Connects and prepares the folder: empty for the mock, unchanged since the last run for the real service. */
export async function openDemo(
  { apiKey, baseUrl, mock }: Service,
  options: Options,
  screen: Screen,
  signal: AbortSignal,
): Promise<Demo> {
  const meter = createMeter();
  const client = new Client({
    apiKey,
    baseUrl,
    onEvent(event) {
      meter.record(event);
      if (event.type === 'wait' || event.type === 'retry') screen.pause(event.delay);
    },
  });
  const identity = await client.me({ signal });

  // One folder for each service and key, because a cursor is only valid for one of them.
  const owner = `${new URL(baseUrl).host}-${(identity.bulle ?? identity.sphere).id}`.replace(/[^\w.-]/g, '-');
  const { name, id } = identity.bulle ?? identity.sphere;
  const site = openSite(join(options.out, mock ? 'mock' : owner), { name: name ?? id, url: options.siteUrl });
  if (mock) for (const folder of [site.content, site.pages]) await rm(folder, { recursive: true, force: true });
  return { client, identity, mock, options, site, meter, screen, signal };
}

function openSite(folder: string, info: SiteInfo): Site {
  const content = join(folder, 'content');
  const pages = join(folder, 'public');
  const store = directoryStore(join(content, 'articles'));
  return {
    content,
    pages,
    index: relative('', join(pages, 'index.html')),
    info,
    store,
    async articles() {
      const articles: Article[] = [];
      for await (const id of store.ids()) {
        articles.push(JSON.parse(await readFile(join(content, 'articles', `${id}.json`), 'utf8')));
      }
      return articles.sort((a, b) => (b.published_at ?? '').localeCompare(a.published_at ?? '') || b.id - a.id);
    },
  };
}

/** The service that the demo uses. */
export interface Service {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Controls the mock, where articles can change without the API. `undefined` for the real service. */
  readonly mock: MockControl | undefined;
  close(): Promise<void>;
}

/** The real service if the environment has its address and a key, else the mock on a free port. */
export async function openService(): Promise<Service> {
  const { MULTILOCAL_API_KEY: apiKey, MULTILOCAL_BASE_URL: baseUrl } = process.env;
  if (apiKey && baseUrl) return { apiKey, baseUrl, mock: undefined, close: async () => {} };

  // Limits that allow hundreds of confirmations in seconds, and responses with the delay of a nearby server.
  const { url, api, close } = await startMockServer({
    rateLimit: { perMinute: 6_000, perDay: 100_000 },
    latency: 40,
  });
  return { apiKey: api.keys.sphere, baseUrl: url, mock: api, close };
}

/** Counts the requests of a client, including every attempt, as the service does. */
export interface Meter {
  record(event: ClientEvent): void;
  readonly total: number;
  /** Requests by operation, most first. */
  byOperation(): [operation: string, requests: number][];
  /** Seconds since the start. */
  seconds(): number;
}

function createMeter(): Meter {
  const started = performance.now();
  const counts = new Map<string, number>();
  return {
    record({ type, operation }) {
      if (type === 'request') counts.set(operation, (counts.get(operation) ?? 0) + 1);
    },
    get total() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },
    byOperation: () => [...counts].sort(([, a], [, b]) => b - a),
    seconds: () => (performance.now() - started) / 1000,
  };
}
