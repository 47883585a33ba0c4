import type { RequireOneOrNone } from 'type-fest';
import * as z from 'zod/mini';
import * as s from '../core/schema.js';
import type { Timestamp } from '../core/types.js';

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

export const articleListParamsSchema: z.ZodMiniType<ArticleListParams, ArticleListParams> = s.params({
  status: z.optional(s.oneOf(['published', 'draft', 'all'])),
  updated_since: z.optional(s.timestamp),
  since: z.optional(s.timestamp),
  bulle_id: s.target,
});

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
type SiteChoice = RequireOneOrNone<{ site_id: number; site_ids: readonly number[] }>;

/**
 * One Wix site, several, or none.
 * @inline
 */
type WixSiteChoice = RequireOneOrNone<{ wix_site_id: number; wix_site_ids: readonly number[] }>;

/** What `articles.create` takes: `site_id` or `site_ids`, `wix_site_id` or `wix_site_ids`, never both of a pair. */
export type ArticleCreateParams = ArticleCreateFields & SiteChoice & WixSiteChoice;

export const articleCreateParamsSchema: z.ZodMiniType<ArticleCreateParams, ArticleCreateParams> = s.where(
  s.params({
    title: s.text(3),
    target_keyword: s.text(2),
    site_id: z.optional(s.integer),
    site_ids: z.optional(s.list(s.integer)),
    wix_site_id: z.optional(s.integer),
    wix_site_ids: z.optional(s.list(s.integer)),
    ai_word_count_target: z.optional(s.int(1)),
    generate_content: z.optional(s.boolean),
    generate_image: z.optional(s.boolean),
    tone: z.optional(s.string),
    language: z.optional(s.string),
    featured_image_url: z.optional(s.string),
    meta_title: z.optional(s.string),
    meta_description: z.optional(s.string),
    excerpt: z.optional(s.string),
    category: z.optional(z.nullable(s.text(0, 80))),
    bulle_id: s.target,
  }),
  s.rule(
    ({ site_id, site_ids }) => site_id === undefined || site_ids === undefined,
    'cannot be combined with `site_id`',
    'site_ids',
  ),
  s.rule(
    ({ wix_site_id, wix_site_ids }) => wix_site_id === undefined || wix_site_ids === undefined,
    'cannot be combined with `wix_site_id`',
    'wix_site_ids',
  ),
);

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

export const articleUpdateParamsSchema: z.ZodMiniType<ArticleUpdateParams, ArticleUpdateParams> = s.params({
  title: z.optional(s.string),
  content_html: z.optional(s.string),
  excerpt: z.optional(s.string),
  meta_title: z.optional(s.string),
  meta_description: z.optional(s.string),
  target_keyword: z.optional(s.string),
  featured_image_url: z.optional(s.string),
  category: z.optional(s.text(0, 80)),
});

/** What `articles.publish` takes. */
export interface ArticlePublishParams {
  /** A future moment, with `Z` or an offset. Without it the article goes online at once. */
  scheduled_at?: Timestamp | undefined;
}

export const articlePublishParamsSchema: z.ZodMiniType<ArticlePublishParams, ArticlePublishParams> = s.params({
  scheduled_at: z.optional(s.scheduledAt),
});

/** What `articles.confirm` takes. */
export interface ArticleConfirmParams {
  /** Public address of the page: `http://` or `https://`, at most 2048 characters. Leave secrets out of it. */
  rendered_url?: string | undefined;
}

export const articleConfirmParamsSchema: z.ZodMiniType<ArticleConfirmParams, ArticleConfirmParams> = s.params({
  rendered_url: z.optional(
    s.text(1, 2048).check(s.rule((url) => /^https?:\/\//.test(url), 'must be an http:// or https:// URL')),
  ),
});

/** Which changes `articles.changes` goes through. */
export interface ArticleChangesParams {
  /** Changes later than this `updated_at`; pass the service's own string back as it is. Default: all. */
  since?: Timestamp | undefined;
  /** Default `'published'`. `all` shows drafts. */
  status?: 'published' | 'draft' | 'all' | undefined;
  /** One location; without it, a sphere key gets the articles of the whole brand. */
  bulle_id?: string | undefined;
}

export const articleChangesParamsSchema: z.ZodMiniType<ArticleChangesParams, ArticleChangesParams> = s.params({
  since: z.optional(s.timestamp),
  status: z.optional(s.oneOf(['published', 'draft', 'all'])),
  bulle_id: s.target,
});
