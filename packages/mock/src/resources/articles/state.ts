import { type Micros, SECOND } from '../../engine/clock.js';
import { forbidden, notFound } from '../../engine/http.js';
import { cancel, schedule } from '../../engine/jobs.js';
import type { Exchange } from '../../engine/router.js';
import { pathInteger } from '../../engine/schema.js';
import { BULLE_OUT_OF_SCOPE } from '../../engine/scope.js';
import type { Service, Slice, Store } from '../../engine/store.js';
import { pictureOf } from '../../seed/pictures.js';
import { slugify } from '../../seed/prose.js';
import type { ArticlesState, StoredArticle } from './article.js';
import { seedArticles } from './seed.js';
import { generateArticle } from './writer.js';

export const articlesSlice: Slice<ArticlesState> = { name: 'articles', seed: seedArticles };

export const WRITE_JOB = 'articles.write';
export const PUBLISH_JOB = 'articles.publish';
/** Long enough that a client has to poll, short enough for a demo. */
const WRITING_TIME: Micros = 60 * SECOND;

export const findArticle = (store: Store, id: number | string): StoredArticle | undefined =>
  store.get(articlesSlice).items.find((article) => article.id === id);

/** Default values of a new article. */
const BLANK = {
  bulle_id: null,
  excerpt: null,
  content_html: '',
  featured_image_url: null,
  meta_title: null,
  meta_description: null,
  category: null,
  status: 'draft',
  published_at: null,
  slug: null,
  site: null,
  pending: null,
} as const satisfies Partial<StoredArticle>;

type NewArticle = Pick<StoredArticle, 'sphere_id' | 'title' | 'target_keyword'> &
  Partial<Omit<StoredArticle, 'id' | 'created_at' | 'updated_at'>>;

export function addArticle({ store, clock }: Service, given: NewArticle): StoredArticle {
  const state = store.get(articlesSlice);
  const now = clock.stamp();
  const article = { ...BLANK, ...given, id: state.next_id, created_at: now, updated_at: now };
  state.next_id += 1;
  state.items.push(article);
  return article;
}

/** Schedules the work in the background. */
export function startWriting({ store, clock }: Service, article: StoredArticle): void {
  if (article.pending === null) return;
  schedule(store, { kind: WRITE_JOB, id: article.id, at: clock.now() + WRITING_TIME });
}

export function finishWriting({ store, clock, files }: Service, id: number | string, at: Micros): void {
  const article = findArticle(store, id);
  if (article === undefined || article.pending === null) return;
  const { text, image, words } = article.pending;
  article.pending = null;
  // A text that somebody wrote in the meantime is kept.
  if (text && article.content_html === '') {
    const written = generateArticle(article.title, article.target_keyword, words, files);
    article.content_html = written.content_html;
    article.excerpt ??= written.excerpt;
    article.meta_title ??= written.meta_title;
    article.meta_description ??= written.meta_description;
  }
  if (image) article.featured_image_url ??= pictureOf(files, article.title, article.id);
  article.updated_at = clock.stamp(at);
}

/** The slug that the first publication has given or would give. */
export function slugFor(store: Store, article: Pick<StoredArticle, 'id' | 'title' | 'slug' | 'sphere_id'>): string {
  if (article.slug !== null) return article.slug;
  const taken = new Set(
    store
      .get(articlesSlice)
      .items.filter((other) => other.sphere_id === article.sphere_id && other.id !== article.id)
      .map((other) => other.slug),
  );
  const base = slugify(article.title) || `article-${article.id}`;
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}

/** Publishes an article, now or at the time `at` of its schedule. */
export function putOnline({ store, clock }: Service, article: StoredArticle, at?: Micros): void {
  cancel(store, PUBLISH_JOB, article.id);
  article.slug = slugFor(store, article);
  article.status = 'published';
  article.updated_at = clock.stamp(at);
  article.published_at = at ?? article.updated_at;
}

export function publishScheduled(service: Service, id: number | string, at: Micros): void {
  const article = findArticle(service.store, id);
  if (article !== undefined && article.status === 'draft') putOnline(service, article, at);
}

/**
 * The article of the path: 404 if there is none, 403 if the key does not cover it. A bubble key does not cover articles
 * that belong only to the brand (`bulle_id` null).
 */
export function namedArticle({ service, key, params }: Exchange): StoredArticle {
  const id = pathInteger(params, 'article_id');
  const article = findArticle(service.store, id);
  if (article === undefined) throw notFound(`Article introuvable : ${id}`);
  const covered = key.bulle_id === null ? article.sphere_id === key.sphere_id : article.bulle_id === key.bulle_id;
  if (!covered) throw forbidden(BULLE_OUT_OF_SCOPE);
  return article;
}
