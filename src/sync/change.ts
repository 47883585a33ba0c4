import type { SyncArticle } from './source.js';

/** One change to apply to a copy of the articles. */
export type Change<Listed extends SyncArticle> =
  | {
      /** A published article is new or has changed. Store it. */
      type: 'upsert';
      /** The published article. */
      article: Listed;
    }
  | {
      /** An article is offline now, or has moved to a location that is not synced. Remove it. */
      type: 'unpublish';
      /** Id of the article. */
      id: number;
      /** The article in its new state. */
      article: Listed;
    }
  | {
      /** An article no longer exists. Remove it. */
      type: 'delete';
      /** Id of the deleted article. */
      id: number;
    }
  | {
      /** Everything before this event is complete. Store the cursor after it. */
      type: 'checkpoint';
      /** An `updated_at` of the service. A run that starts from it loses nothing. */
      cursor: string;
    };

/** A change or a checkpoint, or the end of a page without a checkpoint. */
export type RunEvent<Listed extends SyncArticle> =
  | Change<Listed>
  | {
      type: 'page';
      /** Whether a later run can continue here. */
      canEnd: boolean;
    };
