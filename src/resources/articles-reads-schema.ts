import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { Timestamp } from '../core/types.js';

/** Filters of `articles.list`. */
export interface ArticleListParams {
  /** The default is not documented, so pass a value. `all` includes drafts. */
  status?: 'published' | 'draft' | 'all' | undefined;
  /** Only articles whose `updated_at` is later than this date, oldest change first. */
  updated_since?: Timestamp | undefined;
  /** Filters by date of publication. Unlike `updated_since`, it does not consider later changes. */
  since?: Timestamp | undefined;
  /** Only this location. Without it, a sphere key gets the articles of the whole brand. */
  bulle_id?: string | undefined;
}

/** The zod schema of {@link ArticleListParams}. */
export const articleListParamsSchema: s.ObjectSchema<ArticleListParams> = s.params({
  status: z.optional(s.oneOf(['published', 'draft', 'all'])),
  updated_since: z.optional(s.timestamp),
  since: z.optional(s.timestamp),
  bulle_id: s.target,
});

/** Parameters of `articles.confirm`. */
export interface ArticleConfirmParams {
  /** Public address of the page: `http://` or `https://`, at most 2048 characters. It must not contain secrets. */
  rendered_url?: string | undefined;
}

/** The zod schema of {@link ArticleConfirmParams}. */
export const articleConfirmParamsSchema: s.ObjectSchema<ArticleConfirmParams> = s.params({
  rendered_url: z.optional(
    s.text(1, 2048).check(z.refine((url) => /^https?:\/\//.test(url), 'must be an http:// or https:// URL')),
  ),
});

/** Filters of `articles.changes`. */
export interface ArticleChangesParams {
  /** Only changes later than this `updated_at`. Pass the service's string back unchanged. Default: all changes. */
  since?: Timestamp | undefined;
  /** Default `'published'`. `all` includes drafts. */
  status?: 'published' | 'draft' | 'all' | undefined;
  /** Only this location. Without it, a sphere key gets the articles of the whole brand. */
  bulle_id?: string | undefined;
}

/** The zod schema of {@link ArticleChangesParams}. */
export const articleChangesParamsSchema: s.ObjectSchema<ArticleChangesParams> = s.params({
  since: z.optional(s.timestamp),
  status: z.optional(s.oneOf(['published', 'draft', 'all'])),
  bulle_id: s.target,
});

/** Whether an article is online. */
export type ArticleStatus = LiteralUnion<'published' | 'draft', string>;

/** A generated article, as the service returns it. Fields newer than this version are kept. */
export interface Article {
  /** Id for `articles.get`, `update`, `publish` and `confirm`. */
  id: number;
  /** Plain text. Later changes of the title do not change the slug. */
  title?: string | null;
  /** Short summary. */
  excerpt?: string | null;
  /** HTML. Sanitise it before you put it into a page. `articles.waitUntilWritten` waits until it is not empty. */
  content_html?: string | null;
  /** Address of the main image. */
  featured_image_url?: string | null;
  /** Text for the `<title>` of the page. */
  meta_title?: string | null;
  /** Text for the `<meta name="description">` of the page. */
  meta_description?: string | null;
  /** Search term that the article is written for. */
  target_keyword?: string | null;
  /** Free label that the account chooses. Lists cannot be filtered by it. */
  category?: string | null;
  /** `published` if the article is online, else `draft`. An article that was taken offline is a `draft` again. */
  status: ArticleStatus;
  /** ISO 8601. */
  published_at?: string | null;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601, and the cursor of `changes` and `sync`. Pass it back unchanged, never through a `Date`. */
  updated_at: string;
  /** Fixed at first publication and never recomputed, even if the title changes. */
  slug?: string | null;
  /** The location of the article. `null` if the article belongs only to the brand. */
  bulle_id?: string | null;
  /** Name of the location. */
  bulle_name?: string | null;
}

/** The schema of each field. A page can ask for some of the fields. */
export const articleFields = {
  id: s.integer,
  title: s.maybe(s.string),
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
} satisfies Record<keyof Article, z.core.SomeType>;

/** The zod schema of {@link Article}. */
export const articleSchema: s.ObjectSchema<Article> = s.object(articleFields);

/** One page of articles. */
export interface ArticleList<Listed = Article> {
  /** The articles of this page. With `updated_since`, the oldest change comes first. */
  articles: Listed[];
  /** Number of articles that match the filters. */
  total: number;
  /** Size of a full page. */
  limit: number;
  /** Number of matching articles before this page. */
  offset: number;
}

/** The schema of a page of articles that match a schema. */
export function listOf<Listed>(article: s.Schema<Listed>): s.Schema<ArticleList<Listed>> {
  return s.object({ articles: s.list(article), total: s.integer, limit: s.integer, offset: s.integer });
}

/** The zod schema of {@link ArticleList}. */
export const articleListSchema: z.ZodMiniType<ArticleList, ArticleList> = listOf(articleSchema);

/** The result of `articles.confirm`: the service has recorded that the article is live on your site. */
export interface ArticleConfirmation {
  /** Id of the article. */
  article_id: number;
  /** ISO 8601. Each confirmation replaces the date of the previous one. */
  confirmed_at: string;
  /** `'pingback'` for this route. */
  confirmation_source: LiteralUnion<'pingback', string>;
}

/** The zod schema of {@link ArticleConfirmation}. */
export const articleConfirmationSchema: s.ObjectSchema<ArticleConfirmation> = s.object({
  article_id: s.integer,
  confirmed_at: s.string,
  confirmation_source: s.string,
});

/** The endpoints of {@link ArticleReads}. Bundles of pages hold them without the endpoints of writes. */
export const articleReadEndpoints = {
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
