import { cancel, schedule } from '../jobs.js';
import { seedArticles } from '../seed/articles.js';
import { generateArticle, slugify } from '../seed/prose.js';
import type { Service } from '../service.js';
import type { Slice, Store } from '../store.js';
import { formatInstant, formatOptional, type Micros, SECOND } from '../timestamps.js';
import type { MockArticle } from '../types.js';
import { findBulle } from './brand.js';

/** An article as it is kept. Timestamps are numbers, so that they compare to the microsecond. */
export interface StoredArticle {
  readonly id: number;
  readonly sphere_id: string;
  bulle_id: string | null;
  title: string;
  excerpt: string | null;
  content_html: string;
  featured_image_url: string | null;
  meta_title: string | null;
  meta_description: string | null;
  target_keyword: string;
  category: string | null;
  status: 'published' | 'draft';
  published_at: Micros | null;
  created_at: Micros;
  updated_at: Micros;
  slug: string | null;
  /** Where it goes; `null` in custom-site mode, where a site reads it through the API. */
  readonly site: { readonly kind: 'wordpress' | 'wix'; readonly id: number } | null;
  /** What is still to be made in the background. */
  pending: { readonly text: boolean; readonly image: boolean; readonly words: number } | null;
}

export interface Confirmation {
  readonly confirmed_at: Micros;
  readonly rendered_url: string | null;
}

export interface ArticlesState {
  next_id: number;
  items: StoredArticle[];
  readonly confirmations: Record<string, Confirmation>;
}

export const articlesSlice: Slice<ArticlesState> = { name: 'articles', seed: seedArticles };

/** Kinds of the jobs, see jobs.ts. */
export const WRITE_JOB = 'articles.write';
export const PUBLISH_JOB = 'articles.publish';
/** Long enough for a waiter to have to poll, short enough for a demo. */
export const WRITING_TIME: Micros = 60 * SECOND;

export const findArticle = (store: Store, id: number | string): StoredArticle | undefined =>
  store.get(articlesSlice).items.find((article) => article.id === id);

/** The article of the wire. */
export function served(store: Store, article: StoredArticle): MockArticle {
  const { id, title, excerpt, content_html, featured_image_url, meta_title, meta_description } = article;
  const { target_keyword, category, status, slug, bulle_id } = article;
  return {
    id,
    title,
    excerpt,
    content_html,
    featured_image_url,
    meta_title,
    meta_description,
    target_keyword,
    category,
    status,
    published_at: formatOptional(article.published_at),
    created_at: formatInstant(article.created_at),
    updated_at: formatInstant(article.updated_at),
    slug,
    bulle_id,
    bulle_name: bulle_id === null ? null : (findBulle(store, bulle_id)?.name ?? null),
  };
}

/** Fields that a new article has unless they are given. */
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

export type NewArticle = Pick<StoredArticle, 'sphere_id' | 'title' | 'target_keyword'> &
  Partial<Omit<StoredArticle, 'id' | 'created_at' | 'updated_at'>>;

export function addArticle({ store, clock }: Service, given: NewArticle): StoredArticle {
  const state = store.get(articlesSlice);
  const now = clock.stamp();
  const article = { ...BLANK, ...given, id: state.next_id, created_at: now, updated_at: now };
  state.next_id += 1;
  state.items.push(article);
  return article;
}

/** Note what is to be made in the background, and when it will be there. */
export function startWriting({ store, clock }: Service, article: StoredArticle): void {
  if (article.pending === null) return;
  schedule(store, { kind: WRITE_JOB, id: article.id, at: clock.now() + WRITING_TIME });
}

export function finishWriting({ store, clock }: Service, id: number | string, at: Micros): void {
  const article = findArticle(store, id);
  if (article === undefined || article.pending === null) return;
  const { text, image, words } = article.pending;
  article.pending = null;
  // What somebody has written by hand in the meantime stays.
  if (text && article.content_html === '') {
    const written = generateArticle(article.title, article.target_keyword, words);
    article.content_html = written.content_html;
    article.excerpt ??= written.excerpt;
    article.meta_title ??= written.meta_title;
    article.meta_description ??= written.meta_description;
  }
  if (image) article.featured_image_url ??= `https://images.example.com/generated/article-${article.id}.jpg`;
  article.updated_at = clock.stamp(at);
}

/** The slug that the first publication would give, or has given. */
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

/** Put an article online, now or at the instant `at` of its schedule. */
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
