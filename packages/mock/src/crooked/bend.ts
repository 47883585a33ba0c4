import type { Gate } from '../engine/dispatch.js';
import type { Reply } from '../engine/http.js';
import type { Route } from '../engine/router.js';
import type { MockOperation } from '../resources/index.js';
import type { Detour, Handle } from './detours.js';
import type { Change } from './shapes.js';

/** The circumstances of a reply. */
interface Circumstances {
  readonly operation: MockOperation | undefined;
  /** The headers of the request. */
  readonly headers: Headers;
  readonly gate: Gate;
}

/** How one deviation bends the mock. */
export interface Bend {
  readonly detours?: Partial<Record<MockOperation, Detour>>;
  /** Changes the body of successful responses. */
  readonly bodies?: Partial<Record<MockOperation, Change>>;
  /** Changes every response, errors too. */
  readonly reply?: (reply: Reply) => Reply;
  /** Headers of every response. Those of the response itself win. */
  readonly headers?: (circumstances: Circumstances) => Readonly<Record<string, string>>;
}

/** The routes with the detours before their handlers. The detour of the first bend comes first. */
export const bendRoutes = (
  routes: readonly Route<MockOperation>[],
  bends: readonly Bend[],
): readonly Route<MockOperation>[] =>
  routes.map((route) => {
    if (route.permission === null) return route;
    const detours = bends.flatMap(({ detours }) => detours?.[route.operation] ?? []);
    const handle = detours.reduceRight<Handle>((next, detour) => (exchange) => detour(exchange, next), route.handle);
    return { ...route, handle };
  });

/** The reply after all bends, in their order. A body that a test gave to `fail` stays as it is. */
export function bendReply(reply: Reply, bends: readonly Bend[], circumstances: Circumstances): Reply {
  const { operation } = circumstances;
  const bent =
    reply.isGiven === true ? reply : bends.reduce((before, bend) => bendBody(before, bend, operation), reply);
  const headers = bends.map((bend) => bend.headers?.(circumstances));
  return { ...bent, headers: Object.assign({}, ...headers, bent.headers) };
}

function bendBody(reply: Reply, { bodies, reply: bend }: Bend, operation: MockOperation | undefined): Reply {
  const change = operation && bodies?.[operation];
  const changed = change !== undefined && reply.status < 300 ? { ...reply, body: change(reply.body) } : reply;
  return bend?.(changed) ?? changed;
}
