import { seedRequests } from '../seed/acquisition.js';
import type { Slice } from '../store.js';
import type { Micros } from '../timestamps.js';

/** One customer asked for a review. */
export interface StoredRequest {
  readonly batch_id: string;
  readonly fiche_id: string;
  readonly channel: 'sms' | 'email';
  status: 'queued' | 'sent' | 'opened' | 'reviewed' | 'failed';
  readonly created_at: Micros;
}

export const requestsSlice: Slice<StoredRequest[]> = { name: 'acquisition', seed: seedRequests };
