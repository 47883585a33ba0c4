import type { LoaderContext } from 'astro/loaders';
import type { z } from 'astro/zod';
import type { ArticleStore, Client } from 'multilocal';
import {
  ApiError,
  ConnectionError,
  InvalidResponseError,
  MassDeletionError,
  RedirectError,
} from 'multilocal/internal/errors';
import type { Inside } from 'multilocal/internal/inspect';
import { inside } from 'multilocal/internal/inspect';
import { hash } from 'multilocal/internal/text';
import {
  type ArticleData,
  type ArticleOptions,
  type ArticleReader,
  articleDataSchema,
  articleReader,
  distinctSlugs,
  type Slugs,
} from './article.js';
import { type ConnectionOptions, clientOf } from './connection.js';
import { notePages } from './note.js';
import { checkOptions } from './options.js';

/** Milliseconds between two complete listings. */
const DAY = 86_400_000;
/** The statuses of a refusal for now: Request Timeout, Too Early, Too Many Requests. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Options of {@link multilocalLoader}. */
export type MultilocalLoaderOptions = ConnectionOptions &
  ArticleOptions & {
    /** Only the articles of this location. Default: the location of the `client`. Without both, a sphere key loads the whole brand. */
    bulle_id?: string | undefined;
    /**
     * Whether to look for deleted articles in this build. That lists all articles, one request per 50. Default: if the
     * last time was more than a day ago.
     */
    reconcile?: boolean | undefined;
    /** Whether to remove articles even if more than half of more than ten are gone. Default `false`. */
    allowMassDeletion?: boolean | undefined;
    /**
     * Whether the collection has drafts too, with `status: 'draft'`: for editors, on the development server or behind a
     * password. One request per 50 drafts in each build. No page of such a build is noted for {@link confirmPages}, and the
     * next build without the option has no draft. Default `false`.
     */
    drafts?: boolean | undefined;
    /**
     * Returns the address of an article's page: a path or an address on `site` of the Astro config, or an absolute address
     * if there is no `site`. With it, a build notes the pages for {@link confirmPages} in Astro's cache folder. It gets the
     * data of the entry, so another schema in `defineCollection` decides which fields there are. A slug that would lead to
     * another site or to the page above it ends the build with an error. Without `site`, only the second is noticed.
     */
    url?: ((article: ArticleData) => string) | undefined;
  };

/** The part of Astro's loader context that the loader uses. */
export interface MultilocalLoaderContext extends Pick<LoaderContext, 'collection' | 'store' | 'meta' | 'parseData'> {
  /** The address of the site, and the folder that is kept between builds. */
  config: Pick<LoaderContext['config'], 'site' | 'cacheDir'>;
  /** Only the development server has one. */
  watcher?: unknown;
  /** Receives the counts of the run, and what went wrong. */
  logger: Pick<LoaderContext['logger'], 'info' | 'warn' | 'error'>;
}

/** A content loader whose entries have the type {@link ArticleData}. */
export interface MultilocalLoader {
  /** `'multilocal'`. */
  name: string;
  /** Updates the collection with the changes since the last build. */
  load: (context: MultilocalLoaderContext) => Promise<void>;
  /** The schema of the entries. Another one in `defineCollection` replaces it. */
  schema: z.ZodType<ArticleData>;
}

/**
 * Loads the published articles into a collection of Astro 5, 6 or 7. Permission `read`.
 *
 * A build requests only what changed since the last one: one request if nothing did. Once a day it lists all articles to
 * find deleted ones. The id of an entry is the article's id as a string. `data.content_html` and what `<Content />`
 * renders are the sanitised HTML. If the key, the address, `bulle_id`, `sanitize` or `slug` changed since the last build,
 * the loader reads all articles again. It compares functions only by their source text.
 *
 * If the service cannot be reached, is overloaded or fails, the build keeps the articles of the last one and logs a
 * warning. A maintenance page and a redirect count as a failure too. If no build has loaded all articles yet, the build
 * fails instead. It also fails if the key is refused, and if an article does not match your schema: the message names the
 * entry.
 * @throws a `ConfigurationError` without `sanitize` and `unsafeHtml`, and if an option is unknown or invalid.
 * @example
 * // src/content.config.ts
 * const allowedTags = sanitizeHtml.defaults.allowedTags.concat('img');
 * const sanitize = (html: string) => sanitizeHtml(html, { allowedTags });
 * const articles = defineCollection({ loader: multilocalLoader({ sanitize }) });
 */
export function multilocalLoader(options: MultilocalLoaderOptions): MultilocalLoader {
  checkOptions('multilocalLoader', options);
  const { read } = articleReader(options);
  return {
    name: 'multilocal',
    schema: articleDataSchema,
    load: async (context) => {
      const client = clientOf(options);
      const { store, meta, watcher } = context;
      const settings = inside(client);
      for (const id of draftsOf(context)) store.delete(id);
      await forgetOthers(context, settings, options);
      try {
        await update(context, client, options, read);
      } finally {
        meta.set('entries', String(store.keys().length));
      }
      meta.set('drafts', JSON.stringify(options.drafts ? await addDrafts(context, client, options, read) : []));
      ownSlugs(context, await settings.account());
      // The articles of the development server, and those of a preview, are not online.
      if (options.url && watcher === undefined && !options.drafts)
        await notePages(context, await settings.account(), options.url);
    },
  };
}

