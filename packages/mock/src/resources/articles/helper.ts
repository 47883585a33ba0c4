import * as z from 'zod/mini';
import { formatInstant } from '../../engine/clock.js';
import { cancel } from '../../engine/jobs.js';
import { dateTime, optionsSchema, readOptions } from '../../engine/options.js';
import { findBulle } from '../../engine/scope.js';
import type { Service } from '../../engine/store.js';
import { ids } from '../../seed/brand.js';
import { type MockArticle, type MockArticlePatch, type StoredArticle, served } from './article.js';
import { addArticle, articlesSlice, findArticle, PUBLISH_JOB, slugFor } from './state.js';
import { generateArticle } from './writer.js';

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
  function change(id: number, patch: Patch): MockArticle {
    const current = service();
    const article = find(current, id);
    // The patch is checked first, so that a refused patch changes nothing.
    const changes = readChanges(current, patch);
    Object.assign(article, changes);
    article.updated_at = changes.updated_at ?? current.clock.stamp();
    return consistent(current, article, changes);
  }

  return {
    add(fields = {}) {
      const patch = readOptions(addOptions, fields);
      const current = service();
      const changes = readChanges(current, patch);
      const { title = 'Un nouvel article', target_keyword = 'boulangerie' } = patch;
      const article = addArticle(current, {
        ...generateArticle(title, target_keyword, 400, current.files),
        sphere_id: ids.sphere,
        title,
        target_keyword,
        status: 'published',
      });
      Object.assign(article, changes);
      return consistent(current, article, changes);
    },
    touch(id, patch = {}) {
      return change(id, readOptions(touchOptions, patch));
    },
    unpublish(id, options = {}) {
      return change(id, { status: 'draft', ...readOptions(unpublishOptions, options) });
    },
    remove(id) {
      const current = service();
      const { store } = current;
      const article = find(current, id);
      const { items, confirmations } = store.get(articlesSlice);
      items.splice(items.indexOf(article), 1);
      delete confirmations[id];
      cancel(store, 'articles.', id);
    },
    get(id) {
      const current = service();
      return served(current.store, find(current, id));
    },
    all() {
      const { store } = service();
      const { items } = store.get(articlesSlice);
      return items.filter(({ sphere_id }) => sphere_id === ids.sphere).map((article) => served(store, article));
    },
    confirmation(id) {
      const found = service().store.get(articlesSlice).confirmations[id];
      return found && { confirmed_at: formatInstant(found.confirmed_at), rendered_url: found.rendered_url };
    },
  };
}

function find({ store }: Service, id: number): StoredArticle {
  const article = findArticle(store, id);
  if (article === undefined) throw new RangeError(`the mock has no article ${id}`);
  return article;
}

/** A published article has a slug and a publication date. A draft has a date only if one was given. */
function consistent({ store }: Service, article: StoredArticle, given: Partial<StoredArticle>): MockArticle {
  if (article.status === 'published') {
    article.slug ??= slugFor(store, article);
    article.published_at ??= article.updated_at;
    cancel(store, PUBLISH_JOB, article.id);
  } else {
    article.published_at = given.published_at ?? null;
  }
  return served(store, article);
}

/** The given fields. @throws RangeError if the location does not exist. */
function readChanges({ store }: Service, patch: Patch): Partial<StoredArticle> {
  if (patch.bulle_id !== undefined && patch.bulle_id !== null && findBulle(store, patch.bulle_id) === undefined) {
    throw new RangeError(`the mock has no location ${patch.bulle_id}`);
  }
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
