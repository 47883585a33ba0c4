import { type ApiPromise, apiOf } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { BulleTarget } from '../core/types.js';
import { ArticleReads } from '../resources/articles-reads.js';
import type { Article, ArticleList } from '../resources/articles-reads-schema.js';
import { ListPromise } from '../resources/pages.js';
import { type ArticlesClientOptions, connect } from './connect.js';
import {
  type ArticleCategory,
  type ArticleField,
  type ArticleLatestParams,
  type ArticlePart,
  type ArticleRelatedParams,
  categoriesEndpoint,
  latestEndpoint,
  latestPages,
  relatedEndpoint,
  slugEndpoint,
} from './endpoints.js';
import { markListener, PageHttp } from './http.js';

/**
 * The client for browsers and custom sites. It has `list`, `get`, `changes` and `confirm` of `client.articles`. `latest`,
 * `bySlug`, `related` and `categories` need the address of an `articlesProxy`. The client sends no `GET /me`, and only headers that
 * the CORS preflight of the articles routes allows.
 * @example
 * const articles = new ArticlesClient({ baseUrl: '/content' }); // a proxy on the page's own server
 * const { articles: newest } = await articles.latest({ limit: 6, fields: ['id', 'title', 'slug'] });
 */
export class ArticlesClient extends ArticleReads {
  /**
   * Creates a client without sending a request. It needs only the address of a proxy, which adds the key.
   * @param options `baseUrl`: the address of the proxy or of the service. In a page and its workers, a path such as
   * `/content` is allowed. `apiKey`: leave it out in pages, because everyone who opens a page can read the key. All other
   * options have a default, such as `timeout` (30 000 ms) and `maxRetries` (2).
   * @throws a {@link ConfigurationError} if the key, the address or an option is invalid.
   * @example
   * const articles = new ArticlesClient({ baseUrl: '/content' }); // a proxy on the page's own server
   * const { articles: newest } = await articles.latest({ limit: 6, fields: ['id', 'title', 'slug'] });
   */
  constructor(options: ArticlesClientOptions) {
    const api = connect(options, PageHttp, [markListener]);
    super(api);
  }

  /**
   * Lists published articles, newest publication first: one page if awaited, all articles if iterated.
   * `GET /articles` with `order=newest`, only from `articlesProxy`.
   *
   * `limit` is the size of a page, 1 to 100, 20 by default. An iteration continues by `offset` until `total` is reached. If
   * an article goes offline meanwhile, the iteration may miss another one: `changes` reads without a gap.
   * `fields` leaves the other fields out, and the type of the articles follows.
   * @throws a {@link ConfigurationError} if the address is not that of an `articlesProxy`.
   * @throws an {@link InvalidResponseError} if an article has another `category`, or lacks one of the `fields`.
   * @example
   * const { articles: newest, total } = await articles.latest({ limit: 6, fields: ['id', 'title', 'slug'] });
   * for await (const { title } of articles.latest({ category: 'Pains' })) console.log(title);
   */
  latest<Field extends ArticleField = ArticleField>(
    params?: ArticleLatestParams<Field>,
    options?: RequestOptions,
  ): ListPromise<ArticleList<ArticlePart<Field>>, ArticlePart<Field>> {
    type Page = ArticleList<ArticlePart<Field>>;
    const endpoint = latestEndpoint(params);
    // The caller may change the object before the next page is requested.
    const asked = { ...params };
    const start = Number(apiOf(this).sent(endpoint, asked, options).offset ?? 0);
    const first = apiOf(this).ask<Page>(endpoint, params, options);
    const ask = (offset: number) =>
      apiOf(this).ask<Page>(endpoint, asked, { ...options, extra: { ...options?.extra, offset } });
    return new ListPromise(first, () => latestPages(first, start, ask), endpoint.operation, apiOf(this).trail(options));
  }

  /**
   * Reads the published article with a slug. `GET /articles` with `slug`, only from `articlesProxy`.
   * @throws a {@link NotFoundError} if no published article has the slug.
   * @throws a {@link ConfigurationError} if the address is not that of an `articlesProxy`.
   * @example const { title, content_html } = await articles.bySlug('le-pain-au-levain');
   */
  bySlug(slug: string, params?: BulleTarget, options?: RequestOptions): ApiPromise<Article> {
    return apiOf(this).send(slugEndpoint(slug), params, options);
  }

  /**
   * Returns the articles to read after one: same category first, then same location, then nearest publication.
   * `GET /articles/{article_id}/related`, only from `articlesProxy`.
   *
   * `limit` is 1 to 100. `fields` leaves the other fields out, and the type of the articles follows.
   * @throws a {@link NotFoundError} if no published article has the id.
   * @throws a {@link ConfigurationError} if the address is not that of an `articlesProxy`.
   * @example const [next] = await articles.related(42, { limit: 1, fields: ['title', 'slug'] });
   */
  related<Field extends ArticleField = ArticleField>(
    article_id: number,
    params?: ArticleRelatedParams<Field>,
    options?: RequestOptions,
  ): ApiPromise<ArticlePart<Field>[]> {
    return apiOf(this).send(relatedEndpoint(params), params, options, { article_id });
  }

  /**
   * Returns the categories of the published articles, each with the number of its articles. `GET /categories`, only from
   * `articlesProxy`. Articles without a category count in none.
   * @throws a {@link ConfigurationError} if the address is not that of an `articlesProxy`.
   * @example for (const { category, count } of await articles.categories()) console.log(category, count);
   */
  categories(params?: BulleTarget, options?: RequestOptions): ApiPromise<ArticleCategory[]> {
    return apiOf(this).send(categoriesEndpoint(), params, options);
  }
}
