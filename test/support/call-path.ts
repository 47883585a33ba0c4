// Prints the files of src that one successful call enters, by V8's precise coverage: npx tsx test/support/call-path.ts posts.create
import { Session } from 'node:inspector/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '../../src/index.js';
import { ARTICLE } from './fixtures.js';

const SRC = `${pathToFileURL(dirname(dirname(dirname(fileURLToPath(import.meta.url))))).href}/src/`;
const at = '2026-11-25T08:00:00Z';
const post = {
  id: 9,
  content: 'a',
  platforms: ['facebook'],
  status: 'scheduled',
  scheduled_facebook: at,
  warnings: [],
};
const CALLS: Record<string, { body: unknown; call: (client: Client) => Promise<unknown> }> = {
  'posts.create': {
    body: { ...post, image_url: null, created_at: at, updated_at: at },
    call: (client) => client.posts.create({ content: 'a', platforms: ['facebook'], bulle_id: 'b' }),
  },
  'articles.get': { body: ARTICLE, call: (client) => client.articles.get(1) },
};
/** What compilers add. */
const GENERATED = /^(<instance_members_initializer>|<static_initializer>|__name)$/;

const chosen = CALLS[process.argv[2] ?? ''];
if (!chosen) throw new Error(`Choose one of: ${Object.keys(CALLS).join(', ')}`);
const { body, call } = chosen;
const client = new Client({ apiKey: 'key', baseUrl: 'https://api.example', fetch: async () => Response.json(body) });
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
// What ran while the modules were loaded does not count.
await session.post('Profiler.takePreciseCoverage');
await call(client);
const { result } = await session.post('Profiler.takePreciseCoverage');
for (const { url, functions } of result) {
  const isEntered = functions.some(({ functionName, ranges: [range] }) => {
    const isModule = functionName === '' && range?.startOffset === 0;
    return Boolean(range?.count) && !isModule && !GENERATED.test(functionName);
  });
  if (url.startsWith(SRC) && isEntered) console.log(url.slice(SRC.length));
}
