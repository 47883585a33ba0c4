import type { MockConnections, MockPosts, MockReports, MockReviews } from './helper-types.js';
import type { MockOperation } from './operations.js';

/** How {@link MockControl} is set up. Every field may be left out. */
export interface MockApiOptions {
  /**
   * Where the mocked service stands: `https://host`, with or without a path prefix, a trailing slash or `/api/v2`
   * at its end. The HTTP server takes only the path prefix from it.
   * @default 'https://api.multilocal.test'
   */
  baseUrl?: string | URL | undefined;
  /**
   * Where the mock's clock starts; it runs with real time from there. A string without offset is UTC.
   * The same `now` gives the same seed.
   * @default the real current time
   */
  now?: Date | number | string | undefined;
  /**
   * `false`: nothing is counted, and GET /me reports 60 and 1000. An object: reported, and enforced for each key as
   * two exact sliding windows on the mock's clock (60 s and 24 h). Beyond them: 429 with `Retry-After` in seconds.
   * Refused requests, requests without a valid key and requests answered by {@link MockControl.fail} do not count.
   * @default false
   */
  rateLimit?: false | { perMinute: number; perDay: number } | undefined;
  /**
   * Milliseconds by which every answer comes later. What the request does is done on arrival.
   * @default 0
   */
  latency?: number | undefined;
  /**
   * How many articles a page of GET /articles holds when the request has no `limit`.
   * @default 50
   */
  articlesPageSize?: number | undefined;
  /**
   * What GET /articles does with `offset`, which the specification shows in the answer alone: `'honoured'`, or
   * `'ignored'`: the first page is served whatever it says, with `offset: 0`.
   * @default 'honoured'
   */
  articlesOffset?: 'honoured' | 'ignored' | undefined;
  /**
   * Monthly quotas, small ones for tests that use them up: `articles` for the brand, the others for each location.
   * @default { articles: 30, social: 60, sms: 50, email: 200, seo_scans: 8 }
   */
  quotas?: Partial<Record<MockQuotaName, number | undefined>> | undefined;
}

/** What is counted per month (UTC, on the mock's clock). */
export type MockQuotaName = 'articles' | 'social' | 'sms' | 'email' | 'seo_scans';

/** Keys of the seeded brand. Made at run time: no source file holds anything that looks like a key. */
export interface MockKeys {
  /** The whole brand, every permission. */
  readonly sphere: string;
  /** One location (it has one Google listing), every permission. */
  readonly bulle: string;
  /** The whole brand, `read` alone. */
  readonly readOnly: string;
  /** The whole brand, but expired: always 401. */
  readonly expired: string;
}

/** Identifiers of the seed that tests need and cannot all get from the API. */
export interface MockIds {
  readonly sphere: string;
  /** The location that `keys.bulle` covers. */
  readonly bulle: string;
  /** The only listing of that location. */
  readonly fiche: string;
  /** Another location of the brand: outside the scope of `keys.bulle`. */
  readonly otherBulle: string;
  /** A location of the brand without a Google listing. */
  readonly bulleWithoutFiche: string;
  /** The only listing of `otherBulle`. */
  readonly otherFiche: string;
  /** A location that no SEO scan has looked at yet. */
  readonly bulleWithoutSeo: string;
  /** A listing without a visibility scan. */
  readonly ficheWithoutScan: string;
  /** Posts of `bulle`, one in each state. */
  readonly posts: { readonly published: number; readonly error: number; readonly pending: number };
  /** A review of `fiche` that nobody has answered; there are slashes in its id. */
  readonly review: string;
  /** What exists, but belongs to another brand: refused with 403 to every key of this one. */
  readonly outside: {
    readonly bulle: string;
    readonly fiche: string;
    readonly article: number;
    readonly post: number;
    readonly review: string;
  };
}

/** One request that came in. OPTIONS requests are not recorded. */
export interface MockRequest {
  /** As the client names it: `articles.list`; `undefined` for an unknown route. */
  readonly operation: MockOperation | undefined;
  readonly method: string;
  /** The path without the prefix of the base URL: `/api/v2/articles/42`. */
  readonly path: string;
  /** Decoded; an array where a name came more than once. */
  readonly query: Record<string, string | string[]>;
  /** Names in lower case; the API key is `***`, wherever it stands. */
  readonly headers: Record<string, string>;
  /** The parsed JSON, or `undefined` when there was none. */
  readonly body: unknown;
  /** Of the answer; 0 before there is one, and when none was delivered (network fault, client gone). */
  readonly status: number;
  /** When it came in, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
}

/**
 * What {@link MockControl.fail} makes of the next requests that match `operation`, `method` and `path` (all of those
 * given; none given: any request).
 */
export interface MockFault {
  /** `articles.list`, `gmb.optimizer.apply` …: the names that the client's calls have. Any other is a RangeError. */
  operation?: MockOperation | (string & {}) | undefined;
  method?: string | undefined;
  /** What follows `/api/v2`, encoded as sent and without the query: `/articles/42`, or a pattern for it. */
  path?: string | RegExp | undefined;
  /** @default 500 */
  status?: number | undefined;
  /** Sent as `{ detail }`. By default a French text that suits the status. */
  detail?: unknown;
  /** The whole body instead of `{ detail }`: a string is sent as it is (`text/plain`), anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string> | undefined;
  /** The connection fails: no answer at all. Wins over `status`. */
  network?: boolean | undefined;
  /**
   * Milliseconds by which the answer comes later; `Infinity`: never. With nothing else given the answer is the normal
   * one, and what the request does is done on arrival. The wait ends when the client goes away.
   */
  delay?: number | undefined;
  /** The request is carried out, and its answer is lost: replaced by this fault. @default false */
  applied?: boolean | undefined;
  /** How many matching requests; `Infinity`: until `reset()`. @default 1 */
  times?: number | undefined;
}

/** A monthly quota, as refusals (429) and previews show it. */
export interface MockQuota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the count starts again: the first instant of the next month (UTC). */
  readonly resets_at: string;
}

