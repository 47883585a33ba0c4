import { formatInstant, formatOptional, type Micros } from '../../engine/clock.js';
import { findBulle } from '../../engine/scope.js';
import type { Store } from '../../engine/store.js';

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

/**
 * Fields of an article to set from outside the API. Without `updated_at`, the mock uses its clock. Pass the same value
 * for two articles to give them equal timestamps. Timestamps are ISO 8601. Without an offset they are UTC.
 */
export type MockArticlePatch = Partial<Omit<MockArticle, 'id' | 'bulle_name'>>;

/** A stored article. Timestamps are numbers, so that comparisons are exact to the microsecond. */
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
  /** The CMS site of the article. `null` for a custom site, which reads it through the API. */
  readonly site: { readonly kind: 'wordpress' | 'wix'; readonly id: number } | null;
  /** The work that is still to be done in the background. */
  pending: { readonly text: boolean; readonly image: boolean; readonly words: number } | null;
}

interface Confirmation {
  readonly confirmed_at: Micros;
  readonly rendered_url: string | null;
}

export interface ArticlesState {
  next_id: number;
  items: StoredArticle[];
  readonly confirmations: Record<string, Confirmation>;
}

/** Converts an article to its form in responses. */
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
