import type { MockOperation } from './operations.js';
import type { Route } from './service.js';

export type Match =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Record<string, string> }
  | { readonly kind: 'wrong method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

interface Compiled {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Find the route of a request. Segments are split before they are decoded: an identifier may hold a `/`. */
export class Router {
  readonly #routes: readonly Compiled[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, segments: route.path.split('/') }));
  }

  match(method: string, path: string | undefined): Match {
    if (path === undefined) return { kind: 'unknown' };
    const sent = path.split('/');
    const allowed: string[] = [];
    for (const { route, segments } of this.#routes) {
      const params = readParams(segments, sent);
      if (params === undefined) continue;
      if (route.method === method) return { kind: 'found', route, params };
      allowed.push(route.method);
    }
    return allowed.length > 0 ? { kind: 'wrong method', allowed } : { kind: 'unknown' };
  }
}

export function operationOf(match: Match, query: URLSearchParams): MockOperation | undefined {
  if (match.kind !== 'found') return undefined;
  const { operation } = match.route;
  return typeof operation === 'string' ? operation : operation.of(query);
}

function readParams(segments: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== sent.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = sent[index] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined;
      continue;
    }
    const decoded = decode(value);
    if (decoded === undefined || decoded === '') return undefined;
    params[segment.slice(1, -1)] = decoded;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
