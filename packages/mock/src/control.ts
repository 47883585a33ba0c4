import { ConfigurationError } from 'multilocal/internal/errors';
import { bendReply, bendRoutes } from './crooked/bends.js';
import { KeyRing, type MockKeyOptions, type MockKeys } from './engine/auth.js';
import { Clock, formatInstant, fromMillis, isExact, toMillis } from './engine/clock.js';
import { Delays, Faults, faultReply, isOnlyDelay } from './engine/faults.js';
import { FILES, ok, parseJson, type Reply, toResponse } from './engine/http.js';
import { RequestLog, readHeaders, readParameters } from './engine/log.js';
import { found } from './engine/options.js';
import { RateLimit } from './engine/rate-limit.js';
import { dispatch, matcher } from './engine/router.js';
import { brandBulle } from './engine/scope.js';
import { jobsSlice, type MockSnapshot, type Service, Store, settle } from './engine/store.js';
import { createArticles, type MockArticles } from './resources/articles.js';
import { createBulles, type MockBulles } from './resources/bulles.js';
import { createConnections, type MockConnections } from './resources/connections.js';
import { type MockOperation, OPERATIONS, resources } from './resources/index.js';
import { createPosts, type MockPosts } from './resources/posts.js';
import { quotasSlice } from './resources/quotas.js';
import { createReviews, type MockReviews } from './resources/reviews.js';
import { ids, type MockIds } from './seed/brand.js';
import type { Settings } from './settings.js';

/** A request that the mock received. OPTIONS requests are not recorded. */
export interface MockRequest {
  /** Name of the client's method: `articles.list`. `undefined` for an unknown route. */
  readonly operation: MockOperation | undefined;
  /** HTTP method in capitals: `GET`. */
  readonly method: string;
  /** Path without the prefix of the base URL: `/api/v2/articles/42`. */
  readonly path: string;
  /** Decoded query. The value is an array if a name occurs more than once. */
  readonly query: Record<string, string | string[]>;
  /** Headers with names in lower case. The API key is replaced by `***` in every header. */
  readonly headers: Record<string, string>;
  /** The parsed JSON, or `undefined`. */
  readonly body: unknown;
  /** Status of the response. 0 before the response, and if none was delivered (network fault, client gone). */
  readonly status: number;
  /** Time of arrival on the mock's clock, in milliseconds since 1970. */
  readonly at: number;
}

/** A failure for {@link MockControl.fail}, of the next requests that match all of the given `operation`, `method` and `path`. */
export interface MockFault {
  /** Name of the client's method: `articles.list`, `gmb.optimizer.apply` … */
  operation?: MockOperation | (string & {}) | undefined;
  /** HTTP method, in any case: `GET`. */
  method?: string | undefined;
  /** Path below `/api/v2`, encoded as sent and without the query (`/articles/42`), or a pattern for it. */
  path?: string | RegExp | undefined;
  /** Status of the response. @default 500, or 200 with a `body`: a response that differs from the specification */
  status?: number | undefined;
  /** Sent as `{ detail }`. Default: a French text that fits the status. */
  detail?: unknown;
  /** The whole body instead of `{ detail }`. A string is sent unchanged as `text/plain`, anything else as JSON. */
  body?: unknown;
  /** Headers of the response, in addition to the usual ones. */
  headers?: Record<string, string> | undefined;
  /** `true`: the connection fails and there is no response. Wins over `status`. */
  network?: boolean | undefined;
  /**
   * Milliseconds by which the response is delayed; with `Infinity`, it never comes. If only `delay` is given, the response is
   * the normal one, and the request has its effect when it arrives.
   */
  delay?: number | undefined;
  /** `true`: the mock executes the request and this fault replaces only the response. @default false */
  applied?: boolean | undefined;
  /** Number of matching requests that fail. With `Infinity`, all of them until `reset()`. @default 1 */
  times?: number | undefined;
}

