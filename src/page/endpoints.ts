import * as z from 'zod/mini';
import type { ApiResult } from '../core/api.js';
import { NotFoundError } from '../core/errors/index.js';
import { callError } from '../core/failure.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import { type Article, type ArticleList, articleFields, listOf } from '../resources/articles-reads-schema.js';
import type { FreshPage } from '../resources/pages.js';
import type { ProxyEndpoint } from './http.js';

/** The name of a field of an article. */
export type ArticleField = keyof Article;

/** An article with only these fields. With all fields, an {@link Article}. */
export type ArticlePart<Field extends ArticleField> = [ArticleField] extends [Field] ? Article : Pick<Article, Field>;

/** Parameters of `latest`. */
export interface ArticleLatestParams<Field extends ArticleField = ArticleField> {
  /** Number of articles on a page, 1 to 100. Default 20. */
  limit?: number | undefined;
  /** Number of newer articles to leave out. Default 0. */
  offset?: number | undefined;
  /** Only articles with exactly this label. */
  category?: string | undefined;
  /**
   * Only these fields, at least one. Default: all fields, which include the whole text. An iteration over several pages
   * needs `id`, because it recognises by the id an article that has moved to the next page.
   */
  fields?: readonly Field[] | undefined;
  /** Only this location. */
  bulle_id?: string | undefined;
}

/** Parameters of `related`. */
export interface ArticleRelatedParams<Field extends ArticleField = ArticleField> {
  /** Maximum number of articles, 1 to 100. The proxy has a default. */
  limit?: number | undefined;
  /** Only these fields, at least one. Default: all fields, which include the whole text. */
  fields?: readonly Field[] | undefined;
}

/** Number of articles of a category. */
export interface ArticleCategory {
  /** The label, as the articles have it. */
  category: string;
  /** Number of published articles with it. */
  count: number;
}

// Everything below is made when a method is called. At the top of the module, bundlers would keep it in pages that only use
// another export of the entry.

const fieldNames = () => Object.keys(articleFields) as ArticleField[];
const limit = () => z.optional(s.int(1, 100));
const fields = () => z.optional(s.list(s.oneOf(fieldNames()), 1));

/** The schemas of {@link ArticleRelatedParams}. */
export const relatedFields = () => ({ limit: limit(), fields: fields() });

/** The schemas of {@link ArticleLatestParams}. */
export const latestFields = () => ({
  limit: limit(),
  offset: z.optional(s.int(0)),
  category: z.optional(s.text(1)),
  fields: fields(),
  bulle_id: s.target,
});

/** The schema of an article with these fields, and with what the request has filtered by. */
function partOf(names: readonly ArticleField[] = fieldNames(), filtered: s.Shape = {}): s.Schema {
  return s.object({ ...Object.fromEntries(names.map((name) => [name, articleFields[name]])), ...filtered });
}

/** What this module needs from a page, with any `validation`. */
const counted = () => s.object({ articles: s.list(s.opaque), total: s.integer });

/** A field that must have the value of the request: otherwise the response is not filtered. */
const asAsked = (value: unknown) => z.custom((given) => given === value, 'is not what was asked for');

// The schemas of the responses depend on the parameters, which are checked only when the call is prepared. So these
// schemas are made when a response has come.

/** The articles by date of publication. */
export function latestEndpoint(params: ArticleLatestParams | undefined): ProxyEndpoint {
  const { fields: names, category } = params ?? {};
  return {
    operation: 'articles.latest',
    method: 'GET',
    path: '/articles',
    isOfProxy: true,
    target: 'bulle_id',
    constants: { order: 'newest', status: 'published' },
    params: s.params({ ...latestFields(), order: s.oneOf(['newest']), status: s.oneOf(['published']) }),
    get response() {
      return listOf(partOf(names, category === undefined ? {} : { category: z.optional(asAsked(category)) }));
    },
  };
}

/** One article by its slug. */
export function slugEndpoint(slug: string): ProxyEndpoint {
  return {
    operation: 'articles.bySlug',
    method: 'GET',
    path: '/articles',
    isOfProxy: true,
    target: 'bulle_id',
    constants: { slug, limit: 1 },
    params: s.params({ slug: s.text(1), bulle_id: s.target, limit: limit() }),
    get response() {
      return listOf(partOf(undefined, { slug: asAsked(slug) }));
    },
    resultOf(body, call) {
      const result = { data: body as ArticleList, response: call.response as Response };
      const [article] = needed(result, counted()).articles;
      if (article) return article;
      const headers = call.redactor.headers(call.response?.headers ?? []);
      const fields = { status: 404, detail: '', origin: 'service', body: undefined, headers } as const;
      throw callError(call, NotFoundError, 'no published article has this slug', fields);
    },
  };
}

/** The articles beside one article. */
export function relatedEndpoint(params: ArticleRelatedParams | undefined): ProxyEndpoint {
  const { fields: names } = params ?? {};
  return {
    operation: 'articles.related',
    method: 'GET',
    path: '/articles/{article_id}/related',
    isOfProxy: true,
    params: s.params(relatedFields()),
    get response() {
      return s.list(partOf(names));
    },
  };
}

/** The categories of the articles. */
export function categoriesEndpoint(): ProxyEndpoint {
  return {
    operation: 'articles.categories',
    method: 'GET',
    path: '/categories',
    isOfProxy: true,
    target: 'bulle_id',
    params: s.params({ bulle_id: s.target }),
    get response() {
      return s.list(s.object({ category: s.string, count: s.integer }));
    },
  };
}

/** Reads the pages by offset up to `total`. An article that has moved to the next page is recognised by its id. */
export async function* latestPages<Page extends ArticleList<Partial<Article>>>(
  first: Promise<ApiResult<Page>>,
  start: number,
  ask: (offset: number) => Promise<ApiResult<Page>>,
): AsyncGenerator<FreshPage<Page, Page['articles'][number]>, void, undefined> {
  const seen = new Set<unknown>();
  let page = needed(await first, counted());
  for (let offset = start; ; ) {
    const { articles, total } = page;
    const fresh = articles.filter(({ id = {} }) => seen.size < seen.add(id).size);
    if (fresh.length > 0 || offset === start) yield { page, fresh };
    // A page without new articles follows publications, unless the server repeats a page for every offset.
    const isRepeated = fresh.length === 0 && page.offset !== offset;
    offset += articles.length;
    if (articles.length === 0 || isRepeated || offset >= total) return;
    page = needed(await ask(offset), counted());
  }
}
