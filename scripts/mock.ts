// Run by `npm run mock -- --port 4010`: the mock API on a real port, until Ctrl-C.
import { parseArgs } from 'node:util';
import { startMockServer } from '../src/mock/server.js';

const { values } = parseArgs({ options: { port: { type: 'string', short: 'p' } } });
const asked = values.port ?? process.env.PORT ?? '4010';
const port = /^\d{1,5}$/.test(asked) ? Number(asked) : Number.NaN;
if (!(port <= 65_535)) {
  console.error(`Not a port: ${asked}`);
  process.exit(1);
}

const { url, api, close } = await startMockServer({ port }).catch((error: unknown) => {
  console.error(`The mock API cannot listen on port ${port}: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
});

console.log(`The mock API answers on ${url}/api/v2

  sphere key     ${api.keys.sphere}   the whole brand, every permission
  bulle key      ${api.keys.bulle}   one location: ${api.ids.bulle}
  read-only key  ${api.keys.readOnly}   the whole brand, read
  expired key    ${api.keys.expired}   always 401

  curl -H 'X-API-Key: ${api.keys.sphere}' '${url}/api/v2/articles?status=published'
  curl -H 'X-API-Key: ${api.keys.bulle}' '${url}/api/v2/posts?status=pending'
  curl -H 'X-API-Key: ${api.keys.sphere}' '${url}/api/v2/reviews?fiche_id=${encodeURIComponent(api.ids.otherFiche)}'

Ctrl-C stops it. Requests:
`);

// The record of a request is complete once it is answered, and `reset()` by a test empties the list.
const printed = new WeakSet<object>();
setInterval(() => {
  for (const request of api.requests) {
    if (request.status === 0 || printed.has(request)) continue;
    printed.add(request);
    const query = Object.entries(request.query).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    );
    const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
    console.log(`  ${request.status}  ${request.method} ${request.path}${search}`);
  }
}, 200);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().then(() => process.exit(0)));
}
