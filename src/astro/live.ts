import type { LiveDataEntry } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import type { Client } from '../client.js';
import { NotFoundError } from '../core/errors/index.js';
import { parseTimestamp } from '../core/timestamps.js';
import type { Article } from '../resources/articles-schema.js';
import { type ArticleData, type ArticleOptions, articleReader } from './article.js';
import { type ConnectionOptions, clientOf } from './connection.js';

/** Options of {@link multilocalLiveLoader}. */
export type MultilocalLiveLoaderOptions = ConnectionOptions &
  ArticleOptions & {
    /** Only the articles of this location. Without it, a sphere key reads those of the whole brand. */
    bulle_id?: string | undefined;
  };

/** Which article `getLiveEntry` returns. A string is an id. */
export type ArticleFilter =
  | {
      /** Id of the article. Costs one request. */
      id: string;
    }
  | {
      /** Slug of the article. The service cannot search for it: costs one request per 50 articles until it is found. */
      slug: string;
    };

/** The loader of a live collection whose entries have the type {@link ArticleData}. */
export type MultilocalLiveLoader = LiveLoader<ArticleData, ArticleFilter, never, Error>;

/**
 * Reads published articles when a page is requested, for live collections of Astro 5.10 or later. Permission `read`.
 *
 * `getLiveEntry` costs one request with an id, and one per 50 articles with a slug. `getLiveCollection` costs one
 * request per 50 articles. Visitors must not use up these requests: cache the routes with the `cacheHint`, or use
 * {@link multilocalLoader}. An entry carries the tag `multilocal:article:<id>`, the collection `multilocal:articles`.
 *
 * Nothing throws: a failure is the `error` of the result. A draft and an unknown article give no entry.
 * @throws a {@link ConfigurationError} without `sanitize` and `unsafeHtml`.
 * @example
 * // src/live.config.ts
 * const articles = defineLiveCollection({ loader: multilocalLiveLoader({ sanitize: (html) => sanitizeHtml(html) }) });
 */
export function multilocalLiveLoader(options: MultilocalLiveLoaderOptions): MultilocalLiveLoader {
  const { read, slugOf } = articleReader(options);
  const { bulle_id } = options;
  let client: Client | undefined;
  const articles = () => {
    client ??= clientOf(options);
    return client.articles;
  };

  const entryOf = async (article: Article): Promise<LiveDataEntry<ArticleData>> => {
    const data = await read(article);
    const cacheHint = { tags: [`multilocal:article:${article.id}`], ...modified([article]) };
    return { id: String(article.id), data, rendered: { html: data.content_html }, cacheHint };
  };

  const find = async (filter: ArticleFilter): Promise<Article | undefined> => {
    if ('slug' in filter) {
      for await (const article of articles().changes({ bulle_id })) {
        if (slugOf(article) === filter.slug && isOnline(article)) return article;
      }
      return undefined;
    }
    // Addresses come from visitors. An id that cannot exist costs no request.
    if (!/^[1-9]\d{0,14}$/.test(filter.id)) return undefined;
    const article = await articles().get(Number(filter.id)).catch(orNothing);
    const isHere = bulle_id === undefined || article?.bulle_id === bulle_id;
    return article && isHere && isOnline(article) ? article : undefined;
  };

  return {
    name: 'multilocal-live',
    loadEntry: ({ filter }) =>
      orError(async () => {
        const article = await find(filter);
        return article && entryOf(article);
      }),
    loadCollection: () =>
      orError(async () => {
        // An article that changes during the walk comes twice.
        const found = new Map<number, Article>();
        for await (const article of articles().changes({ bulle_id })) found.set(article.id, article);
        const online = [...found.values()].filter(isOnline);
        const entries = await Promise.all(online.map(entryOf));
        return { entries, cacheHint: { tags: ['multilocal:articles'], ...modified(online) } };
      }),
  };
}

function isOnline({ status }: Article): boolean {
  return status === 'published';
}

/** @throws the error, unless it says that the article does not exist. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof NotFoundError && error.code === 'not_found')) throw error;
}

async function orError<T>(work: () => Promise<T>): Promise<T | { error: Error }> {
  try {
    return await work();
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}

/** The time of the last change. Nothing if there is none that can be read. */
function modified(articles: readonly Article[]): { lastModified?: Date } {
  const times = articles.map(({ updated_at }) => parseTimestamp(updated_at)?.getTime() ?? 0);
  const last = times.reduce((a, b) => Math.max(a, b), 0);
  return last > 0 ? { lastModified: new Date(last) } : {};
}
