import type { Client } from './client.js';
import type { ApiPromise } from './core/api-promise.js';
import type { RequestOptions } from './core/options.js';
import type { Route } from './core/request.js';
import type { DryRunPreview } from './core/types.js';
import type { Articles } from './resources/articles.js';
import type { ArticlePublishParams } from './resources/articles-model.js';

/** The articles on `client.dryRun`: reads, syncs, and the preview of a publication. */
export interface DryRunArticles
  extends Pick<Articles, 'list' | 'get' | 'changes' | 'sync' | 'syncTo' | 'waitUntilWritten'> {
  /**
   * Preview a publication: nothing is published. `POST /articles/{article_id}/publish` with `dry_run: true`.
   * @throws {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.dryRun.articles.publish(42);
   */
  publish(article_id: number, params?: ArticlePublishParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** A client that executes nothing: costly operations preview, other writes are not there and are refused when called. */
export interface DryRunClient
  extends Pick<Client, 'identity' | 'scope' | 'health' | 'me' | 'spheres' | 'bulles' | 'connections' | 'platforms'> {
  readonly articles: DryRunArticles;
  /** The same for one location. */
  forBulle(bulle_id: string): DryRunClient;
  /** The same for one listing. */
  forFiche(fiche_id: string): DryRunClient;
  /** Read a route that this version does not know; other methods are refused. */
  request<T = unknown>(route: Route & { method: 'GET' }, options?: RequestOptions): ApiPromise<T>;
}
