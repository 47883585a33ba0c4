/** The platforms that posts go to. */
export type MockPlatform =
  | 'facebook'
  | 'instagram'
  | 'gmb'
  | 'linkedin'
  | 'pinterest'
  | 'tiktok'
  | 'snapchat'
  | 'youtube';

type OnPlatform<Prefix extends string> = Record<`${Prefix}_${MockPlatform}`, string | null>;

/** A post as GET /posts serves it. */
export interface MockPost extends OnPlatform<'scheduled'>, OnPlatform<'published'>, OnPlatform<'error'> {
  id: number;
  bulle_id: string;
  content: string;
  platforms: MockPlatform[];
  /**
   * `pending` while a platform is still to come, then `error` when one has failed, else `published`. What POST /posts
   * and the social routes call `scheduled` or `publishing` is `pending` here.
   */
  status: 'pending' | 'published' | 'error';
  image_url: string | null;
  image_urls: string[] | null;
  video_url: string | null;
  platform_refs: Partial<Record<MockPlatform, string>>;
  created_at: string;
  updated_at: string;
  warnings: string[];
}

/** A post to add from outside the API. */
export interface MockNewPost {
  content?: string | undefined;
  /** @default ['facebook'] */
  platforms?: readonly MockPlatform[] | undefined;
  /** @default the location of `keys.bulle` */
  bulle_id?: string | undefined;
  /** ISO 8601; the post is then pending. @default published now */
  scheduled_at?: string | undefined;
}

/** Which publication is to fail: the next one on the platform that fits all that is given. */
export interface MockPlatformFailure {
  bulle_id?: string | undefined;
  post_id?: number | undefined;
  /** What `error_<platform>` will say. */
  message?: string | undefined;
  /** How many publications. @default 1 */
  times?: number | undefined;
}

/** Changes to posts that come from inside the service, or from the platforms. */
export interface MockPosts {
  /** Add a post, for rows that shift while a client pages. */
  add(fields?: MockNewPost): MockPost;
  remove(id: number): void;
  /** @throws RangeError when there is no such post. */
  get(id: number): MockPost;
  /** Every post of the brand, oldest first. */
  all(): MockPost[];
  /** The next publication on that platform fails. Without this, only a lost connection makes one fail. */
  failPlatform(platform: MockPlatform, failure?: MockPlatformFailure): void;
}

/** A review as GET /reviews serves it. */
export interface MockReview {
  /** Google's name for it; some hold slashes. */
  review_id: string;
  customer_name: string;
  rating: number;
  /** `null`: stars without a word. */
  text: string | null;
  review_timestamp: string;
  response_text: string | null;
  reply_date: string | null;
  responded: boolean;
  author_photo: string | null;
}

/** A review to add from outside the API. */
export interface MockNewReview {
  /** @default the listing of `keys.bulle` */
  fiche_id?: string | undefined;
  customer_name?: string | undefined;
  /** @default 5 */
  rating?: number | undefined;
  text?: string | null | undefined;
  /** ISO 8601. @default now */
  review_timestamp?: string | undefined;
}

/** What customers and Google do to reviews. */
export interface MockReviews {
  /** A customer writes a review: rows shift while a client pages. */
  add(fields?: MockNewReview): MockReview;
  /** The review vanishes at Google. It stays in the lists, and a reply to it is answered with 410. */
  removeAtGoogle(review_id: string): void;
  /** @throws RangeError when there is no such review. */
  get(review_id: string): MockReview;
  /** The reviews of a listing (by default that of `keys.bulle`), newest first. */
  all(fiche_id?: string): MockReview[];
}

/** A report as GET /reports serves it: nothing of it tells which order it came from. */
export interface MockReport {
  fiche_name: string;
  report_name: string;
  /** `2026-11` */
  period: string;
  generated_at: string;
  pdf_url: string;
  csv_url: string;
}

/** A report that somebody else has ordered. */
export interface MockNewReport {
  /** @default the listing of `keys.bulle` */
  fiche_id?: string | undefined;
  report_name?: string | undefined;
}

export interface MockReports {
  /** A report of somebody else is ready, now. */
  add(fields?: MockNewReport): MockReport;
  /** Every report of the brand that is ready, newest first. */
  all(): MockReport[];
}

/** What can be changed about a connected account. */
export interface MockConnectionPatch {
  connected?: boolean | undefined;
  needs_reconnect?: boolean | undefined;
  /** ISO 8601 */
  expires_at?: string | undefined;
}

/** Accounts are connected and withdrawn on the platforms, never through the API. */
export interface MockConnections {
  /** @throws RangeError when the location has no account there. */
  change(bulle_id: string, platform: MockPlatform, patch: MockConnectionPatch): void;
}
