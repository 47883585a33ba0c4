/** What a sync needs to know of an article. */
export interface SyncArticle {
  id: number;
  /** `'published'`, or anything else for an article that is offline. */
  status: string;
  /** ISO 8601; what pages are sorted by, and what cursors are. */
  updated_at: string;
}

/** One page of a list of articles. */
export interface SyncPage<Listed extends SyncArticle> {
  articles: Listed[];
  /** Articles that match, on all pages. */
  total: number;
  offset: number;
}
