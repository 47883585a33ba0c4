import { RateLimitError } from '../core/errors/index.js';
import type { RequestOptions } from '../core/options.js';
import type { Article, ArticleConfirmation, ArticleList } from '../resources/articles-schema.js';
import { Allowance } from './allowance.js';
import { type Background, Cache, type Kept } from './cache.js';
import type { Settings } from './options.js';
import type { ListQuery } from './request.js';
import { PAUSE, Refusal, refusalOf } from './refusal.js';

const NO_ARTICLE = 'No such article.';
const NO_LOCATION = 'No such location.';

/**
 * What the proxy shows: published articles of the client's scope, through the cache.
 *
 * The scope is the client's, and no visitor's to widen. A `bulle_id` goes upstream as an extra parameter, since those
 * never replace what a `forBulle` view fills in. The route of one article takes no `bulle_id` at all, so a view would
 * get those of any location that its key covers: an article counts only if lists of this client show its location.
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
  list(query: ListQuery, background: Background): Promise<Kept> {
    const { updated_since, since, bulle_id, offset } = query;
    const key = `list ${JSON.stringify([updated_since, since, bulle_id, offset])}`;
    // What every visitor asks for is never a new question.
    const isPlain = Object.keys(query).length === 0;
    const load = async (isNew: boolean) => JSON.stringify(await this.#list(query, isNew && !isPlain));
    return this.#cache.read({ key, load }, background);
  }

  /** @throws {Refusal} 404 for a draft and for an article out of scope, as for one that is not there. */
  get(id: number, background: Background): Promise<Kept> {
    const load = async (isNew: boolean) => {
      const { articles } = this.#settings;
      const article = await this.#ask(isNew, NO_ARTICLE, (options) => articles.get(id, options));
      if (article.status !== 'published' || !(await this.#isInScope(article, background))) {
        throw new Refusal(404, NO_ARTICLE);
      }
      return JSON.stringify(article);
    };
    return this.#cache.read({ key: keyOf(id), load }, background);
  }

  /** Once for an article and its page, as long as answers are kept. @throws {Refusal} */
  async confirm(id: number, rendered_url: string | undefined, background: Background): Promise<Kept> {
    await this.get(id, background);
    const load = async () => {
      const { articles } = this.#settings;
      // A confirmation counts as a new question each time: it is never more urgent than what is read.
      const confirmation = await this.#ask(true, NO_ARTICLE, (options) =>
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
    const page = await this.#ask(isNew, bulle_id && NO_LOCATION, (options) =>
      articles.list({ status: 'published', updated_since, since }, { ...options, extra: { bulle_id, offset } }),
    );
    const published = page.articles.filter(({ status }) => status === 'published');
    for (const article of published) {
      if (bulle_id !== undefined && (article.bulle_id ?? bulle_id) !== bulle_id) {
        // The client is a view of another location, and filled that in.
        throw new Refusal(404, NO_LOCATION);
      }
    }
    for (const article of published) {
      this.#locations.add(article.bulle_id ?? null);
      // An answer to `get` that costs nothing; where lists come without the texts, they are none.
      if (typeof article.content_html === 'string') this.#cache.keep(keyOf(article.id), JSON.stringify(article));
    }
    return {
      articles: published,
      total: Math.max(page.total - (page.articles.length - published.length), published.length),
      limit: page.limit,
      offset: page.offset,
    };
  }

  /** Whether lists of this client show the article's location. Costs a request for each location, once. */
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

  /** One request to the service, where the budget has room, with nothing of the visitor's but checked values. */
  async #ask<T>(isNew: boolean, missing: string | undefined, ask: (options: RequestOptions) => Promise<T>): Promise<T> {
    this.#allowance.take(isNew);
    try {
      // Repetitions would keep the visitor waiting and spend more than was taken: visitors repeat, if they want to.
      return await ask({ totalTimeout: this.#settings.timeout, maxRetries: 0, validation: 'throw' });
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
