import * as z from 'zod/mini';
import { crooked, type MockDeviation } from './crooked/deviations.js';
import { isExact } from './engine/clock.js';
import { moment, number, optionsSchema, readOptions, rule, whole } from './engine/options.js';

/** Options of `createMockApi`. All fields are optional. */
export interface MockApiOptions {
  /**
   * Address of the mocked service, with or without a path prefix. `startMockServer` uses only the prefix.
   * @default 'https://api.multilocal.test'
   */
  baseUrl?: string | URL | undefined;
  /**
   * Start of the mock's clock, in the years 1700 to 2199. A string without offset is UTC. The same `now` gives the same seed.
   * @default the real time
   */
  now?: Date | number | string | undefined;
  /**
   * Limits of each key, which GET /me reports. With `false`, the mock counts nothing and GET /me reports 60 and 1000. With an
   * object, it enforces them as two exact sliding windows on its clock. Refused requests, requests without a valid key and
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
   * Number of locations of the brand, 13 or more. Those beyond the first 13 have a listing and accounts, but no posts, articles
   * or reviews.
   * @default 13
   */
  bulles?: number | undefined;
  /** Milliseconds by which every response is delayed. A request has its effect when it arrives. @default 0 */
  latency?: number | undefined;
  /** Number of articles on a page of GET /articles if the request has no `limit`. @default 50 */
  articlesPageSize?: number | undefined;
  /**
   * Monthly quotas: `articles` by brand, the others by location. `social` counts the calls of `social.publish` only, because
   * the specification shows no quota for `posts.create`.
   * @default { articles: 30, social: 60, sms: 50, email: 200, seo_scans: 8 }
   */
  quotas?: Partial<Record<MockQuotaName, number | undefined>> | undefined;
  /**
   * Makes the mock differ from the specification, as a real service might: does your program survive that? Each deviation of
   * the list changes only the responses that {@link mockDeviations} names. With `true`, all of them apply except `error-keys`,
   * which `html-errors` hides. A `body` of {@link MockControl.fail} is sent as it is.
   * @default []
   */
  crooked?: true | readonly MockDeviation[] | undefined;
}

/** Names of the monthly quotas. A month begins at midnight UTC on the mock's clock. */
export type MockQuotaName = 'articles' | 'social' | 'sms' | 'email' | 'seo_scans';

const DEFAULT_BASE_URL = 'https://api.multilocal.test';
/** The locations of the invented brand. More can be had, and never fewer. */
export const BULLES = 13;
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
  now: z.optional(moment('now').check(z.refine(isExact, { error: rule('must be a date in the years 1700 to 2199') }))),
  rateLimit: z.optional(
    z.pipe(
      z.transform((limit) => (limit === false ? undefined : limit)),
      z.optional(limits),
    ),
  ),
  latency: z._default(
    number('must be a number of milliseconds, 0 or more', (it) => it >= 0),
    0,
  ),
  bulles: z._default(whole(BULLES), BULLES),
  articlesPageSize: z._default(whole(1), 50),
  quotas: z._default(quotas, quotas.parse({})),
  crooked,
};

const createOptions = optionsSchema('createMockApi', optionsShape);

/** The checked options with their defaults, and `baseUrl` in two parts. */
export type Settings = ReturnType<typeof toSettings>;

/** @throws a `ConfigurationError` if an option is unknown or invalid. */
export const readSettings = (options: MockApiOptions): Settings => toSettings(readOptions(createOptions, options));

function toSettings({ baseUrl, ...rest }: z.output<typeof createOptions>) {
  const base = new URL(String(baseUrl), DEFAULT_BASE_URL);
  // The path before `/api/v2`, without a trailing slash: `''` or `/tenant`.
  const prefix = base.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
  return { ...rest, origin: base.origin, prefix };
}

/** Options of `startMockServer`. */
export interface MockServerOptions extends MockApiOptions {
  /** The port; 0: any free one. @default 0 */
  port?: number | undefined;
  /**
   * The address or name to listen on. With `0.0.0.0` (IPv4) or `::` (IPv6, usually IPv4 too), other machines reach the mock,
   * and a client there needs `allowHttp: true`.
   * @default '127.0.0.1'
   */
  host?: string | undefined;
}

const PORT = 'startMockServer: `port` must be an integer from 0 to 65535';
const HOST = 'startMockServer: `host` must be a host name or an IP address';
const isHost = (text: string) => /^[\w.:%-]+$/.test(text);

const serverOptions = optionsSchema('startMockServer', {
  // Node would use any other value as the path of a socket file.
  port: z._default(z.int({ error: PORT }).check(z.minimum(0, { error: PORT }), z.maximum(65_535, { error: PORT })), 0),
  // Node listens on every address if the host is empty. IPv6 has colons, and a zone after `%`.
  host: z._default(z.string({ error: HOST }).check(z.refine(isHost, { error: HOST })), '127.0.0.1'),
  ...optionsShape,
});

/** @throws a `ConfigurationError` if an option is unknown or invalid. */
export function readServerOptions(options: MockServerOptions) {
  const { port, host, ...rest } = readOptions(serverOptions, options);
  return { port, host, settings: toSettings(rest) };
}
