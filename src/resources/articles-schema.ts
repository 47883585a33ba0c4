import type { LiteralUnion } from 'type-fest';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import { articleCreateParamsSchema, articlePublishParamsSchema, articleUpdateParamsSchema } from './articles-params.js';
import { type ArticleStatus, articleReadEndpoints } from './articles-reads-schema.js';

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
  /** The sites without a new article. */
  skipped?: SkippedArticle[] | null;
  /** Number of created articles. */
  count: number;
  /** `true` if the service is still writing the texts. `articles.waitUntilWritten` waits for one of them. */
  generating: boolean;
}

/** The zod schema of {@link ArticleCreation}. */
export const articleCreationSchema: s.ObjectSchema<ArticleCreation> = s.object({
  created: s.list(
    s.anyOf(
      [
        s.object({ id: s.integer, kind: s.string, title: s.maybe(s.string), site_id: s.maybe(s.integer) }),
        s.object({
          id: s.integer,
          kind: s.maybe(s.only(null)),
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

/** The zod schema of {@link ArticleUpdate}. */
export const articleUpdateSchema: s.ObjectSchema<ArticleUpdate> = s.object({
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
  /** ISO 8601. */
  scheduled_at?: string | null;
}

/** The zod schema of {@link ArticlePublication}. */
export const articlePublicationSchema: s.ObjectSchema<ArticlePublication> = s.object({
  scheduled: s.boolean,
  article_id: s.integer,
  title: s.maybe(s.string),
  scheduled_at: s.maybe(s.string),
});

const { list, get, confirm } = articleReadEndpoints;

export const articleEndpoints = {
  list,
  get,
  create: endpoint({
    operation: 'articles.create',
    method: 'POST',
    path: '/articles',
    trace: "`articles.list({ status: 'all' })` shows the article",
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: true,
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
  confirm,
};
