import { answer, type Doors } from './answer.js';
import { createArticles } from './article-helpers.js';
import { createClock } from './clock.js';
import { createConnections } from './connection-helpers.js';
import { Faults, faultReply, isOnlyDelay } from './faults.js';
import { resources } from './handlers/index.js';
import { toResponse } from './http.js';
import { settle } from './jobs.js';
import { findBulle } from './model/brand.js';
import { KeyRing } from './model/keys.js';
import { createPosts } from './post-helpers.js';
import { RateLimit } from './rate-limit.js';
import { createReports } from './report-helpers.js';
import { openRecord, parseJson } from './request-log.js';
import { createReviews } from './review-helpers.js';
import { operationOf, Router } from './router.js';
import { ids } from './seed/brand.js';
import type { Service } from './service.js';
import { readSettings, type Settings } from './settings.js';
import { sleep } from './sleep.js';
import { Store } from './store.js';
import { toMillis } from './timestamps.js';
import type { MockApiOptions, MockControl, MockKeys, MockRequest } from './types.js';

const router = new Router(resources.flatMap(({ routes }) => routes));
const runners = new Map(resources.flatMap(({ jobs = {} }) => Object.entries(jobs)));
const slices = resources.flatMap((resource) => resource.slices ?? []);

/** Everything that `reset` replaces. */
interface World extends Doors {
  readonly made: MockKeys;
  readonly faults: Faults;
  /** Cuts the waits of requests that are still being answered. */
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
    made: keys.seed(clock.start),
    rateLimit: new RateLimit(settings.rateLimit),
    faults: new Faults(),
    stop: new AbortController(),
  };
}

/** The mock without a face: index.ts gives it MSW handlers, server.ts a socket. Neither msw nor Node is needed here. */
export interface MockCore extends MockControl {
  /** The path before `/api/v2`. */
  readonly prefix: string;
}

export function createMockCore(options: MockApiOptions = {}): MockCore {
  const settings = readSettings(options);
  const requests: MockRequest[] = [];
  let world = createWorld(settings);
  const { made: keys } = world;

  /** For the helpers: the service as it is, with the work done that is due. */
  function current(): Service {
    settle(world.service, runners);
    return world.service;
  }

  async function handle(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const { service, faults, stop } = world;
    const doors = world;
    const url = new URL(request.url);
    const full = withoutPrefix(url.pathname, settings.prefix);
    const path = full?.startsWith('/api/v2/') ? full.slice('/api/v2'.length) : undefined;
    const match = router.match(request.method, path);
    const operation = operationOf(match, url.searchParams);
    const record = openRecord(request, url, full ?? url.pathname, operation, toMillis(service.clock.now()));
    if (request.method !== 'OPTIONS') requests.push(record);

    const text = await request.text().catch(() => undefined);
    // The client went away in the middle of its body.
    if (text === undefined) return Response.error();
    record.body = parseJson(text);

    settle(service, runners);
    const fault = faults.take({ method: request.method, path, operation });
    const normal = () =>
      answer(doors, { method: request.method, path, query: url.searchParams, headers: request.headers, text, match });
    const replaced = fault !== undefined && !isOnlyDelay(fault);
    if (replaced && fault.applied === true) normal();
    const reply = replaced ? faultReply(fault) : normal();

    const wait = settings.latency + (fault?.delay ?? 0);
    const whole = wait === 0 || (await sleep(wait, [request.signal, stop.signal]));
    if (!whole || fault?.network === true) return Response.error();
    record.status = reply.status;
    return toResponse(reply, path);
  }

  return {
    baseUrl: settings.origin + settings.prefix,
    prefix: settings.prefix,
    keys,
    ids,
    requests,
    handle,
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
    addKey(keyOptions = {}) {
      const { bulle_id } = keyOptions;
      const bulle = bulle_id === undefined ? undefined : findBulle(world.service.store, bulle_id);
      if (bulle_id !== undefined && bulle?.sphere_id !== ids.sphere) {
        throw new RangeError(`the brand has no location ${bulle_id}`);
      }
      return world.keys.add(keyOptions);
    },
    revokeKey: (key) => world.keys.remove(key),
  };
}

function withoutPrefix(pathname: string, prefix: string): string | undefined {
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined;
}
