import { anyOf, array, boolean, integer, maybe, object, oneOf, string } from '../core/schema.js';
import type { OpenEnum, Timestamp } from '../core/types.js';

/** Whether an article is online. */
export type ArticleStatus = OpenEnum<'published' | 'draft'>;

/** A generated article, as the service returns it. Fields newer than this version are kept. */
export interface Article {
  id: number;
  title: string;
  /** `null` while the text is being written. */
  excerpt?: string | null;
  /** HTML written for the account: sanitise it before it goes into a page. Empty or `null` until it is written. */
  content_html?: string | null;
  featured_image_url?: string | null;
  /** For the `<title>` of the page. */
  meta_title?: string | null;
  /** For the description in the head of the page. */
  meta_description?: string | null;
  target_keyword?: string | null;
  /** A free label of the account's choosing; `null` when there is none. */
  category?: string | null;
  status: ArticleStatus;
  /** ISO 8601; `null` before the first publication. */
  published_at?: string | null;
  created_at: string;
  /** ISO 8601, and the cursor of `changes` and `sync`: pass it back as it is, never through a `Date`. */
  updated_at: string;
  /** Fixed at first publication and never recomputed, even if the title changes; `null` before. */
  slug?: string | null;
  /** `null` when the article belongs to the brand and to no single location. */
  bulle_id?: string | null;
  bulle_name?: string | null;
}

/** One page of articles. */
export interface ArticleList {
  articles: Article[];
  /** How many articles match the filters. */
  total: number;
  /** Size of a full page. */
  limit: number;
  /** How many matching articles stand before this page. */
  offset: number;
}

/** An article created for a connected CMS site. */
export interface CreatedSiteArticle {
  id: number;
  kind?: null;
  title?: string | null;
  site_id?: number | null;
  wix_site_id?: number | null;
}

/** An article created for a custom site (`kind: 'api'`), or of a kind that the service names. */
export interface CreatedApiArticle {
  id: number;
  kind: OpenEnum<'api'>;
  title?: string | null;
  /** `null` for `kind: 'api'`. */
  site_id?: number | null;
}

/** A site for which no article was created, and why. */
export interface SkippedArticle {
  site_id?: number | null;
  wix_site_id?: number | null;
  reason: OpenEnum<'already_exists'>;
}

/** What became of a creation. It may have created nothing: look at `created` and `skipped`. */
export interface ArticleCreation {
  created: (CreatedApiArticle | CreatedSiteArticle)[];
  /** Absent when no site was passed over. */
  skipped?: SkippedArticle[] | null;
  /** How many were created. */
  count: number;
  /** `true` while the texts are being written: `articles.waitUntilWritten` waits for one. */
  generating: boolean;
}

/** Which fields an update changed. */
export interface ArticleUpdate {
  article_id: number;
  updated_fields: string[];
  status: ArticleStatus;
}

/** What became of a publication. */
export interface ArticlePublication {
  /** `false` when the article went online at once. */
  scheduled: boolean;
  article_id: number;
  title?: string | null;
  /** `null` when the article went online at once. */
  scheduled_at?: string | null;
}

/** The service's note that an article is live on a site. */
export interface ArticleConfirmation {
  article_id: number;
  /** ISO 8601; the last confirmation wins. */
  confirmed_at: string;
  confirmation_source: OpenEnum<'pingback'>;
}

/** Filters of `articles.list`. */
export interface ArticleListParams {
  /** The service does not say its default: name one. `all` shows drafts. */
  status?: 'published' | 'draft' | 'all' | undefined;
  /** Articles whose `updated_at` is later than this, oldest change first. */
  updated_since?: Timestamp | undefined;
  /** Filters on the date of publication; not to be mistaken for `updated_since`. */
  since?: Timestamp | undefined;
  /** One location; without it, a sphere key gets the articles of the whole brand. */
  bulle_id?: string | undefined;
}

