import { cancel } from './jobs.js';
import { type Names, requireKnownNames } from './known-names.js';
import {
  addArticle,
  articlesSlice,
  findArticle,
  PUBLISH_JOB,
  type StoredArticle,
  served,
  slugFor,
} from './model/articles.js';
import { findBulle } from './model/brand.js';
import { ids } from './seed/brand.js';
import { generateArticle } from './seed/prose.js';
import type { Service } from './service.js';
import { formatInstant, type Micros, requireInstant } from './timestamps.js';
import type { MockArticle, MockArticlePatch, MockArticles } from './types.js';

const PATCH: Names<MockArticlePatch> = {
  title: true,
  excerpt: true,
  content_html: true,
  featured_image_url: true,
  meta_title: true,
  meta_description: true,
  target_keyword: true,
  category: true,
  status: true,
  published_at: true,
  created_at: true,
  updated_at: true,
  slug: true,
  bulle_id: true,
};

/** `service` is asked for at each call: `reset` replaces it, and work that is due is done before. */
export function createArticles(service: () => Service): MockArticles {
  function change(id: number, patch: MockArticlePatch): MockArticle {
    const current = service();
    const article = find(current, id);
    // Everything that can be refused comes first: a refused patch changes nothing.
    const changes = readPatch(current, patch);
    Object.assign(article, changes);
    article.updated_at = changes.updated_at ?? current.clock.stamp();
    return consistent(current, article, changes);
  }

  return {
    add(fields = {}) {
      requireKnownNames('articles.add', fields, PATCH);
      const current = service();
      const changes = readPatch(current, fields);
      const { title = 'Un nouvel article', target_keyword = 'boulangerie' } = fields;
      const article = addArticle(current, {
        ...generateArticle(title, target_keyword, 400),
        sphere_id: ids.sphere,
        title,
        target_keyword,
        status: 'published',
      });
      Object.assign(article, changes);
      return consistent(current, article, changes);
    },
    touch(id, patch = {}) {
      requireKnownNames('articles.touch', patch, PATCH);
      return change(id, patch);
    },
    unpublish(id, options = {}) {
      requireKnownNames('articles.unpublish', options, { updated_at: true });
      const { updated_at } = options;
      return change(id, { status: 'draft', ...(updated_at === undefined ? {} : { updated_at }) });
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
  if (article === undefined) throw new RangeError(`the mock holds no article ${id}`);
  return article;
}

/** What is online has a slug and a publication date; what is not has no date. */
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

function readPatch({ store }: Service, patch: MockArticlePatch): Partial<StoredArticle> {
  const { published_at, created_at, updated_at, ...rest } = patch;
  if (rest.bulle_id !== undefined && rest.bulle_id !== null && findBulle(store, rest.bulle_id) === undefined) {
    throw new RangeError(`the mock holds no location ${rest.bulle_id}`);
  }
  const entries = {
    ...rest,
    published_at: published_at === null ? null : readInstant('published_at', published_at),
    created_at: readInstant('created_at', created_at),
    updated_at: readInstant('updated_at', updated_at),
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

const readInstant = (name: string, text: string | undefined): Micros | undefined =>
  text === undefined ? undefined : requireInstant(name, text);