/**
 * Empties the collection if its entries come from another key, address, location or sanitiser. A collection that lost
 * entries counts as never complete.
 */
async function forgetOthers(
  { store, meta }: MultilocalLoaderContext,
  settings: Inside,
  { bulle_id = settings.bulle_id, sanitize, slug }: MultilocalLoaderOptions,
): Promise<void> {
  const origin = await hash(JSON.stringify([await settings.account(), bulle_id, String(sanitize), String(slug)]));
  const isOwn = meta.get('origin') === origin;
  if (!isOwn) store.clear();
  if (isOwn && meta.get('entries') === String(store.keys().length)) return;
  // The slugs stay: what a sanitiser does is no reason for other addresses.
  for (const name of ['cursor', 'reconciled']) meta.delete(name);
  meta.set('origin', origin);
}

const draftsOf = ({ meta }: Pick<MultilocalLoaderContext, 'meta'>): string[] => JSON.parse(meta.get('drafts') ?? '[]');

/** Adds the drafts and returns their ids. They are no part of what the sync compares. */
async function addDrafts(
  context: MultilocalLoaderContext,
  client: Client,
  { bulle_id }: MultilocalLoaderOptions,
  read: ArticleReader['read'],
): Promise<string[]> {
  const { put } = storeOf(context, read);
  const ids: string[] = [];
  for await (const article of client.articles.changes({ status: 'draft', bulle_id })) {
    await put(article);
    ids.push(String(article.id));
  }
  return ids;
}

async function update(
  context: MultilocalLoaderContext,
  client: Client,
  { bulle_id, allowMassDeletion, reconcile }: MultilocalLoaderOptions,
  read: ArticleReader['read'],
): Promise<void> {
  const { meta, logger } = context;
  const last = meta.get('reconciled');
  const isComplete = last !== undefined;
  const age = Date.now() - Date.parse(last ?? '');
  // Even if the stored time is in the future or cannot be read.
  const isDue = reconcile ?? !(age >= 0 && age < DAY);
  try {
    // The first sync reads everything, with or without `reconcile`.
    const { upserted, unpublished, deleted, requests } = await client.articles.syncTo(storeOf(context, read), {
      bulle_id,
      allowMassDeletion,
      reconcile: isComplete && isDue,
    });
    if (isDue || !isComplete) meta.set('reconciled', new Date().toISOString());
    const gone = unpublished + deleted;
    logger.info(`${upserted} articles new or changed, ${gone} gone. Requests: ${requests}.`);
  } catch (error) {
    if (!isComplete) {
      logger.error('No build has loaded all articles yet. This one fails, because the site would lack articles.');
      throw error;
    }
    if (error instanceof MassDeletionError) {
      const allow = 'To remove them, pass `allowMassDeletion: true` to multilocalLoader for one build.';
      logger.error(`${error.missing} of ${error.known} articles are gone from the service. All were kept. ${allow}`);
    } else if (isOutage(error)) {
      logger.warn(`The articles of the last build were kept, because the service failed: ${error.message}`);
    } else throw error;
  }
}

/** Gives every entry a slug of its own. The slugs of articles that are gone stay known. */
function ownSlugs({ store, meta, logger }: MultilocalLoaderContext, account: string): void {
  const name = `slugs ${account}`;
  const known: Slugs = JSON.parse(meta.get(name) ?? '{}');
  const drafts = new Set(draftsOf({ meta }));
  // The schema of the user may leave the slug out.
  const entries = store.values().filter(({ data }) => typeof data.slug === 'string');
  const articles = entries.map(({ id, data }) => ({ ...data, id: Number(id), slug: `${data.slug}` }));
  // An entry that did not change has its own slug already.
  for (const { id, slug } of articles) if (!known[id]?.includes(slug)) delete known[id];
  for (const [number, sent, slug, first] of distinctSlugs(articles, known)) {
    const id = String(number);
    // A draft has no address yet, unless it was online before.
    if (known[id] || !drafts.has(id)) known[id] = [sent, slug];
    if (first !== number && slug !== sent)
      logger.warn(`Articles ${first} and ${id} have one slug. That of article ${id} is now \`${slug}\`.`);
    const entry = store.get(id);
    if (!entry || slug === entry.data.slug) continue;
    store.delete(id); // Astro ignores an entry with the digest of the stored one
    store.set({ ...entry, data: { ...entry.data, slug } });
  }
  meta.set(name, JSON.stringify(known));
}

/** Whether a later build may succeed without a change by the user. */
function isOutage(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500 || PASSING.has(error.status);
  // A maintenance page has status 200 or is behind a redirect.
  return [ConnectionError, InvalidResponseError, RedirectError].some((kind) => error instanceof kind);
}

function storeOf({ store, meta, parseData }: MultilocalLoaderContext, read: ArticleReader['read']): ArticleStore {
  return {
    loadCursor: () => meta.get('cursor') ?? null,
    saveCursor: (cursor) => meta.set('cursor', cursor),
    ids: () => store.keys().map(Number),
    *versions() {
      for (const { id, digest } of store.values()) yield [Number(id), String(digest)];
    },
    put: async (article) => {
      const id = String(article.id);
      const data = await read(article);
      // An error of the user's schema ends the sync here. The cursor stays before this article.
      const parsed = await parseData({ id, data: { ...data } });
      store.set({ id, data: parsed, digest: article.updated_at, rendered: { html: data.content_html } });
    },
    remove: (id) => store.delete(String(id)),
  };
}
