import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { ownFields } from '../core/request.js';
import { BEGINNING, walk } from '../sync/walk.js';
import { articlePages, cursorOf, from, listing } from './articles-list.js';
import {
  type Article,
  type ArticleChangesParams,
  type ArticleConfirmation,
  type ArticleConfirmParams,
  type ArticleList,
  type ArticleListParams,
  articleChangesParamsSchema,
  articleReadEndpoints,
} from './articles-reads-schema.js';
import { each, ListPromise } from './pages.js';

const changesEndpoint = endpoint({
  ...articleReadEndpoints.list,
  operation: 'articles.changes',
  params: articleChangesParamsSchema,
});

/** The methods of `client.articles` that `ArticlesClient` has too. */
export class ArticleReads extends Resource {
  /**
   * Lists articles. `GET /articles`, permission `read`.
   *
   * The service sorts only with `updated_since`. Always pass `status`, because its default is not documented. With a
   * sphere key and no `bulle_id`, the list covers the whole brand.
   * @remarks `await` returns one page as the service sends it, `for await` all articles, each once, oldest change first.
   * An iteration that begins right after the call asks for this order. One that begins later costs one more request if
   * there is more than one page.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if the key does not cover the `bulle_id`.
   * @throws a {@link SyncStalledError} from an iteration if the client cannot read the list without a gap.
   * @example
   * const { articles, total } = await client.articles.list({ status: 'published' });
   * for await (const { title } of client.articles.list({ status: 'published' })) console.log(title);
   */
  list(params?: ArticleListParams, options?: RequestOptions): ListPromise<ArticleList, Article> {
    const { list: endpoint } = articleReadEndpoints;
    // The caller may change the objects before the next page is requested.
    const [asked, own] = [ownFields(params), { ...options }];
    const sent = apiOf(this).sent(endpoint, asked, own);
    let isIterated = false;
    let isSorted = sent.updated_since !== undefined;
    const first = apiOf(this).ask<ArticleList>(endpoint, params, options, undefined, () => {
      if (isSorted || !isIterated) return undefined;
      isSorted = true;
      return { updated_since: BEGINNING };
    });
    const pages = () => {
      isIterated = true;
      return articlePages(first, listing(apiOf(this), asked, own), sent, () => isSorted);
    };
    return new ListPromise(first, pages, endpoint.operation, apiOf(this).trail(own));
  }

  /**
   * Reads one article. `GET /articles/{article_id}`, permission `read`.
   * @throws a {@link NotFoundError} if the key's scope contains no such article.
   * @example const { slug } = await client.articles.get(42);
   */
  get(article_id: number, options?: RequestOptions): ApiPromise<Article> {
    return apiOf(this).send(articleReadEndpoints.get, {}, options, { article_id });
  }

  /**
   * Tells the service that an article is live on your site. `POST /articles/{article_id}/confirm`, permission `read`.
   *
   * The call is idempotent: another call only refreshes `confirmed_at`. With `rendered_url`, other articles of the same
   * location may link to the page. Each confirmation costs one request, so confirm when the article or its address
   * changed and not on every build.
   * @throws a {@link NotFoundError} if the key's scope contains no such article.
   * @example await client.articles.confirm(42, { rendered_url: 'https://www.example.com/blog/levain' });
   */
  confirm(
    article_id: number,
    params?: ArticleConfirmParams,
    options?: RequestOptions,
  ): ApiPromise<ArticleConfirmation> {
    return apiOf(this).send(articleReadEndpoints.confirm, params, options, { article_id });
  }

  /**
   * Iterates all changed articles, oldest change first, each version once. `GET /articles` with `updated_since`,
   * permission `read`. Each page costs one request.
   *
   * To continue later, keep the `updated_at` of the last article as an unchanged string, after the loop: articles may
   * share one. Unpublished and deleted articles are not included: use `articles.sync` for both.
   * @throws a {@link SyncStalledError} if the client cannot read the list without a gap.
   * @example
   * let last = cursor;
   * for await (const article of client.articles.changes({ since: cursor })) {
   *   await render(article);
   *   last = article.updated_at;
   * }
   * cursor = last;
   */
  async *changes(params?: ArticleChangesParams, options?: RequestOptions): AsyncGenerator<Article, void, undefined> {
    apiOf(this).check(changesEndpoint, params, options);
    const { since, status = 'published', bulle_id } = params ?? {};
    const sent = apiOf(this).sent(changesEndpoint, { updated_since: since }, options);
    const cursor = cursorOf(sent);
    const list = from(listing(apiOf(this), { status, bulle_id }, options), cursor, Number(sent.offset));
    yield* each(walk(list, cursor), ({ articles }) => articles, apiOf(this).trail(options));
  }
}
