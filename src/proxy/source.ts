import { RateLimitError } from '../core/errors/index.js';
import type { RequestOptions } from '../core/options.js';
import type { Article, ArticleConfirmation, ArticleList } from '../resources/articles-reads-schema.js';
import { Allowance, type Purpose } from './allowance.js';
import { type Background, Cache, type Cached } from './cache.js';
import type { Settings } from './options.js';
import { PAUSE, Refusal, refusalOf } from './refusal.js';
import type { ListQuery } from './request.js';
import { exactly, rounded } from './rounding.js';

const NO_ARTICLE = 'No such article.';
const NO_LOCATION = 'No such location.';
/** Maximum number of ids to remember: far more than articles in the cache, and still little memory. */
const MOST_KNOWN = 100_000;

/** A visitor, and the runtime's function for work after the response. */
export interface Visit {
  /** `undefined` if the visitor is unknown. */
  visitor: string | undefined;
  background: Background;
}

/**
 * Reads published articles of the client's scope through the cache.
 *
 * A visitor cannot widen the scope of the client. A `bulle_id` goes to the service as an extra parameter, because extra
 * parameters never replace the one of a `forBulle` view. The route of one article takes no `bulle_id`, so the service
 * returns articles of every location that the key covers. The proxy shows an article only if lists of this client show
 * its location.
 */
