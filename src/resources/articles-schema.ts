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
  /** Id for `articles.get`, `update`, `publish` and `confirm`. */
  id: number;
  /** Plain text. Later changes of the title do not change the slug. */
  title: string;
  /** Short summary. `null` until the text is written. */
  excerpt?: string | null;
  /** HTML. Sanitise it before you put it into a page. Empty or `null` until the text is written. */
  content_html?: string | null;
  /** Address of the main image. `null` if there is none. */
  featured_image_url?: string | null;
  /** Text for the `<title>` of the page. */
  meta_title?: string | null;
  /** Text for the `<meta name="description">` of the page. */
  meta_description?: string | null;
  /** Search term that the article is written for. */
  target_keyword?: string | null;
  /** Free label that the account chooses. `null` if there is none. Lists cannot be filtered by it. */
  category?: string | null;
  /** `published` if the article is online, else `draft`. An article that was taken offline is a `draft` again. */
  status: ArticleStatus;
  /** ISO 8601. `null` before the first publication. */
  published_at?: string | null;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601, and the cursor of `changes` and `sync`. Pass it back unchanged, never through a `Date`. */
  updated_at: string;
  /** Fixed at first publication and never recomputed, even if the title changes. `null` before. */
  slug?: string | null;
  /** The location of the article. `null` if the article belongs only to the brand. */
  bulle_id?: string | null;
  /** Name of the location. */
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
  /** The articles of this page. With `updated_since`, the oldest change comes first. */
  articles: Article[];
  /** Number of articles that match the filters. */
  total: number;
  /** Size of a full page. */
  limit: number;
  /** Number of matching articles before this page. */
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
  /** Id for `articles.get` and `articles.waitUntilWritten`. */
  id: number;
  /** Absent or `null`. A string marks the other form, {@link CreatedApiArticle}. */
  kind?: null;
  /** The title from the request. */
  title?: string | null;
  /** Id of the WordPress site. */
  site_id?: number | null;
  /** Id of the Wix site. */
  wix_site_id?: number | null;
}

/** An article created for a custom site (`kind: 'api'`), or of another kind that the service names. */
export interface CreatedApiArticle {
  /** Id for `articles.get` and `articles.waitUntilWritten`. */
  id: number;
  /** `'api'` for a custom site, which reads the article through the API. */
  kind: LiteralUnion<'api', string>;
  /** The title from the request. */
  title?: string | null;
  /** Id of the site. `null` for `kind: 'api'`. */
  site_id?: number | null;
}

/** A site for which no article was created. */
export interface SkippedArticle {
  /** Id of the WordPress site. */
  site_id?: number | null;
  /** Id of the Wix site. */
  wix_site_id?: number | null;
  /** Why the site was skipped. `already_exists`: it already has the article. */
  reason: LiteralUnion<'already_exists', string>;
}

/** The result of `articles.create`. A request can create no article at all: check `created` and `skipped`. */
export interface ArticleCreation {
  /** The created articles: one for each site, or one for a custom site. */
  created: (CreatedApiArticle | CreatedSiteArticle)[];
  /** The sites without a new article. Absent if no site was skipped. */
  skipped?: SkippedArticle[] | null;
  /** Number of created articles. */
  count: number;
  /** `true` if the service is still writing the texts. `articles.waitUntilWritten` waits for one of them. */
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

/** The result of `articles.update`. */
export interface ArticleUpdate {
  /** Id of the article. */
  article_id: number;
  /** Names of the fields that changed. */
  updated_fields: string[];
  /** Status of the article after the update. */
  status: ArticleStatus;
}

export const articleUpdateSchema: z.ZodMiniType<ArticleUpdate, ArticleUpdate> = s.object({
  article_id: s.integer,
  updated_fields: s.list(s.string),
  status: s.string,
});

/** The result of `articles.publish`. */
export interface ArticlePublication {
  /** `true` if the article goes online at `scheduled_at`, `false` if it went online immediately. */
  scheduled: boolean;
  /** Id of the article. */
  article_id: number;
  /** Title of the article. */
  title?: string | null;
  /** ISO 8601. `null` if the article went online immediately. */
  scheduled_at?: string | null;
}

export const articlePublicationSchema: z.ZodMiniType<ArticlePublication, ArticlePublication> = s.object({
  scheduled: s.boolean,
  article_id: s.integer,
  title: s.maybe(s.string),
  scheduled_at: s.maybe(s.string),
});

/** The result of `articles.confirm`: the service has recorded that the article is live on your site. */
export interface ArticleConfirmation {
  /** Id of the article. */
  article_id: number;
  /** ISO 8601. Each confirmation replaces the date of the previous one. */
  confirmed_at: string;
  /** `'pingback'` for this route. */
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
    trace: "`articles.list({ status: 'all' })` shows the article",
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
    trace: '`articles.get(id)` shows the status `published`',
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
