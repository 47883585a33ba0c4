// A Worker whose isolates share the limits of one key.
import { Client, RateLimitError } from 'multilocal';
import { durableStore, type KeyLimiter } from './key-limiter.js';

// The runtime looks for the class among the exports of the main file.
export { KeyLimiter } from './key-limiter.js';

interface Env {
  /** A secret: `wrangler secret put MULTILOCAL_API_KEY`. A key with the permission `read` is enough. */
  MULTILOCAL_API_KEY: string;
  MULTILOCAL_BASE_URL: string;
  PER_MINUTE: number;
  PER_DAY: number;
  LIMITERS: DurableObjectNamespace<KeyLimiter>;
}

/** One client for the whole isolate. `env` comes with each request. */
let client: Client | undefined;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    client ??= createClient(env);
    try {
      return await respond(new URL(request.url).pathname, client);
    } catch (error) {
      if (error instanceof RateLimitError) {
        const seconds = Math.ceil((error.retryAfter ?? 60_000) / 1000);
        return new Response('Too many requests.', { status: 429, headers: { 'Retry-After': String(seconds) } });
      }
      // Visitors get no details of a failure. The log does, and errors of the client never contain the key.
      console.error(error);
      return new Response('The service failed.', { status: 502 });
    }
  },
};

async function respond(path: string, client: Client): Promise<Response> {
  if (path === '/budget') return Response.json(await client.budget());
  if (path !== '/articles') return new Response('Not found.', { status: 404 });
  const { articles } = await client.articles.list({ status: 'published' });
  return Response.json(articles.map(({ title }) => title));
}

function createClient({ MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL, PER_MINUTE, PER_DAY, LIMITERS }: Env): Client {
  return new Client({
    apiKey: MULTILOCAL_API_KEY,
    baseUrl: MULTILOCAL_BASE_URL,
    rateLimit: {
      store: durableStore(LIMITERS),
      perMinute: PER_MINUTE,
      perDay: PER_DAY,
      // A visitor gets a 429 at once instead of waiting.
      maxWait: 0,
      // Nobody knows how many isolates there are, so they cannot divide the limits if the objects fail.
      onStoreError: 'throw',
    },
  });
}