export class Source {
  readonly #settings: Settings;
  readonly #cache: Cache;
  readonly #allowance: Allowance;
  /** Locations that lists of this client have shown; `null` for articles of the brand. */
  readonly #locations = new Set<string | null>();
  /** Articles that were published when the service last showed them, whether they are in the cache or not. */
  readonly #known = new Set<number>();
  /** Whether the service has returned an article that lists of this client do not show. */
  #seesMore = false;
  /** The page that was parsed last, and its JSON. */
  #parsed: { body: string; page: ArticleList } | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#cache = new Cache(settings.cache, settings.timeout);
    this.#allowance = new Allowance(settings);
  }

  /** @throws {Refusal} */
  async list(query: ListQuery, visit: Visit): Promise<Cached> {
    const wider = rounded(query);
    if (!wider) return this.#page(query, visit);
    const cached = await this.#page(wider, visit);
    const { body, age } = cached;
    // Many visitors request changes since a date of the same hour, and parsing a page takes long.
    if (this.#parsed?.body !== body) this.#parsed = { body, page: JSON.parse(body) };
    const { page } = this.#parsed;
    const exact = exactly(page, query);
    if (!exact) return this.#page(query, visit);
    return exact === page ? cached : { body: JSON.stringify(exact), age };
  }

  /** @throws {Refusal} The same 404 for a draft, an article out of scope and an unknown id. */
  get(id: number, { visitor, background }: Visit): Promise<Cached> {
    const load = async () => {
      const { articles } = this.#settings;
      try {
        const article = await this.#request(NO_ARTICLE, (options) => articles.get(id, options));
        if (article.status !== 'published' || !(await this.#isInScope(article, background))) {
          throw new Refusal(404, NO_ARTICLE);
        }
        if (!this.#known.has(id)) this.#allowance.wasKnown(visitor);
        this.#remember(id);
        return JSON.stringify(article);
      } catch (error) {
        if (error instanceof Refusal && error.status === 404) this.#known.delete(id);
        throw error;
      }
    };
    const admit = this.#admission(() => (this.#known.has(id) ? 'known' : 'new'), visitor);
    return this.#cache.read({ key: keyOf(id), admit, load }, background);
  }

  /** Confirms an article on a page, once in `maxAge`. @throws {Refusal} */
  async confirm(id: number, rendered_url: string | undefined, visit: Visit): Promise<Cached> {
    await this.get(id, visit);
    const load = async () => {
      const { articles } = this.#settings;
      const confirmation = await this.#request(NO_ARTICLE, (options) =>
        articles.confirm(id, rendered_url === undefined ? {} : { rendered_url }, options),
      );
      const { article_id, confirmed_at, confirmation_source } = confirmation;
      return JSON.stringify({ article_id, confirmed_at, confirmation_source } satisfies ArticleConfirmation);
    };
    const key = `confirm ${JSON.stringify([id, rendered_url])}`;
    const admit = this.#admission(() => 'new', visit.visitor);
    return this.#cache.read({ key, admit, load, isNew: true, freshOnly: true }, visit.background);
  }

  /** The page of exactly this query. */
  #page(query: ListQuery, { visitor, background }: Visit, purpose?: Purpose): Promise<Cached> {
    const { updated_since, since, bulle_id, offset } = query;
    const parameters = [updated_since, since, bulle_id, offset];
    // There is only one list without parameters, and every visitor reads it.
    const isNew = parameters.some((value) => value !== undefined);
    const key = `list ${JSON.stringify(parameters)}`;
    const admit = this.#admission(() => purpose ?? (isNew ? 'new' : 'popular'), visitor);
    const load = async () => JSON.stringify(await this.#list(query, isNew));
    return this.#cache.read({ key, admit, load, isNew }, background);
  }

  /** Takes a request from the budget. A stale response decides the purpose, otherwise `purpose` does. */
  #admission(purpose: () => Purpose, visitor: string | undefined) {
    return (stale: Purpose | undefined) => this.#allowance.take(stale ?? purpose(), visitor);
  }

  async #list(query: ListQuery, isNew: boolean): Promise<ArticleList> {
    const { updated_since, since, bulle_id, offset } = query;
    const { articles } = this.#settings;
    const page = await this.#request(bulle_id && NO_LOCATION, (options) =>
      articles.list({ status: 'published', updated_since, since }, { ...options, extra: { bulle_id, offset } }),
    );
    const published = page.articles.filter(({ status }) => status === 'published');
    for (const article of published) {
      if (bulle_id !== undefined && (article.bulle_id ?? bulle_id) !== bulle_id) {
        // The client is a view of another location, so the view's `bulle_id` was sent instead.
        throw new Refusal(404, NO_LOCATION);
      }
    }
    for (const article of published) {
      this.#locations.add(article.bulle_id ?? null);
      this.#remember(article.id);
      // Saves the request of a later `get`, unless the service lists articles without texts. A visitor who lists old
      // articles must not push out articles that others read.
      if (typeof article.content_html === 'string') {
        this.#cache.store(keyOf(article.id), JSON.stringify(article), { ifRoom: isNew });
      }
    }
    return {
      articles: published,
      total: Math.max(page.total - (page.articles.length - published.length), published.length),
      limit: page.limit,
      offset: page.offset,
    };
  }

  /** Whether lists of this client show the location of the article. Costs one request for each location. */
  async #isInScope({ bulle_id, updated_at }: Article, background: Background): Promise<boolean> {
    const location = bulle_id ?? null;
    if (!this.#locations.has(location)) {
      const before = new Date(Date.parse(updated_at) - 1_000);
      const isDate = !Number.isNaN(before.getTime());
      const query = location !== null ? { bulle_id: location } : isDate ? { updated_since: before.toISOString() } : {};
      // The location of an existing article exists too. But if the client shows only some locations, visitors could
      // request articles of the others again and again: then the request counts as `new`. The exact query is needed,
      // because the page of a whole hour may not contain the article.
      const purpose = this.#seesMore ? 'new' : 'known';
      await this.#page(query, { visitor: undefined, background }, purpose).catch((error) => {
        if (!(error instanceof Refusal) || error.status !== 404) throw error;
      });
    }
    const isInScope = this.#locations.has(location);
    if (!isInScope) this.#seesMore = true;
    return isInScope;
  }

  #remember(id: number): void {
    this.#known.add(id);
    if (this.#known.size <= MOST_KNOWN) return;
    for (const first of this.#known) {
      this.#known.delete(first);
      break;
    }
  }

  /** Sends one request to the service. `missing` is the detail of a 404. */
  async #request<T>(missing: string | undefined, send: (options: RequestOptions) => Promise<T>): Promise<T> {
    try {
      // A retry would delay the response and would not be counted in the budget. Visitors can retry themselves.
      return await send({ totalTimeout: this.#settings.timeout, maxRetries: 0, validation: 'throw' });
    } catch (error) {
      if (error instanceof RateLimitError) this.#allowance.pause(error.retryAfter ?? PAUSE);
      const refusal = refusalOf(error, missing);
      if (refusal.status !== 404) this.#settings.onError(error);
      throw refusal;
    }
  }
}

function keyOf(id: number): string {
  return `get ${id}`;
}
