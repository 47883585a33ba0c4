import { DAY, HOUR, type Micros, SECOND, type Stored, served, toMillis } from '../engine/clock.js';
import { forbidden, notFound } from '../engine/http.js';
import type { Exchange } from '../engine/router.js';
import { pathInteger } from '../engine/schema.js';
import { BULLE_OUT_OF_SCOPE, findBulle } from '../engine/scope.js';
import { cancel, type SeedContext, type Service, type Store, schedule } from '../engine/store.js';
import { ids, PLACES } from '../seed/brand.js';
import { pictureOf } from '../seed/pictures.js';
import { cycle, scatter, slugify } from '../seed/prose.js';
import { generateArticle, textsOf } from './article-texts.js';

/** An article, as the API returns it. */
export interface MockArticle {
  /** Id of the article. */
  id: number;
  /** Title of the article. */
  title: string;
  /** Short summary. `null` if there is none. */
  excerpt: string | null;
  /** HTML. Empty until the text is written. */
  content_html: string;
  /** Address of the main image. `null` if there is none. */
  featured_image_url: string | null;
  /** Text for the `<title>` of the page. `null` if there is none. */
  meta_title: string | null;
  /** Text for the `<meta name="description">` of the page. `null` if there is none. */
  meta_description: string | null;
  /** Search term that the article is written for. */
  target_keyword: string;
  /** Free label. `null` if there is none. */
  category: string | null;
  /** `published` if the article is online, else `draft`. */
  status: 'published' | 'draft';
  /** ISO 8601. `null` if the article is not online. */
  published_at: string | null;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601 with microseconds. */
  updated_at: string;
  /** Fixed at first publication. `null` before. */
  slug: string | null;
  /** The location of the article. `null` if the article belongs only to the brand. */
  bulle_id: string | null;
  /** Name of the location. */
  bulle_name: string | null;
}

export interface StoredArticle extends Stored<Omit<MockArticle, 'bulle_name'>> {
  readonly sphere_id: string;
  /** The CMS site of the article. `null` for a custom site, which reads it through the API. */
  readonly site: { readonly platform: 'wordpress' | 'wix'; readonly id: number } | null;
  /** The work that is still to be done in the background. */
  pending: { readonly text: boolean; readonly image: boolean; readonly words: number } | null;
}

type Confirmations = Record<string, { readonly confirmed_at: Micros; readonly rendered_url: string | null }>;

const COUNT = 240;
/** Age of the oldest article. */
const SPAN: Micros = 430 * DAY;

/** Groups of articles that share one `updated_at`, as after a bulk edit: first and last index, age in days. */
const TIES = [
  [40, 47, 90],
  [100, 104, 45],
  [150, 152, 20],
  [170, 171, 12],
  [200, 201, 6],
] as const;

/** The same `now` gives the same articles: nothing here is random, and nothing reads a clock. */
function seedArticles({ now, files }: SeedContext) {
  const items = Array.from({ length: COUNT }, (_, index) => seedArticle(index, now, files));
  // An article of the other brand. Every key of this brand gets a 403 for it.
  const outside: StoredArticle = {
    ...seedArticle(0, now, files),
    id: ids.outside.article,
    sphere_id: ids.outside.sphere,
    bulle_id: ids.outside.bulle,
    title: 'L’arrivage du matin sur le Vieux Port',
    slug: 'l-arrivage-du-matin-sur-le-vieux-port',
  };
  return { next_id: 1001, items: [...items, outside], confirmations: {} as Confirmations };
}

/** An article about a shop belongs to it, and some of the others belong only to the brand. */
function placeOf(index: number): string | null {
  if (index % 4 === 1) return cycle(PLACES, Math.floor(index / 4)).id;
  return index % 19 === 5 ? null : cycle(PLACES, index).id;
}

