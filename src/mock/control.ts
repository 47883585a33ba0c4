import { KeyRing, type MockKeyOptions, type MockKeys } from './engine/auth.js';
import { createClock, toMillis } from './engine/clock.js';
import { dispatch, type Gate } from './engine/dispatch.js';
import { Faults, faultReply, isOnlyDelay, sleep } from './engine/faults.js';
import { parseJson, toResponse } from './engine/http.js';
import { settle } from './engine/jobs.js';
import { openRecord } from './engine/log.js';
import { RateLimit } from './engine/rate-limit.js';
import { operationOf, Router } from './engine/router.js';
import { findBulle } from './engine/scope.js';
import { type MockSnapshot, type Service, Store } from './engine/store.js';
import { createArticles, type MockArticles } from './resources/articles/helper.js';
import { createConnections, type MockConnections } from './resources/connections.js';
import { type MockOperation, OPERATIONS, resources } from './resources/index.js';
import { createPosts, type MockPosts } from './resources/posts/helper.js';
import { createReports, type MockReports } from './resources/reports.js';
import { createReviews, type MockReviews } from './resources/reviews/helper.js';
import { ids, type MockIds } from './seed/brand.js';
import type { Settings } from './settings.js';

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
  /** The status of the response; 0 before there is one, and if none was delivered (network fault, client gone). */
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
  /** The connection fails: there is no response at all. Wins over `status`. */
  network?: boolean | undefined;
  /**
   * Milliseconds by which the response comes later; `Infinity`: never. With nothing else given the response is the normal
   * one, and the effect of the request happens on arrival. The wait ends when the client goes away.
   */
  delay?: number | undefined;
  /** The request is carried out, and this fault replaces its response. @default false */
  applied?: boolean | undefined;
  /** How many matching requests; `Infinity`: until `reset()`. @default 1 */
  times?: number | undefined;
}

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
   * Handles one request; takes what `fetch` takes, so that it can stand in for it. Never rejects where the request can be
   * made; a failed connection is `Response.error()`.
   * @example const client = new Client({ apiKey: api.keys.sphere, baseUrl: 'http://localhost', fetch: api.handle });
   */
  handle(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Lets the next matching requests fail. Faults are tried in the order in which they were given, before the key and
   * the rate limit are looked at. CORS preflights are not affected, unless `method` is `OPTIONS`.
   * @returns a function that takes the fault back
   * @throws RangeError when a value is impossible, or the operation or another name is unknown.
   */
  fail(fault?: MockFault): () => void;
  /** Moves the mock's clock forward: texts get written, posts go out, reports get ready, windows roll over. */
  advance(milliseconds: number): void;
  /** Resets state, clock, keys, faults, counters and `requests`; delays in progress end. */
  reset(): void;
  /** The instant on the mock's clock. */
  now(): Date;
  /** A deep copy of the whole state, to compare before with after. It contains no clock, counters, keys or requests. */
  snapshot(): MockSnapshot;
  /** Makes another key of the brand. */
  addKey(options?: MockKeyOptions): string;
  /** From now on the key is refused with 401. */
  revokeKey(key: string): void;
}

const router = new Router(resources.flatMap(({ routes }) => routes));
const runners = new Map(resources.flatMap(({ jobs = {} }) => Object.entries(jobs)));
const slices = resources.flatMap((resource) => resource.slices ?? []);

/** Everything that `reset` replaces. */
interface World extends Gate {
  readonly seededKeys: MockKeys;
  readonly faults: Faults;
  /** Ends the delays of requests that still wait for their response. */
  readonly stop: AbortController;
}

function createWorld(settings: Settings): World {
  const clock = createClock(settings.now ?? Date.now());
  const keys = new KeyRing();
  const service = { clock, settings, store: new Store(slices, { now: clock.start }) };
  for (const { start } of resources) start?.(service);
  return {
    service,
    keys,
    seededKeys: keys.seed(clock.start),
    rateLimit: new RateLimit(settings.rateLimit),
    faults: new Faults(OPERATIONS),
    stop: new AbortController(),
  };
}

/** The mocked service without handlers or a socket: index.ts and server.ts add those. */
export function createMockControl(settings: Settings): MockControl {
  const requests: MockRequest[] = [];
  let world = createWorld(settings);
  const { seededKeys: keys } = world;

  /** The current service, with the work done that is due. Helpers ask for it at each call, since `reset` replaces it. */
  function current(): Service {
    settle(world.service, runners);
    return world.service;
  }

  return {
    baseUrl: settings.origin + settings.prefix,
    keys,
    ids,
    requests,
    handle: async (input, init) =>
      handle(world, requests, input instanceof Request && !init ? input : new Request(input, init)),
    articles: createArticles(current),
    posts: createPosts(current),
    reviews: createReviews(current),
    reports: createReports(current),
    connections: createConnections(current),
    fail: (fault = {}) => world.faults.add(fault),
    advance(milliseconds) {
      if (!(milliseconds >= 0 && milliseconds < Number.POSITIVE_INFINITY)) {
        throw new RangeError('the clock can only be moved forward, by a number of milliseconds');
      }
      world.service.clock.advance(milliseconds);
      current();
    },
    reset() {
      world.stop.abort();
      requests.length = 0;
      world = createWorld(settings);
    },
    now: () => new Date(toMillis(world.service.clock.now())),
    snapshot: () => current().store.snapshot(),
    addKey: (keyOptions = {}) => addKey(world, keyOptions),
    revokeKey: (key) => world.keys.remove(key),
  };
}

function addKey({ service, keys }: World, keyOptions: MockKeyOptions): string {
  const { bulle_id } = keyOptions;
  if (bulle_id !== undefined && findBulle(service.store, bulle_id)?.sphere_id !== ids.sphere) {
    throw new RangeError(`the brand has no location ${bulle_id}`);
  }
  return keys.add(keyOptions);
}

/** Handles one request in the world of its arrival, even if `reset` replaces that in the meantime. */
async function handle(world: World, requests: MockRequest[], request: Request): Promise<Response> {
  const { service, faults, stop } = world;
  const { method, headers } = request;
  const url = new URL(request.url);
  const { prefix, latency } = service.settings;
  const full = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : undefined;
  const path = full?.startsWith('/api/v2/') ? full.slice('/api/v2'.length) : undefined;
  const match = router.match(method, path);
  const operation = operationOf(match, url.searchParams);
  const record = openRecord(request, url, full ?? url.pathname, operation, toMillis(service.clock.now()));
  if (method !== 'OPTIONS') requests.push(record);

  const text = await request.text().catch(() => undefined);
  // The client went away in the middle of its body.
  if (text === undefined) return Response.error();
  record.body = parseJson(text);

  settle(service, runners);
  const fault = faults.take({ method, path, operation });
  const normal = () => dispatch(world, { method, path, query: url.searchParams, headers, text, match });
  const replaced = fault !== undefined && !isOnlyDelay(fault);
  if (replaced && fault.applied === true) normal();
  const reply = replaced ? faultReply(fault) : normal();

  const delay = latency + (fault?.delay ?? 0);
  const isWhole = delay === 0 || (await sleep(delay, [request.signal, stop.signal]));
  if (!isWhole || fault?.network === true) return Response.error();
  record.status = reply.status;
  return toResponse(reply, path);
}
