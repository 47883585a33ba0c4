import { formatInstant, formatOptional, type Micros } from '../../engine/clock.js';
import { findBulle } from '../../engine/scope.js';
import type { Store } from '../../engine/store.js';

/** An article as the API serves it. */
export interface MockArticle {
  id: number;
  title: string;
  excerpt: string | null;
  /** Empty until the text is written. */
  content_html: string;
  featured_image_url: string | null;
  meta_title: string | null;
  meta_description: string | null;
  target_keyword: string;
  category: string | null;
  status: 'published' | 'draft';
  /** `null` while the article is not online. */
  published_at: string | null;
  created_at: string;
  updated_at: string;
  /** `null` before the first publication. */
  slug: string | null;
  bulle_id: string | null;
  bulle_name: string | null;
}

/**
 * Fields of an article to set from outside the API. `updated_at` is the mock's clock's unless given: give the same
 * value twice to make a tie. Timestamps are ISO 8601; without offset they are UTC.
 */
export type MockArticlePatch = Partial<Omit<MockArticle, 'id' | 'bulle_name'>>;

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

interface Confirmation {
  readonly confirmed_at: Micros;
  readonly rendered_url: string | null;
}

export interface ArticlesState {
  next_id: number;
  items: StoredArticle[];
  readonly confirmations: Record<string, Confirmation>;
}

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
