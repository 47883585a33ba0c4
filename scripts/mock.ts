// Run by `npm run mock -- --port 4010`: the mock API on a real port, until Ctrl-C.
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../src/core/errors/index.js';
import { startMockServer } from '../src/mock/server.js';

const HELP = `npm run mock -- [options]

  -p, --port <port>  the port; 0: any free one (default: PORT of the environment, else 4010)
  --host <host>      the address to listen on; 0.0.0.0: every address of this machine (default: 127.0.0.1)
  --help`;

const { help, port, host } = readOptions();
if (help) {
  console.log(HELP);
  process.exit();
}

const { url, api, close } = await startMockServer({ port, host }).catch((error: NodeJS.ErrnoException) => {
  if (error instanceof ConfigurationError) return fail(`Not a host: ${host}\n\n${HELP}`);
  return fail(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is taken, perhaps by another mock. Any free one: npm run mock -- --port 0`
      : `The mock API cannot listen on ${host}, port ${port}: ${error.message}`,
  );
});

console.log(`The mock API answers on ${url}

  sphere key     ${api.keys.sphere}   the whole brand, every permission
  bulle key      ${api.keys.bulle}   one location: ${api.ids.bulle}
  read-only key  ${api.keys.readOnly}   the whole brand, read
  expired key    ${api.keys.expired}   always 401

For the recipes and the examples, in their terminal:

  export MULTILOCAL_API_KEY=${api.keys.sphere} MULTILOCAL_BASE_URL=${url}

For a look, the routes are below /api/v2:

  curl -H 'X-API-Key: ${api.keys.sphere}' '${url}/api/v2/articles?status=published'
  curl -H 'X-API-Key: ${api.keys.bulle}' '${url}/api/v2/posts?status=pending'
  curl -H 'X-API-Key: ${api.keys.sphere}' '${url}/api/v2/reviews?fiche_id=${encodeURIComponent(api.ids.otherFiche)}'

${others()}Ctrl-C stops it. Requests:
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

/** What others need to know if the mock listens on every address of this machine. */
function others(): string {
  if (host !== '0.0.0.0' && host !== '::') return '';
  return `Containers and other machines reach it by this machine's name or address, on port ${new URL(url).port}.
Their clients need \`allowHttp: true\`.

`;
}

function readOptions(): { help: boolean; port: number; host: string } {
  const { help, host, port: asked = process.env.PORT ?? '4010' } = parse();
  const port = /^\d{1,5}$/.test(asked) ? Number(asked) : Number.NaN;
  if (!(port <= 65_535)) fail(`Not a port: ${asked}\n\n${HELP}`);
  return { help, port, host };
}

function parse() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', short: 'p' },
        host: { type: 'string', default: '127.0.0.1' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
