/** What a sync needs to know of an article. */
export interface SyncArticle {
  id: number;
  /** `'published'`, or anything else for an article that is offline. */
  status: string;
  /** ISO 8601; what pages are sorted by, and what cursors are. */
  updated_at: string;
  /** The location; `null` for articles of the brand. */
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

/** What a sync needs of the service. */
export interface SyncSource<Listed extends SyncArticle> extends SyncList<Listed> {
  /** The location that the list is limited to. */
  readonly bulle_id: string | undefined;
  /** Requests one article. `'missing'` for the 404 of the service, `'unknown'` if the service does not say. */
  get(id: number): Promise<Listed | 'missing' | 'unknown'>;
  /** Is told what a complete listing costs, before the listing goes on. Throws to refuse it. */
  announce(plan: { total: number; requests: number; canResume: boolean }): void;
}
