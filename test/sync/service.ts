import {
  type Article,
  type ArticleList,
  Client,
  type ClientOptions,
  type MemoryStore,
  type StorePage,
} from '../../src/index.js';

type Stored = Pick<Article, 'id' | 'status' | 'updated_at'>;

/** One thing that happens on the service: to several articles at once, which then share one `updated_at`. */
export type Write = { kind: 'create' | 'touch' | 'publish' | 'unpublish' | 'delete'; picks: readonly number[] };

export interface ServiceOptions {
  pageSize: number;
  /** Whether the service accepts `offset`. */
  offsets?: boolean;
  /** Changes a page before it is sent, as a service with a defect would. */
  mangle?: (page: ArticleList, url: URL) => object;
}

/** The articles routes as the specification says, and nothing else: `updated_since` strict, sorted, in pages. */
export class Service {
  readonly articles = new Map<number, Stored>();
  requests: URL[] = [];
  /** Called before each answer: where writes happen while someone reads. */
  beforeAnswer: () => void = () => {};
  #tick = 0;
  #nextId = 1;

  constructor(readonly options: ServiceOptions) {}

  /** Writes of one call share a timestamp, down to the microsecond; writes after an answer have a later one. */
  write({ kind, picks }: Write): void {
    const updated_at = this.#now();
    for (const pick of picks) {
      if (kind === 'create') {
        const id = this.#nextId++;
        this.articles.set(id, { id, status: pick % 4 === 0 ? 'draft' : 'published', updated_at });
        continue;
      }
      const id = [...this.articles.keys()][pick % Math.max(1, this.articles.size)];
      const article = id === undefined ? undefined : this.articles.get(id);
      if (!article) continue;
      if (kind === 'delete') this.articles.delete(article.id);
      else {
        const status = kind === 'publish' ? 'published' : kind === 'unpublish' ? 'draft' : article.status;
        this.articles.set(article.id, { ...article, status, updated_at });
      }
    }
  }

  /** Gives the next write a later timestamp, as a response does. */
  tick(): void {
    this.#tick++;
  }

  /** What a copy should hold. */
  get online(): string[] {
    return versionsOf([...this.articles.values()].filter(({ status }) => status === 'published'));
  }

  readonly fetch: typeof fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.requests.push(url);
    this.beforeAnswer();
    const id = /\/articles\/(\d+)$/.exec(url.pathname)?.[1];
    if (id !== undefined) return this.#one(Number(id));
    const since = url.searchParams.get('updated_since');
    const status = url.searchParams.get('status');
    const matching = [...this.articles.values()]
      .filter((article) => since === null || article.updated_at > since)
      .filter((article) => status === 'all' || article.status === status)
      .sort((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : a.id - b.id));
    const { pageSize, offsets = true } = this.options;
    const offset = offsets ? Number(url.searchParams.get('offset') ?? 0) : 0;
    const articles = matching.slice(offset, offset + pageSize).map(whole);
    this.#tick++;
    const page = { articles, total: matching.length, limit: pageSize, offset };
    return Response.json(this.options.mangle?.(page, url) ?? page);
  };

  #one(id: number): Response {
    const stored = this.articles.get(id);
    this.#tick++;
    return stored ? Response.json(whole(stored)) : Response.json({ detail: 'Article introuvable.' }, { status: 404 });
  }

  #now(): string {
    return `2026-01-01T00:00:${String(Math.floor(this.#tick / 1000) % 60).padStart(2, '0')}.${String(this.#tick % 1000).padStart(6, '0')}+00:00`;
  }
}

function whole(stored: Stored): Article {
  return { ...stored, title: `Article ${stored.id}`, created_at: '2026-01-01T00:00:00.000000+00:00' };
}

/** What a store holds, as `online` says it. */
export function held(store: { articles: ReadonlyMap<number, Article> }): string[] {
  return versionsOf(store.articles.values());
}

function versionsOf(articles: Iterable<Stored>): string[] {
  return Array.from(articles, ({ id, updated_at }) => `${id}@${updated_at}`).sort();
}

/** `commit` over the other methods of a store. */
export const committing = (store: MemoryStore) => async (page: StorePage<Article>) => {
  if ((await store.loadCursor()) !== page.previous) return false;
  for (const article of page.upserts) await store.put(article);
  for (const id of page.removals) await store.remove(id);
  if (page.cursor !== null) await store.saveCursor(page.cursor);
  return true;
};

/** The articles of a client of this service, without limits. */
export function articlesOf(service: Service, options: ClientOptions = {}): Client['articles'] {
  const baseUrl = 'https://service.test';
  return new Client({ apiKey: 'test-key', baseUrl, fetch: service.fetch, rateLimit: false, ...options }).articles;
}

/** A service to which articles came one after the other, each with a later timestamp. */
export function serviceWith(picks: readonly number[], pageSize = 3): Service {
  const service = new Service({ pageSize });
  for (const pick of picks) {
    service.write({ kind: 'create', picks: [pick] });
    // A later write has a later timestamp only after a response.
    service.tick();
  }
  return service;
}
