import { DAY, formatMonth, HOUR, type Micros, SECOND, toMillis } from '../../engine/clock.js';
import type { SeedContext } from '../../engine/store.js';
import { ids, PLACES } from '../../seed/brand.js';
import { pictureOf } from '../../seed/pictures.js';
import { shorten, slugify } from '../../seed/prose.js';
import { scatter } from '../../seed/scatter.js';
import type { ArticlesState, StoredArticle } from './article.js';
import { BREAD_ARTICLES, RECIPE_ARTICLES, SHOP_ARTICLES, seasonArticles } from './categories.js';
import { type Draft, draftAbout } from './compose.js';

const COUNT = 240;
/** Age of the oldest article. */
const SPAN: Micros = 430 * DAY;

/**
 * Groups (by index) that share one `updated_at`, as after a bulk edit. A client that continues from the timestamp of
 * such a group loses the rest of the group.
 */
const TIES: readonly { readonly from: number; readonly to: number; readonly age: Micros }[] = [
  { from: 40, to: 47, age: 90 * DAY },
  { from: 100, to: 104, age: 45 * DAY },
  { from: 150, to: 152, age: 20 * DAY },
  { from: 170, to: 171, age: 12 * DAY },
  { from: 200, to: 201, age: 6 * DAY },
];

/** The same `now` gives the same articles: nothing here is random, and nothing reads a clock. */
export function seedArticles({ now, files }: SeedContext): ArticlesState {
  const items = Array.from({ length: COUNT }, (_, index) => seedArticle(index, now, files));
  return { next_id: 1001, items: [...items, outsideArticle(now, files)], confirmations: {} };
}

/** What was written for an earlier mock of this process. The texts depend only on the number and, for seasons, on the month. */
const written = new Map<string, Draft>();

function draftOf(index: number, created: Micros): Draft {
  const key = index % 8 === 2 ? `${index} ${formatMonth(created)}` : String(index);
  const draft = written.get(key) ?? newDraft(index, created);
  written.set(key, draft);
  return draft;
}

/** Titles are unique: each rule counts its own articles, and seasons follow the date of the article. */
function newDraft(index: number, created: Micros): Draft {
  if (index % 8 === 2) return draftAbout(seasonArticles(new Date(toMillis(created))), Math.floor(index / 8), index);
  if (index % 4 === 1) return draftAbout(SHOP_ARTICLES, Math.floor(index / 4), index);
  if (index % 4 === 3) return draftAbout(RECIPE_ARTICLES, Math.floor(index / 4), index);
  return draftAbout(BREAD_ARTICLES, index / 2, index);
}

/** An article about a shop belongs to it, and some of the others belong only to the brand. */
function placeOf(index: number): string | null {
  if (index % 4 === 1) return PLACES[Math.floor(index / 4) % PLACES.length]?.id ?? null;
  return index % 19 === 5 ? null : (PLACES[index % PLACES.length]?.id ?? null);
}

function seedArticle(index: number, now: Micros, files: string): StoredArticle {
  const age = Math.round(SPAN * (1 - index / COUNT)) - scatter(index, 1, 18) * HOUR;
  const created_at = now - age - scatter(index, 2, 59 * 60 * SECOND);
  const publication = created_at + (2 + scatter(index, 3, 14)) * HOUR + scatter(index, 4, HOUR);
  const draft = draftOf(index, created_at);
  const isDraft = index % 16 === 7;
  // A third of the drafts have been online before: they keep their slug.
  const wasOnline = !isDraft || index % 48 === 7;
  const slug = slugify(draft.title);
  return {
    id: index + 1,
    sphere_id: ids.sphere,
    bulle_id: placeOf(index),
    title: draft.title,
    excerpt: draft.excerpt,
    content_html: draft.html.replace('{files}', files),
    // One article in seven has no picture.
    featured_image_url: index % 7 === 6 ? null : pictureOf(files, draft.title, index),
    meta_title: metaTitle(draft.title),
    meta_description: shorten(draft.excerpt, 155),
    target_keyword: draft.keyword,
    category: index % 11 === 3 ? null : draft.category,
    status: isDraft ? 'draft' : 'published',
    published_at: isDraft ? null : publication,
    created_at,
    updated_at: lastChange(index, now, wasOnline ? publication : created_at),
    slug: wasOnline ? slug : null,
    site: null,
    pending: null,
  };
}

/** The title with the name of the brand, if search engines have room for both. */
function metaTitle(title: string): string {
  const whole = `${title} | Les Fournils d’Augustine`;
  return whole.length <= 65 ? whole : shorten(title, 65);
}

/** Some articles have not been touched since they went online, others were edited later, a few all at once. */
function lastChange(index: number, now: Micros, base: Micros): Micros {
  const tie = TIES.find(({ from, to }) => index >= from && index <= to);
  if (tie !== undefined) return now - tie.age;
  if (index % 5 > 1) return base;
  const room = Math.min(40 * DAY, now - HOUR - base);
  return base + Math.floor((room * (1 + scatter(index, 5, 97))) / 100) + scatter(index, 6, 1000);
}

/** An article of the other brand. Every key of this brand gets a 403 for it. */
const outsideArticle = (now: Micros, files: string): StoredArticle => ({
  ...seedArticle(0, now, files),
  id: ids.outside.article,
  sphere_id: ids.outside.sphere,
  bulle_id: ids.outside.bulle,
  title: 'L’arrivage du matin sur le Vieux Port',
  slug: 'l-arrivage-du-matin-sur-le-vieux-port',
});
