/** What the measured processes ask of a candidate: reads, as its own users would write them. An error status is an error. */
export interface Job {
  /** What `Client.connect` reads. */
  me(): Promise<unknown>;
  article(id: number): Promise<unknown>;
  /** A page of 100 posts. */
  posts(): Promise<unknown>;
  /** The page of articles changed after a timestamp. */
  articles(updated_since: string): Promise<{ articles: { updated_at: string }[]; total: number }>;
  /** All articles as the client's own sync gives them, where it has one. */
  sync?(): AsyncIterable<{ type: string }>;
}

export interface Service {
  /** Without `/api/v2`. */
  baseUrl: string;
  apiKey: string;
}