/** Controls the mocked service. The MSW handlers and the HTTP server both have it. */
export interface MockControl {
  /** The address for a client's `baseUrl`. */
  readonly baseUrl: string;
  /** API keys of the seeded brand. */
  readonly keys: MockKeys;
  /** Ids of seeded locations, listings, posts and reviews. */
  readonly ids: MockIds;
  /**
   * The last 10 000 received requests, oldest first, or fewer if their bodies are large. Beyond that, each new request
   * drops the oldest ones, so that a mock can run for weeks. `reset()` empties the list.
   */
  readonly requests: readonly MockRequest[];
  /** Changes articles from outside the API, like an editor. */
  readonly articles: MockArticles;
  /** Changes posts from outside the API, like another user or a platform. */
  readonly posts: MockPosts;
  /** Changes reviews from outside the API, like customers and Google. */
  readonly reviews: MockReviews;
  /** Adds locations from outside the API, as the brand does when it opens one. */
  readonly bulles: MockBulles;
  /** Changes connected accounts from outside the API, like their owners. */
  readonly connections: MockConnections;
  /**
   * Handles one request, as the `fetch` of a client does. Rejects only if the arguments are not a valid request. A failed
   * connection is `Response.error()`.
   * @example const client = new Client({ apiKey: api.keys.sphere, baseUrl: 'http://localhost', fetch: api.handle });
   */
  handle(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Lets the next matching requests fail, before the mock checks their key and the rate limit. Faults are used in the order of
   * these calls. CORS preflights are not affected, unless `method` is `OPTIONS`.
   * @returns a function that removes the fault
   * @throws a `ConfigurationError` if a value is invalid, or if the operation or another name is unknown.
   */
  fail(fault?: MockFault): () => void;
  /**
   * Moves the mock's clock forward: texts get written, posts published and reports ready, and rate limits move on.
   * @throws a `ConfigurationError` if the number is negative, or ends after the year 2199.
   */
  advance(milliseconds: number): void;
  /** Resets state, clock, keys, faults, counters and `requests`. Ends all delays. */
  reset(): void;
  /** The current time on the mock's clock. */
  now(): Date;
  /** A deep copy of the whole state, for comparisons. It contains no clock, counters, keys or requests. */
  snapshot(): MockSnapshot;
  /** Creates another key of the brand. @throws a `ConfigurationError` if the location does not belong to the brand. */
  addKey(options?: MockKeyOptions): string;
  /** Revokes a key: from now on, requests with it get a 401. */
  revokeKey(key: string): void;
}

const routes = resources.flatMap((resource) => resource.routes);
const runners = new Map(resources.flatMap(({ jobs = {} }) => Object.entries(jobs)));
const slices = [...resources.flatMap((resource) => resource.slices ?? []), quotasSlice, jobsSlice];
/** The pictures and reports that responses link to. They are no API routes: they need no key, and no limit counts them. */
const folders = new Map(resources.flatMap(({ files = {} }) => Object.entries(files)));

/** The parts that `reset` replaces. */
type World = ReturnType<typeof createWorld>;

function createWorld(settings: Settings) {
  const clock = new Clock(settings.now ?? fromMillis(Date.now()));
  const keys = new KeyRing();
  const files = `${settings.origin}${settings.prefix}${FILES}`;
  const store = new Store(slices, { now: clock.start, bulles: settings.bulles, files });
  const service: Service = { clock, settings, files, store };
  for (const { start } of resources) start?.(service);
  return {
    match: matcher(bendRoutes(routes, settings.crooked)),
    service,
    keys,
    seededKeys: keys.seed(clock.start),
    rateLimit: new RateLimit(settings.rateLimit),
    faults: new Faults(OPERATIONS),
    delays: new Delays(),
  };
}

/** The mocked service without handlers or a socket: index.ts and server.ts add those. */
export function createMockControl(settings: Settings): MockControl {
  const log = new RequestLog<MockRequest>();
  let world = createWorld(settings);
  const { seededKeys: keys } = world;

  /** The current service, after all due work is done. Helpers call this each time, because `reset` replaces it. */
  const current = (): Service => settle(world.service, runners);

  return {
    baseUrl: settings.origin + settings.prefix,
    keys,
    ids,
    requests: log.entries,
    handle: async (input, init) =>
      handle(world, log, input instanceof Request && !init ? input : new Request(input, init)),
    articles: createArticles(current),
    posts: createPosts(current),
    reviews: createReviews(current),
    bulles: createBulles(current),
    connections: createConnections(current),
    fail: (fault = {}) => world.faults.add(fault),
    advance(milliseconds) {
      advance(world.service, milliseconds);
      current();
    },
    reset() {
      world.delays.endAll();
      log.clear();
      world = createWorld(settings);
    },
    now: () => new Date(toMillis(world.service.clock.now())),
    snapshot: () => current().store.snapshot(),
    addKey(keyOptions = {}) {
      const { bulle_id } = keyOptions;
      const bulle = brandBulle(world.service.store, bulle_id);
      if (bulle_id !== undefined) found(bulle, `addKey: the brand has no location ${bulle_id}; GET /bulles lists them`);
      return world.keys.add(keyOptions);
    },
    revokeKey: (key) => world.keys.remove(key),
  };
}

function advance({ clock }: Service, milliseconds: unknown): void {
  if (typeof milliseconds === 'number' && milliseconds >= 0 && isExact(clock.now() + fromMillis(milliseconds))) {
    clock.advance(milliseconds);
  } else {
    throw new ConfigurationError('advance: `milliseconds` must be a number, 0 or more, that ends before the year 2200');
  }
}

/** Moves the clock of a mock in another process. It is no route of the API: it needs no key and is not recorded. */
const ADVANCE = '/mock/advance';

function advanced(service: Service, body: unknown): Reply {
  try {
    advance(service, Object(body).milliseconds);
  } catch (error) {
    return { status: 422, body: { detail: Object(error).message } };
  }
  return ok({ now: formatInstant(settle(service, runners).clock.now()) });
}

/** Handles one request in the world of its arrival, even if `reset` replaces the world in the meantime. */
async function handle(world: World, log: RequestLog<MockRequest>, request: Request): Promise<Response> {
  const { service, faults, delays } = world;
  const { method, headers } = request;
  const url = new URL(request.url);
  const { prefix, latency } = service.settings;
  const full = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : undefined;
  const path = full?.startsWith('/api/v2/') ? full.slice('/api/v2'.length) : undefined;
  const match = world.match(method, path ?? '', url.searchParams.get('kind'));
  const operation = match.route?.operation;
  const record = {
    operation,
    method,
    path: full ?? url.pathname,
    query: readParameters(url.searchParams),
    headers: readHeaders(headers),
    body: undefined as unknown,
    status: 0,
    at: toMillis(service.clock.now()),
  };
  const isControl = method === 'POST' && full === ADVANCE;
  if (method !== 'OPTIONS' && !isControl) log.add(record);

  const text = await request.text().catch(() => undefined);
  // The client disconnected before its body was complete.
  if (text === undefined) return Response.error();
  record.body = parseJson(text);
  log.grow(record, text.length);

  if (isControl) return toResponse(advanced(service, parseJson(text)), path);
  settle(service, runners);
  const fault = faults.take({ method, path, operation });
  const [, folder = '', name = ''] = /^\/files\/([a-z-]+)\/([\w.-]+)$/.exec(full ?? '') ?? [];
  const file = method === 'GET' || method === 'HEAD' ? folders.get(folder)?.(service, name) : undefined;
  const normal = () => file ?? dispatch(world, { method, path, query: url.searchParams, headers, text, match });
  const replaced = fault !== undefined && !isOnlyDelay(fault);
  if (replaced && fault.applied === true) normal();
  const straight = replaced ? faultReply(fault) : normal();
  // Files are on another host in the service: no deviation of its API changes them.
  const reply = file ? straight : bendReply(straight, operation, headers, world);

  const delay = latency + (fault?.delay ?? 0);
  const isWhole = delay === 0 || (await delays.wait(delay, request.signal));
  if (!isWhole || fault?.network === true) return Response.error();
  record.status = reply.status;
  const date = new Date(toMillis(service.clock.now())).toUTCString();
  return toResponse({ ...reply, headers: { date, ...reply.headers } }, path);
}