function seedArticle(index: number, now: Micros, files: string): StoredArticle {
  const age = Math.round(SPAN * (1 - index / COUNT)) - scatter(index, 1, 18) * HOUR;
  const created_at = now - age - scatter(index, 2, 59 * 60 * SECOND);
  const publication = created_at + (2 + scatter(index, 3, 14)) * HOUR + scatter(index, 4, HOUR);
  const isDraft = index % 16 === 7;
  // A third of the drafts have been online before: they keep their slug.
  const wasOnline = !isDraft || index % 48 === 7;
  const texts = textsOf(index, new Date(toMillis(created_at)), files);
  return {
    id: index + 1,
    ...texts,
    status: isDraft ? 'draft' : 'published',
    published_at: isDraft ? null : publication,
    created_at,
    updated_at: lastChange(index, now, wasOnline ? publication : created_at),
    slug: wasOnline ? slugify(texts.title) : null,
    bulle_id: placeOf(index),
    sphere_id: ids.sphere,
    site: null,
    pending: null,
  };
}

function lastChange(index: number, now: Micros, base: Micros): Micros {
  const [, , tie] = TIES.find(([from, to]) => index >= from && index <= to) ?? [];
  if (tie !== undefined) return now - tie * DAY;
  if (index % 5 > 1) return base;
  const room = Math.min(40 * DAY, now - HOUR - base);
  return base + Math.floor((room * (1 + scatter(index, 5, 97))) / 100) + scatter(index, 6, 1000);
}

export const articlesSlice = { name: 'articles', seed: seedArticles };

export const WRITE_JOB = 'articles.write';
export const PUBLISH_JOB = 'articles.publish';
/** Long enough that a client has to poll, short enough for a demo. */
export const WRITING_TIME: Micros = 60 * SECOND;

export const findArticle = (store: Store, id: number | string): StoredArticle | undefined =>
  store.get(articlesSlice).items.find((article) => article.id === id);

const BLANK = {
  ...{ excerpt: null, content_html: '', featured_image_url: null, meta_title: null, meta_description: null },
  ...{ category: null, published_at: null, slug: null, bulle_id: null, site: null, pending: null },
  status: 'draft',
} as const;

type NewArticle = Pick<StoredArticle, 'sphere_id' | 'title' | 'target_keyword'> & Partial<StoredArticle>;

/** Adds an article, a draft without texts by default, and orders the work in the background that it has. */
export function addArticle({ store, clock }: Service, given: NewArticle): StoredArticle {
  const state = store.get(articlesSlice);
  const now = clock.stamp();
  const article: StoredArticle = { id: state.next_id, ...BLANK, created_at: now, updated_at: now, ...given };
  state.next_id += 1;
  state.items.push(article);
  if (article.pending !== null) schedule(store, { kind: WRITE_JOB, id: article.id, at: clock.now() + WRITING_TIME });
  return article;
}

export function finishWriting({ store, clock, files }: Service, id: number | string, at: Micros): void {
  const article = findArticle(store, id);
  if (!article?.pending) return;
  const { text, image, words } = article.pending;
  article.pending = null;
  // A text that was written in the meantime is kept.
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
export function slugFor(store: Store, { id, title, slug, sphere_id }: StoredArticle): string {
  if (slug !== null) return slug;
  const others = store.get(articlesSlice).items.filter((other) => other.sphere_id === sphere_id);
  const taken = new Set(others.map((other) => other.slug));
  const base = slugify(title) || `article-${id}`;
  let free = base;
  for (let number = 2; taken.has(free); number += 1) free = `${base}-${number}`;
  return free;
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
  if (article?.status === 'draft') putOnline(service, article, at);
}

/** Deletes an article with all that belongs to it. */
export function removeArticle({ store }: Service, article: StoredArticle): void {
  const { items, confirmations } = store.get(articlesSlice);
  items.splice(items.indexOf(article), 1);
  delete confirmations[article.id];
  cancel(store, 'articles.', article.id);
}

/** The article of the path. A bubble key does not cover articles that belong only to the brand (`bulle_id` null). */
export function namedArticle({ store, key, params }: Exchange): StoredArticle {
  const id = pathInteger(params, 'article_id');
  const article = findArticle(store, id);
  if (article === undefined) throw notFound(`Article introuvable : ${id}`);
  const covered = key.bulle_id === null ? article.sphere_id === key.sphere_id : article.bulle_id === key.bulle_id;
  if (!covered) throw forbidden(BULLE_OUT_OF_SCOPE);
  return article;
}

export function servedArticle(store: Store, article: StoredArticle): MockArticle {
  const { sphere_id: _brand, site: _site, pending: _work, ...row } = article;
  return { ...served(row), bulle_name: findBulle(store, row.bulle_id ?? '')?.name ?? null };
}
