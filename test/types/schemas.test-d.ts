import type { Identity } from '../../src/core/identity.js';
import type * as articles from '../../src/resources/articles-model.js';
import type { Bulle, BulleDetail, bulle, bulleDetail } from '../../src/resources/bulles.js';
import type {
  Connection,
  ConnectionListParams,
  connection,
  connectionEndpoints,
} from '../../src/resources/connections.js';
import type { Health, health } from '../../src/resources/health.js';
import type { identity } from '../../src/resources/me.js';
import type { PlatformLimits, platformLimits } from '../../src/resources/platforms.js';
import type { Sphere, sphere } from '../../src/resources/spheres.js';
import { type Exact, exact } from './exact.js';

exact<Exact<typeof identity, Identity>>();
exact<Exact<typeof health, Health>>();
exact<Exact<typeof sphere, Sphere>>();
exact<Exact<typeof bulle, Bulle>>();
exact<Exact<typeof bulleDetail, BulleDetail>>();
exact<Exact<typeof connection, Connection>>();
exact<Exact<typeof platformLimits, PlatformLimits>>();
exact<Exact<typeof articles.article, articles.Article>>();
exact<Exact<typeof articles.articleList, articles.ArticleList>>();
exact<Exact<typeof articles.articleCreation, articles.ArticleCreation>>();
exact<Exact<typeof articles.articleUpdate, articles.ArticleUpdate>>();
exact<Exact<typeof articles.articlePublication, articles.ArticlePublication>>();
exact<Exact<typeof articles.articleConfirmation, articles.ArticleConfirmation>>();

// The check itself can fail.
// @ts-expect-error a missing optional field
exact<Exact<typeof sphere, Omit<Sphere, 'slug'>>>();
// @ts-expect-error an extra optional field
exact<Exact<typeof sphere, Sphere & { motto?: string | null }>>();
// @ts-expect-error a field that may not be null
exact<Exact<typeof sphere, Omit<Sphere, 'slug'> & { slug?: string }>>();
// @ts-expect-error a fault further down
exact<Exact<typeof articles.articleList, Omit<articles.ArticleList, 'articles'> & { articles: Sphere[] }>>();

// Parameters: what the types take is what the schemas let through.
type Endpoints = typeof articles.articleEndpoints;
exact<Exact<Endpoints['list']['params'], articles.ArticleListParams>>();
exact<Exact<Endpoints['update']['params'], articles.ArticleUpdateParams>>();
exact<Exact<Endpoints['publish']['params'], articles.ArticlePublishParams & { dry_run?: boolean | undefined }>>();
exact<Exact<Endpoints['confirm']['params'], articles.ArticleConfirmParams>>();
exact<Exact<(typeof connectionEndpoints)['list']['params'], ConnectionListParams>>();