/** @inline */
interface ArticleCreateFields {
  /** At least 3 characters. */
  title: string;
  /** At least 2 characters. */
  target_keyword: string;
  /** Words that the text should have. Default 1500. */
  ai_word_count_target?: number | undefined;
  /** Whether the service writes the text. Default `true`. */
  generate_content?: boolean | undefined;
  /** Whether the service makes the image. Default `false`. */
  generate_image?: boolean | undefined;
  /** Default `'professional'`. */
  tone?: string | undefined;
  /** Default `'fr'`. */
  language?: string | undefined;
  featured_image_url?: string | undefined;
  meta_title?: string | undefined;
  meta_description?: string | undefined;
  excerpt?: string | undefined;
  /** At most 80 characters; `null` for none. */
  category?: string | null | undefined;
  /** The location. The service asks a sphere key for it. Without any site id the article is for a custom site. */
  bulle_id?: string | undefined;
}

/**
 * One WordPress site, several, or none.
 * @inline
 */
type SiteChoice =
  | { site_id?: number | undefined; site_ids?: undefined }
  | { site_id?: undefined; site_ids?: readonly number[] | undefined };

/**
 * One Wix site, several, or none.
 * @inline
 */
type WixSiteChoice =
  | { wix_site_id?: number | undefined; wix_site_ids?: undefined }
  | { wix_site_id?: undefined; wix_site_ids?: readonly number[] | undefined };

/** What `articles.create` takes: `site_id` or `site_ids`, `wix_site_id` or `wix_site_ids`, never both of a pair. */
export type ArticleCreateParams = ArticleCreateFields & SiteChoice & WixSiteChoice;

/** Fields to change; what is not sent stays. */
export interface ArticleUpdateParams {
  title?: string | undefined;
  content_html?: string | undefined;
  excerpt?: string | undefined;
  meta_title?: string | undefined;
  meta_description?: string | undefined;
  target_keyword?: string | undefined;
  featured_image_url?: string | undefined;
  /** At most 80 characters; `''` removes it. */
  category?: string | undefined;
}

/** What `articles.publish` takes. */
export interface ArticlePublishParams {
  /** A future moment, with `Z` or an offset. Without it the article goes online at once. */
  scheduled_at?: Timestamp | undefined;
}

/** What `articles.confirm` takes. */
export interface ArticleConfirmParams {
  /** Public address of the page: `http://` or `https://`, at most 2048 characters. Leave secrets out of it. */
  rendered_url?: string | undefined;
}

/** @internal */
export const article = object({
  id: integer,
  title: string,
  excerpt: maybe(string),
  content_html: maybe(string),
  featured_image_url: maybe(string),
  meta_title: maybe(string),
  meta_description: maybe(string),
  target_keyword: maybe(string),
  category: maybe(string),
  status: string,
  published_at: maybe(string),
  created_at: string,
  updated_at: string,
  slug: maybe(string),
  bulle_id: maybe(string),
  bulle_name: maybe(string),
});

/** @internal */
export const articleList = object({ articles: array(article), total: integer, limit: integer, offset: integer });

/** @internal */
export const articleCreation = object({
  created: array(
    anyOf(
      object({ id: integer, kind: string, title: maybe(string), site_id: maybe(integer) }),
      object({
        id: integer,
        kind: maybe(oneOf()),
        title: maybe(string),
        site_id: maybe(integer),
        wix_site_id: maybe(integer),
      }),
    ),
  ),
  skipped: maybe(array(object({ site_id: maybe(integer), wix_site_id: maybe(integer), reason: string }))),
  count: integer,
  generating: boolean,
});

/** @internal */
export const articleUpdate = object({ article_id: integer, updated_fields: array(string), status: string });

/** @internal */
export const articlePublication = object({
  scheduled: boolean,
  article_id: integer,
  title: maybe(string),
  scheduled_at: maybe(string),
});

/** @internal */
export const articleConfirmation = object({ article_id: integer, confirmed_at: string, confirmation_source: string });