/** An article as the API serves it. */
export interface MockArticle {
  id: number;
  title: string;
  excerpt: string | null;
  /** Empty until the text is written. */
  content_html: string;
  featured_image_url: string | null;
  meta_title: string | null;
  meta_description: string | null;
  target_keyword: string;
  category: string | null;
  status: 'published' | 'draft';
  /** `null` while the article is not online. */
  published_at: string | null;
  created_at: string;
  updated_at: string;
  /** `null` before the first publication. */
  slug: string | null;
  bulle_id: string | null;
  bulle_name: string | null;
}

/**
 * Fields of an article to set from outside the API. `updated_at` is the mock's clock's unless given: give the same
 * value twice to make a tie. Timestamps are ISO 8601; without offset they are UTC.
 */
export type MockArticlePatch = Partial<Omit<MockArticle, 'id' | 'bulle_name'>>;

/** Changes that come from inside the service: another user, an editor, a support team. */
export interface MockArticles {
  /** Add an article: published, with a text, attached to no location, but for what `fields` says. */
  add(fields?: MockArticlePatch): MockArticle;
  /** Change an article, online or not; at least its `updated_at` moves. */
  touch(id: number, patch?: MockArticlePatch): MockArticle;
  /** Take an article offline: it becomes a draft and keeps its slug. */
  unpublish(id: number, options?: { updated_at?: string | undefined }): MockArticle;
  /** Delete an article: it disappears from every list, without a trace. */
  remove(id: number): void;
  /** @throws RangeError when there is no such article. */
  get(id: number): MockArticle;
  /** Every article of the brand, drafts included, by id. */
  all(): MockArticle[];
  /** The last pingback that the articles route `confirm` has recorded, if any. */
  confirmation(id: number): { confirmed_at: string; rendered_url: string | null } | undefined;
}

/** What a key that a test adds may do. */
export interface MockKeyOptions {
  /** A bubble key for that location; without it: a sphere key. */
  bulle_id?: string | undefined;
  /** @default every permission */
  permissions?: readonly MockPermission[] | undefined;
  /** From then on (on the mock's clock) the key is refused. @default never */
  expires_at?: Date | string | undefined;
}

export type MockPermission = 'read' | 'schedule' | 'publish' | 'delete';

/** The mocked service: what both faces, MSW handlers and HTTP server, share. */
export interface MockControl {
  /** The address for a client's `baseUrl`. */
  readonly baseUrl: string;
  readonly keys: MockKeys;
  readonly ids: MockIds;
  /** What came in, oldest first. Emptied by `reset()`. */
  readonly requests: readonly MockRequest[];
  readonly articles: MockArticles;
  readonly posts: MockPosts;
  readonly reviews: MockReviews;
  readonly reports: MockReports;
  readonly connections: MockConnections;
  /**
   * Answer one request; takes what `fetch` takes, so that it can stand in for it. Never rejects where the request can be
   * made; a failed connection is `Response.error()`.
   * @example const client = new Client({ apiKey: api.keys.sphere, baseUrl: 'http://localhost', fetch: api.handle });
   */
  handle(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Let the next matching requests fail. Faults are tried in the order in which they were given, before the key and
   * the rate limit are looked at. CORS preflights are left alone, unless `method` is `OPTIONS`.
   * @returns a function that takes the fault back
   * @throws RangeError when a value is impossible, or the operation or another name is unknown.
   */
  fail(fault?: MockFault): () => void;
  /** Move the mock's clock forward: texts get written, posts go out, reports get ready, windows roll over. */
  advance(milliseconds: number): void;
  /** Put everything back to how it was made: state, clock, keys, faults, counters, `requests`; waits are cut short. */
  reset(): void;
  /** The instant on the mock's clock. */
  now(): Date;
  /** A deep copy of the whole state, to compare before with after. Clock, counters, keys and requests are not in it. */
  snapshot(): MockSnapshot;
  /** Make another key of the brand. */
  addKey(options?: MockKeyOptions): string;
  /** From now on the key is refused with 401. */
  revokeKey(key: string): void;
}

/** The state by part (`brand`, `articles`, `jobs` …); JSON values alone. For comparison: its shape is not stable. */
export type MockSnapshot = Readonly<Record<string, unknown>>;
