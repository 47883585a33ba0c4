import * as z from 'zod/mini';
import { crooked, type MockDeviation } from './crooked/deviations.js';
import { moment, optionsSchema, readOptions, rule, whole } from './engine/options.js';

/** Options of `createMockApi`. All fields are optional. */
export interface MockApiOptions {
  /**
   * Address of the mocked service: `https://host`, with or without a path prefix, a trailing slash or a trailing `/api/v2`.
   * `startMockServer` uses only its path prefix.
   * @default 'https://api.multilocal.test'
   */
  baseUrl?: string | URL | undefined;
  /**
   * Start of the mock's clock, which then runs with real time. A string without offset is UTC. The same `now` gives the
   * same seed.
   * @default the real current time
   */
  now?: Date | number | string | undefined;
  /**
   * Limits of each key. With `false`, the mock counts nothing and GET /me reports 60 and 1000. With an object, GET /me
   * reports these limits, and the mock enforces them as two exact sliding windows on its clock (60 s and 24 h). A
   * request beyond a limit gets a 429 with `Retry-After` in seconds. Refused requests, requests without a valid key and
   * requests that {@link MockControl.fail} lets fail do not count.
   * @default false
   */
  rateLimit?:
    | false
    | {
        /** Requests within 60 s. */
        perMinute: number;
        /** Requests within 24 h. */
        perDay: number;
      }
    | undefined;
  /**
   * Number of locations of the brand, 13 or more. The first 13 are always the same. The others have a listing and accounts,
   * but no posts, articles or reviews.
   * @default 13
   */
  bulles?: number | undefined;
  /**
   * Milliseconds by which every response is delayed. The effect of a request happens when the request arrives.
   * @default 0
   */
  latency?: number | undefined;
  /**
   * Number of articles on a page of GET /articles if the request has no `limit`.
   * @default 50
   */
  articlesPageSize?: number | undefined;
  /**
   * Whether GET /articles accepts `offset`, which the specification shows only in the response. With `'ignored'`, every
   * request gets the first page, with `offset: 0`.
   * @default 'honoured'
   */
  articlesOffset?: 'honoured' | 'ignored' | undefined;
  /**
   * Monthly quotas. Pass small values in tests that use them up. `articles` counts by brand, the others by location.
   * `social` counts the calls of `social.publish` only: the specification shows this quota there, and none for
   * `posts.create`. With {@link MockControl.fail}, a test can let `posts.create` fail with a 429 as well.
   * @default { articles: 30, social: 60, sms: 50, email: 200, seo_scans: 8 }
   */
  quotas?: Partial<Record<MockQuotaName, number | undefined>> | undefined;
  /**
   * Makes the mock differ from the specification, as a real service might: does your program survive that? Each
   * deviation of the list changes only the responses that {@link mockDeviations} names. With `true`, all of them apply
   * except `error-keys`, because `html-errors` leaves errors without keys. Then even a dry run of `posts.create` and
   * `social.publish` publishes in the mock. In a list with both, `html-errors` wins. `default-limit` wins over
   * `articlesPageSize`. A `body` of {@link MockControl.fail} is sent as it is.
   * @default []
   */
  crooked?: true | readonly MockDeviation[] | undefined;
}

/** Names of the monthly quotas. A month begins at midnight UTC on the mock's clock. */
export type MockQuotaName = 'articles' | 'social' | 'sms' | 'email' | 'seo_scans';

const DEFAULT_BASE_URL = 'https://api.multilocal.test';

const limits = optionsSchema('rateLimit', { perMinute: whole(1), perDay: whole(1) });

// The specification has no values for the monthly quotas: these are the mock's own.
const quotas = optionsSchema('quotas', {
  articles: z._default(whole(0), 30),
  social: z._default(whole(0), 60),
  sms: z._default(whole(0), 50),
  email: z._default(whole(0), 200),
  seo_scans: z._default(whole(0), 8),
});

/** The options of the mock for both entries. The server adds its own. */
const optionsShape = {
  baseUrl: z._default(z.custom<string | URL>(), DEFAULT_BASE_URL),
  now: z.optional(moment('now')),
  rateLimit: z.optional(
    z.pipe(
      z.transform((limit) => (limit === false ? undefined : limit)),
      z.optional(limits),
    ),
  ),
  latency: z._default(
    z.custom<number>((value) => typeof value === 'number' && value >= 0, {
      error: rule('must be a number of milliseconds, 0 or more'),
    }),
    0,
  ),
  bulles: z._default(whole(13), 13),
  articlesPageSize: z._default(whole(1), 50),
  articlesOffset: z._default(
    z.enum(['honoured', 'ignored'], { error: rule("must be 'honoured' or 'ignored'") }),
    'honoured',
  ),
  quotas: z._default(quotas, quotas.parse({})),
  crooked,
};

const createOptions = optionsSchema('createMockApi', optionsShape);
type Checked = z.output<typeof createOptions>;

/** The checked options with their defaults. */
export interface Settings extends Omit<Checked, 'baseUrl'> {
  readonly origin: string;
  /** The path before `/api/v2`, without a trailing slash: `''` or `/tenant`. */
  readonly prefix: string;
}

/** @throws a `ConfigurationError` if an option is unknown or invalid. */
export const readSettings = (options: MockApiOptions): Settings => toSettings(readOptions(createOptions, options));

function toSettings({ baseUrl, ...rest }: Checked): Settings {
  const base = new URL(String(baseUrl), DEFAULT_BASE_URL);
  const prefix = base.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
  return { ...rest, origin: base.origin, prefix };
}

/** Options of `startMockServer`. */
export interface MockServerOptions extends MockApiOptions {
  /**
   * The port; 0: any free one.
   * @default 0
   */
  port?: number | undefined;
  /**
   * The address or name to listen on. `0.0.0.0` (IPv4) and `::` (IPv6, usually IPv4 too) stand for every address of
   * this machine. Then containers and other machines of the network reach the mock, and a client there needs
   * `allowHttp: true`.
   * @default '127.0.0.1'
   */
  host?: string | undefined;
}

const PORT = 'startMockServer: `port` must be an integer from 0 to 65535';
const HOST = 'startMockServer: `host` must be a host name or an IP address';

/**
 * `isIP` is that of Node, which pages lack.
 * @throws a `ConfigurationError` if an option is unknown or invalid.
 */
export function readServerOptions(
  options: MockServerOptions,
  isIP: (text: string) => boolean,
): { readonly port: number; readonly host: string; readonly settings: Settings } {
  const isHost = (text: string) => isIP(text) || /^[\w.-]+$/.test(text);
  const schema = optionsSchema('startMockServer', {
    // Node would use any other value as the path of a socket file.
    port: z._default(
      z.int({ error: PORT }).check(z.minimum(0, { error: PORT }), z.maximum(65_535, { error: PORT })),
      0,
    ),
    // Node listens on every address if the host is empty.
    host: z._default(z.string({ error: HOST }).check(z.refine(isHost, { error: HOST })), '127.0.0.1'),
    ...optionsShape,
  });
  const { port, host, ...rest } = readOptions(schema, options);
  return { port, host, settings: toSettings(rest) };
}
