import * as z from 'zod/mini';
import { served } from '../../engine/clock.js';
import { dateTime, defined, found, optionsSchema, readOptions } from '../../engine/options.js';
import { findBulle } from '../../engine/scope.js';
import { cancel, type Service } from '../../engine/store.js';
import { ids } from '../../seed/brand.js';
import {
  addArticle,
  articlesSlice,
  findArticle,
  type MockArticle,
  PUBLISH_JOB,
  type StoredArticle,
  servedArticle,
  slugFor,
} from './article.js';
import { generateArticle } from './texts.js';

/**
 * Fields of an article to set from outside the API. Without `updated_at`, the mock uses its clock. Pass the same value
 * for two articles to give them equal timestamps. Timestamps are ISO 8601. Without an offset they are UTC.
 */
export type MockArticlePatch = Partial<Omit<MockArticle, 'id' | 'bulle_name'>>;

/** Changes to articles from outside the API, as an editor or another user would make them. */
export interface MockArticles {
  /** Adds an article. By default it is published, has a text and belongs to no location. */
  add(fields?: MockArticlePatch): MockArticle;
  /** Changes an article, online or not. Its `updated_at` always changes. */
  touch(id: number, patch?: MockArticlePatch): MockArticle;
  /** Takes an article offline: it becomes a draft and keeps its slug. */
  unpublish(id: number, options?: { updated_at?: string | undefined }): MockArticle;
  /** Deletes an article: it disappears from every list. */
  remove(id: number): void;
  /** Returns an article. @throws RangeError if it does not exist. */
  get(id: number): MockArticle;
  /** Returns every article of the brand, including drafts, sorted by id. */
  all(): MockArticle[];
  /** Returns the last confirmation of an article. `undefined` if there is none. */
  confirmation(id: number):
    | {
        /** ISO 8601, UTC. */
        confirmed_at: string;
        /** Address of the page that shows the article. `null` if the confirmation had none. */
        rendered_url: string | null;
      }
    | undefined;
}

const nullableText = z.optional(z.nullable(z.string()));

const patchShape = {
  title: z.optional(z.string()),
  excerpt: nullableText,
  content_html: z.optional(z.string()),
  featured_image_url: nullableText,
  meta_title: nullableText,
  meta_description: nullableText,
  target_keyword: z.optional(z.string()),
  category: nullableText,
  status: z.optional(z.enum(['published', 'draft'])),
  published_at: z.optional(z.nullable(dateTime)),
  created_at: z.optional(dateTime),
  updated_at: z.optional(dateTime),
  slug: nullableText,
  bulle_id: nullableText,
};
const addOptions = optionsSchema('articles.add', patchShape);
const touchOptions = optionsSchema('articles.touch', patchShape);
const unpublishOptions = optionsSchema('articles.unpublish', { updated_at: z.optional(dateTime) });

type Patch = z.output<typeof touchOptions>;

export function createArticles(service: () => Service): MockArticles {
  const find = (id: number) => found(findArticle(service().store, id), `the mock has no article ${id}`);

  /** Sets the given fields. A published article has a slug and a date. A draft has a date only if one was given. */
  function set(article: StoredArticle, changes: Partial<StoredArticle>): MockArticle {
    const { store } = service();
    Object.assign(article, changes);
    if (article.status === 'published') {
      article.slug ??= slugFor(store, article);
      article.published_at ??= article.updated_at;
      cancel(store, PUBLISH_JOB, article.id);
    } else {
      article.published_at = changes.published_at ?? null;
    }
    return servedArticle(store, article);
  }

  /** The given fields, checked first, so that a refused patch changes nothing. */
  function changesOf(patch: Patch): Partial<StoredArticle> {
    const { bulle_id } = patch;
    if (bulle_id) found(findBulle(service().store, bulle_id), `the mock has no location ${bulle_id}`);
    return defined(patch);
  }

  function change(id: number, patch: Patch): MockArticle {
    const article = find(id);
    const changes = changesOf(patch);
    return set(article, { ...changes, updated_at: changes.updated_at ?? service().clock.stamp() });
  }

  return {
    add(fields = {}) {
      const patch = readOptions(addOptions, fields);
      const changes = changesOf(patch);
      const { title = 'Un nouvel article', target_keyword = 'boulangerie' } = patch;
      const texts = generateArticle(title, target_keyword, 400, service().files);
      const given = { ...texts, sphere_id: ids.sphere, title, target_keyword, status: 'published' } as const;
      return set(addArticle(service(), given), changes);
    },
    touch: (id, patch = {}) => change(id, readOptions(touchOptions, patch)),
    unpublish: (id, options = {}) => change(id, { status: 'draft', ...readOptions(unpublishOptions, options) }),
    remove(id) {
      const article = find(id);
      const { store } = service();
      const { items, confirmations } = store.get(articlesSlice);
      items.splice(items.indexOf(article), 1);
      delete confirmations[id];
      cancel(store, 'articles.', id);
    },
    get: (id) => servedArticle(service().store, find(id)),
    all() {
      const { store } = service();
      const { items } = store.get(articlesSlice);
      return items.filter(({ sphere_id }) => sphere_id === ids.sphere).map((article) => servedArticle(store, article));
    },
    confirmation(id) {
      const confirmation = service().store.get(articlesSlice).confirmations[id];
      return confirmation && served(confirmation);
    },
  };
}
