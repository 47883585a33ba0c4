import * as msw from 'msw';
import { createMockControl, type MockApiOptions, type MockControl, readSettings } from './core.js';

export { testArticleStore } from './article-store-test.js';
export { mockDeviations } from './core.js';
export type * from './types.js';

// The namespace exists in every version. An import of `http` would fail with an error that does not name a version.
if (!msw.http)
  throw new Error(
    "multilocal/mock needs msw 2.10 or later (npm install -D msw@latest), or use the property `handle` of the mock from 'multilocal/mock/server'.",
  );

/** The mocked service with handlers for msw. */
export interface MockApi extends MockControl {
  /**
   * Handlers for msw's `setupServer` (Node) or `setupWorker` (browsers). They handle every request below the base URL.
   */
  readonly handlers: msw.HttpHandler[];
}

/**
 * Creates a stateful mock of the whole service with the locations, posts, articles and reviews of a bakery chain. Each
 * call creates a separate mock. It behaves as the specification says: keys and scopes, permissions, states, quotas, dry
 * runs, French error texts.
 *
 * @throws a `ConfigurationError` if an option is unknown or invalid.
 * @example
 * import { setupServer } from 'msw/node';
 *
 * const api = createMockApi();
 * const server = setupServer(...api.handlers);
 * server.listen();
 * const client = new Client({ apiKey: api.keys.sphere, baseUrl: api.baseUrl });
 *
 * api.fail({ operation: 'articles.list', status: 503 });
 * await client.articles.list(); // is retried, and succeeds
 * api.requests.length; // 2
 */
export function createMockApi(options: MockApiOptions = {}): MockApi {
  const control = createMockControl(readSettings(options));
  // A pattern instead of a path: msw would read `:` and `*` in a base URL as wildcards.
  const below = new RegExp(`^${escapePattern(control.baseUrl)}/`);
  return { ...control, handlers: [msw.http.all(below, ({ request }) => control.handle(request))] };
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
