import type { Promisable } from 'type-fest';

/** The fields of an article that a sync uses. */
export interface SyncArticle {
  /** Id of the article. */
  id: number;
  /** `'published'` for an article that is online, another value otherwise. */
  status: string;
  /** ISO 8601. Pages are sorted by it, and it is used as the cursor. */
  updated_at: string;
  /** The location. `null` for articles of the brand. */
  bulle_id?: string | null;
}

/** One page of a list of articles. */
export interface SyncPage<Listed extends SyncArticle> {
  articles: Listed[];
  /** Articles that match, on all pages. Some services count something else. */
  total: number;
  /** Articles that a page holds at most. */
  limit: number;
  offset: number;
}

/** The list of articles, page by page. */
export interface SyncList<Listed extends SyncArticle> {
  /** Requests one page. `offset` is sent only if it is not 0. */
  list(position: { updated_since: string; offset: number }): Promise<SyncPage<Listed>>;
  /** Removes secrets from a text that the service sent. */
  mask(text: string): string;
}

/** The requests that a sync needs. */
export interface SyncSource<Listed extends SyncArticle> extends SyncList<Listed> {
  /** The location that the list is limited to. */
  readonly bulle_id: string | undefined;
  /** Requests one article. `'missing'` for the 404 of the service, `'unknown'` if the service does not say. */
  get(id: number): Promise<Listed | 'missing' | 'unknown'>;
  /** Receives the cost of a complete listing before the listing continues. Throws to refuse the listing. */
  announce(plan: { total: number; requests: number; canResume: boolean }): Promisable<void>;
}
