import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import {
  articleConfirmParamsSchema,
  articleCreateParamsSchema,
  articleListParamsSchema,
  articlePublishParamsSchema,
  articleUpdateParamsSchema,
} from './articles-params.js';

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
          kind: s.maybe(z.null(s.must('null'))),
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
