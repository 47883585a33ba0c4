import type { SyncArticle } from './source.js';

/** One thing to do to a copy of the service's articles. */
export type Change<Listed extends SyncArticle> =
  /** A published article, new or changed. */
  | { type: 'upsert'; article: Listed }
  /** The article is offline now, or belongs to another location than the one that is synced. */
  | { type: 'unpublish'; id: number; article: Listed }
  /** The article does not exist any more. */
  | { type: 'delete'; id: number }
  /** Store everything before, then this cursor: a run that starts from it loses nothing. */
  | { type: 'checkpoint'; cursor: string };
