import type { LiteralUnion, RequireOneOrNone } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { Timestamp } from '../core/types.js';

/** Whether an article is online. */
export type ArticleStatus = LiteralUnion<'published' | 'draft', string>;

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

export const articleSchema: z.ZodMiniType<Article, Article> = s.object({
  id: s.integer,
  title: s.string,
  excerpt: s.maybe(s.string),
  content_html: s.maybe(s.string),
  featured_image_url: s.maybe(s.string),
  meta_title: s.maybe(s.string),
  meta_description: s.maybe(s.string),
  target_keyword: s.maybe(s.string),
  category: s.maybe(s.string),
  status: s.string,
  published_at: s.maybe(s.string),
  created_at: s.string,
  updated_at: s.string,
  slug: s.maybe(s.string),
  bulle_id: s.maybe(s.string),
  bulle_name: s.maybe(s.string),
});

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

export const articleListSchema: z.ZodMiniType<ArticleList, ArticleList> = s.object({
  articles: s.list(articleSchema),
  total: s.integer,
  limit: s.integer,
  offset: s.integer,
});

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
  kind: LiteralUnion<'api', string>;
  title?: string | null;
  /** `null` for `kind: 'api'`. */
  site_id?: number | null;
}

/** A site for which no article was created, and why. */
export interface SkippedArticle {
  site_id?: number | null;
  wix_site_id?: number | null;
  reason: LiteralUnion<'already_exists', string>;
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

export const articleCreationSchema: z.ZodMiniType<ArticleCreation, ArticleCreation> = s.object({
  created: s.list(
    s.anyOf(
      [
        s.object({ id: s.integer, kind: s.string, title: s.maybe(s.string), site_id: s.maybe(s.integer) }),
        s.object({
          id: s.integer,
          kind: s.maybe(z.null('expected null')),
          title: s.maybe(s.string),
          site_id: s.maybe(s.integer),
          wix_site_id: s.maybe(s.integer),
        }),
      ],
      'a created article',
    ),
  ),
  skipped: s.maybe(
    s.list(s.object({ site_id: s.maybe(s.integer), wix_site_id: s.maybe(s.integer), reason: s.string })),
  ),
  count: s.integer,
  generating: s.boolean,
});

/** Which fields an update changed. */
export interface ArticleUpdate {
  article_id: number;
  updated_fields: string[];
  status: ArticleStatus;
}

export const articleUpdateSchema: z.ZodMiniType<ArticleUpdate, ArticleUpdate> = s.object({
  article_id: s.integer,
  updated_fields: s.list(s.string),
  status: s.string,
});

/** What became of a publication. */
export interface ArticlePublication {
  /** `false` when the article went online at once. */
  scheduled: boolean;
  article_id: number;
  title?: string | null;
  /** `null` when the article went online at once. */
  scheduled_at?: string | null;
}

export const articlePublicationSchema: z.ZodMiniType<ArticlePublication, ArticlePublication> = s.object({
  scheduled: s.boolean,
  article_id: s.integer,
  title: s.maybe(s.string),
  scheduled_at: s.maybe(s.string),
});

/** The service's note that an article is live on a site. */
export interface ArticleConfirmation {
  article_id: number;
  /** ISO 8601; the last confirmation wins. */
  confirmed_at: string;
  confirmation_source: LiteralUnion<'pingback', string>;
}

export const articleConfirmationSchema: z.ZodMiniType<ArticleConfirmation, ArticleConfirmation> = s.object({
  article_id: s.integer,
  confirmed_at: s.string,
  confirmation_source: s.string,
});

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
    '`site_id` or `site_ids`, not both',
    'site_ids',
  ),
  s.rule(
    ({ wix_site_id, wix_site_ids }) => wix_site_id === undefined || wix_site_ids === undefined,
    '`wix_site_id` or `wix_site_ids`, not both',
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
    s.text(1, 2048).check(s.rule((url) => /^https?:\/\//.test(url), 'an http:// or https:// URL')),
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

export const articleEndpoints = {
  list: endpoint({
    operation: 'articles.list',
    method: 'GET',
    path: '/articles',
    permission: 'read',
    target: 'bulle_id',
    params: articleListParamsSchema,
    response: articleListSchema,
  }),
  get: endpoint({
    operation: 'articles.get',
    method: 'GET',
    path: '/articles/{article_id}',
    permission: 'read',
    response: articleSchema,
  }),
  create: endpoint({
    operation: 'articles.create',
    method: 'POST',
    path: '/articles',
    trace: "`articles.list({ status: 'all' })` has the article",
    permission: 'publish',
    target: 'bulle_id',
    slow: true,
    params: articleCreateParamsSchema,
    response: articleCreationSchema,
  }),
  update: endpoint({
    operation: 'articles.update',
    method: 'PUT',
    path: '/articles/{article_id}',
    permission: 'publish',
    params: articleUpdateParamsSchema,
    response: articleUpdateSchema,
  }),
  publish: endpoint({
    operation: 'articles.publish',
    method: 'POST',
    path: '/articles/{article_id}/publish',
    trace: '`articles.get(id)` has the status `published`',
    permission: 'publish',
    dryRun: true,
    slow: true,
    params: articlePublishParamsSchema,
    response: articlePublicationSchema,
  }),
  confirm: endpoint({
    operation: 'articles.confirm',
    method: 'POST',
    path: '/articles/{article_id}/confirm',
    permission: 'read',
    idempotent: true,
    params: articleConfirmParamsSchema,
    response: articleConfirmationSchema,
  }),
};
