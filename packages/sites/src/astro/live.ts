import type { LiveDataEntry } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import type { Article, Client } from 'multilocal';
import { inside } from 'multilocal/internal/inspect';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { type ArticleData, type ArticleOptions, articleReader, distinctSlugs, type Slugs } from './article.js';
import { type ConnectionOptions, clientOf, isMissing, RESERVE } from './connection.js';
import { Missing, shared } from './lookups.js';
import { checkOptions } from './options.js';

/** Milliseconds that a visitor may wait for the limiter. */
const MAX_WAIT = 10_000;

/** Options of {@link multilocalLiveLoader}. */
export type MultilocalLiveLoaderOptions = ConnectionOptions &
  ArticleOptions & {
    /** Only the articles of this location. Default: the location of the `client`. Without both, a sphere key reads the whole brand. */
    bulle_id?: string | undefined;
  };

/** Which article `getLiveEntry` returns. A string is an id. */
export type ArticleFilter =
  | {
      /** Id of the article: one request, and none for a minute if it is unknown. Before the first list, its slug is as sent. */
      id: string;
    }
  | {
      /**
       * Slug of the article, as the collection has it: a later article with the slug `a` has `a-42` while both are online. The
       * service cannot search for it, so the loader lists all articles at most once a minute, with one request per 50 articles.
       * An article that is found costs one more request. The loader knows a new slug after at most one minute.
       */
      slug: string;
    };

/** The loader of a live collection whose entries have the type {@link ArticleData}. */
export type MultilocalLiveLoader = LiveLoader<ArticleData, ArticleFilter, never, Error>;

/**
 * Reads published articles when a page is requested, for live collections of Astro 5.10 or later. Permission `read`.
 *
 * `getLiveEntry` costs one request. With a slug it also lists all articles, at most once a minute for all visitors.
 * `getLiveCollection` costs one request per 50 articles. Visitors must not use up these requests: cache the routes with
 * the `cacheHint`, or use {@link multilocalLoader}. A client made from `connection` leaves 20 requests of each minute to
 * others and fails rather than wait longer than 10 s, unless you pass `rateLimit`. An entry has the tag
 * `multilocal:article:<id>`, and the collection has the tag `multilocal:articles`.
 *
 * Nothing throws: a failure is the `error` of the result. A draft and an unknown article give no entry.
 * @throws a `ConfigurationError` without `sanitize` and `unsafeHtml`, and if an option is unknown or invalid.
 * @example
 * // src/live.config.ts
 * const allowedTags = sanitizeHtml.defaults.allowedTags.concat('img');
 * const sanitize = (html: string) => sanitizeHtml(html, { allowedTags });
 * const articles = defineLiveCollection({ loader: multilocalLiveLoader({ sanitize }) });
 */
export function multilocalLiveLoader(options: MultilocalLiveLoaderOptions): MultilocalLiveLoader {
  checkOptions('multilocalLiveLoader', options);
  const { read, slugOf } = articleReader(options);
  const { bulle_id } = options;
  let client: Client | undefined;
  const connected = () => {
    client ??= clientOf(options, { maxWait: MAX_WAIT, reserve: RESERVE });
    return client;
  };

  const entryOf = async (article: Article): Promise<LiveDataEntry<ArticleData>> => {
    const data = await read(article);
    const cacheHint = { tags: [`multilocal:article:${article.id}`], ...modified([article]) };
    return { id: String(article.id), data, rendered: { html: data.content_html }, cacheHint };
  };

  const { find, list } = reading(connected, bulle_id, slugOf);
  return {
    name: 'multilocal-live',
    loadEntry: ({ filter }) =>
      orError(async () => {
        const article = await find(filter);
        return article && entryOf(article);
      }),
    loadCollection: () =>
      orError(async () => {
        const online = await list();
        const entries = await Promise.all(online.map(entryOf));
        return { entries, cacheHint: { tags: ['multilocal:articles'], ...modified(online) } };
      }),
  };
}

/** Reads what is online, with few requests for addresses that visitors invent. */
function reading(connected: () => Client, bulle_id: string | undefined, slugOf: (article: Article) => string) {
  /** What the last walk found: the slugs by article, and the articles by their own slug. */
  let slugs: Slugs = {};
  let ids = new Map<string, number>();
  const named = (article: Article): Article => {
    const [sent, slug = null] = slugs[article.id] ?? [];
    return sent === slugOf(article) ? { ...article, slug } : article;
  };
  const list = async () => {
    // An article that changes during the walk comes twice.
    const found = new Map<number, Article>();
    for await (const article of connected().articles.changes({ bulle_id })) found.set(article.id, article);
    const online = [...found.values()].filter(isOnline);
    const given = distinctSlugs(online.map((article) => ({ ...article, slug: slugOf(article) })));
    slugs = Object.fromEntries(given.map(([id, sent, own]) => [id, [sent, own]]));
    ids = new Map(given.map(([id, , own]) => [own, id]));
    return online.map(named);
  };

  // What is kept for a minute has no texts.
  const walked = shared(async () => void (await list()));
  const missing = new Missing();
  const get = async (id: number): Promise<Article | undefined> => {
    if (missing.has(id)) return undefined;
    // A route by id reaches every location of the key, even through a view.
    const location = bulle_id ?? inside(connected()).bulle_id;
    const article = await connected().articles.get(id).catch(orNothing);
    const isHere = location === undefined || article?.bulle_id === location;
    if (article && isHere && isOnline(article)) return named(article);
    missing.add(id);
    return undefined;
  };

  // Addresses come from visitors. What cannot exist costs no request.
  const find = async (filter: ArticleFilter): Promise<Article | undefined> => {
    const { id, slug } = Object(filter) as { id?: unknown; slug?: unknown };
    if (typeof slug === 'string' && slug !== '') {
      await walked();
      const id = ids.get(slug);
      const article = id && (await get(id));
      return article && slugOf(article) === slug ? article : undefined;
    }
    return /^[1-9]\d{0,14}$/.test(String(id)) ? get(Number(id)) : undefined;
  };
  return { find, list };
}

function isOnline({ status }: Article): boolean {
  return status === 'published';
}

/** @throws the error, unless it says that the article does not exist. */
function orNothing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

async function orError<T>(work: () => Promise<T>): Promise<T | { error: Error }> {
  try {
    return await work();
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}

/** Returns the time of the last change. Returns an empty object if no `updated_at` can be read. */
function modified(articles: readonly Article[]): { lastModified?: Date } {
  const times = articles.map(({ updated_at }) => parseTimestamp(updated_at)?.getTime() ?? 0);
  const last = times.reduce((a, b) => Math.max(a, b), 0);
  return last > 0 ? { lastModified: new Date(last) } : {};
}
