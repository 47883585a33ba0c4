import { RateLimitError } from '../core/errors/index.js';
import type { RequestOptions } from '../core/options.js';
import type { Article, ArticleConfirmation, ArticleList } from '../resources/articles-schema.js';
import { Allowance } from './allowance.js';
import { type Background, Cache, type Cached } from './cache.js';
import type { Settings } from './options.js';
import { PAUSE, Refusal, refusalOf } from './refusal.js';
import type { ListQuery } from './request.js';

const NO_ARTICLE = 'No such article.';
const NO_LOCATION = 'No such location.';

/**
 * What the proxy shows: published articles of the client's scope, through the cache.
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

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#cache = new Cache(settings.cache, settings.timeout);
    this.#allowance = new Allowance(settings);
  }

  /** @throws {Refusal} */
  list(query: ListQuery, background: Background): Promise<Cached> {
    const { updated_since, since, bulle_id, offset } = query;
    const parameters = [updated_since, since, bulle_id, offset];
    const key = `list ${JSON.stringify(parameters)}`;
    // The list that every visitor reads may use the whole budget, even if it is not in the cache.
    const isPlain = parameters.every((value) => value === undefined);
    const load = async (isNew: boolean) => JSON.stringify(await this.#list(query, isNew && !isPlain));
    return this.#cache.read({ key, load }, background);
  }

  /** @throws {Refusal} The same 404 for a draft, an article out of scope and an unknown id. */
  get(id: number, background: Background): Promise<Cached> {
    const load = async (isNew: boolean) => {
      const { articles } = this.#settings;
      const article = await this.#request(isNew, NO_ARTICLE, (options) => articles.get(id, options));
      if (article.status !== 'published' || !(await this.#isInScope(article, background))) {
        throw new Refusal(404, NO_ARTICLE);
      }
      return JSON.stringify(article);
    };
    return this.#cache.read({ key: keyOf(id), load }, background);
  }

  /** Confirms an article on a page, once in `maxAge`. @throws {Refusal} */
  async confirm(id: number, rendered_url: string | undefined, background: Background): Promise<Cached> {
    await this.get(id, background);
    const load = async () => {
      const { articles } = this.#settings;
      // Always counted as a new query: confirmations must not use the share that revalidations need.
      const confirmation = await this.#request(true, NO_ARTICLE, (options) =>
        articles.confirm(id, rendered_url === undefined ? {} : { rendered_url }, options),
      );
      const { article_id, confirmed_at, confirmation_source } = confirmation;
      return JSON.stringify({ article_id, confirmed_at, confirmation_source } satisfies ArticleConfirmation);
    };
    const key = `confirm ${JSON.stringify([id, rendered_url])}`;
    return this.#cache.read({ key, load, freshOnly: true }, background);
  }

  async #list(query: ListQuery, isNew: boolean): Promise<ArticleList> {
    const { updated_since, since, bulle_id, offset } = query;
    const { articles } = this.#settings;
    const page = await this.#request(isNew, bulle_id && NO_LOCATION, (options) =>
      articles.list({ status: 'published', updated_since, since }, { ...options, extra: { bulle_id, offset } }),
    );
    const published = page.articles.filter(({ status }) => status === 'published');
    for (const article of published) {
      if (bulle_id !== undefined && (article.bulle_id ?? bulle_id) !== bulle_id) {
        // The client is a view of another location, and the view's `bulle_id` went out instead.
        throw new Refusal(404, NO_LOCATION);
      }
    }
    for (const article of published) {
      this.#locations.add(article.bulle_id ?? null);
      // Saves the request of a later `get`, unless the service lists articles without their texts.
      if (typeof article.content_html === 'string') this.#cache.store(keyOf(article.id), JSON.stringify(article));
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
      await this.list(query, background).catch((error) => {
        if (!(error instanceof Refusal) || error.status !== 404) throw error;
      });
    }
    return this.#locations.has(location);
  }

  /** Sends one request to the service if the budget has room. `missing` is the detail of a 404. */
  async #request<T>(
    isNew: boolean,
    missing: string | undefined,
    send: (options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    this.#allowance.take(isNew);
    try {
      // Retries would keep the visitor waiting and spend more than was taken from the budget. Visitors can retry.
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
