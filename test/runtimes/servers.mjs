// The service and its faults, in a Node process of their own. Prints one line of JSON with the addresses, and ends when
// its input does, so that it cannot outlive the one who started it.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { startMockServer } from 'multilocal/mock/server';

const { url: baseUrl, api } = await startMockServer();
// Three pages, on the location of the bulle key.
for (let i = 0; i < 120; i++) api.articles.add({ title: `Article ${i}`, bulle_id: api.ids.bulle });

/** What came in, by the id in the address. */
const logs = new Map();

/** `/{fault}/{id}/api/v2/…`: does what its name says, else what the mock does. */
async function answer(request, response, isElsewhere) {
  const [, fault, id, ...rest] = request.url.split('/');
  if (fault === 'log') return sendJson(response, logs.get(id) ?? []);
  if (fault === 'untrusted') return sendJson(response, { requests: untrustedRequests });
  if (fault === 'closed') return sendJson(response, { url: await closedUrl() });
  const log = logs.get(id) ?? [];
  logs.set(id, log);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const key = request.headersDistinct['x-api-key'];
  log.push({ method: request.method, key: key !== undefined, elsewhere: isElsewhere, at: Date.now() });

  const path = `/${rest.join('/')}`;
  const isFirst = log.length === 1;
  if (fault === '503-always' || (isFirst && fault === '503-once')) return refuse(response, 503);
  if (isFirst && fault === '429-once') return refuse(response, 429, { 'retry-after': '1' });
  if (isFirst && fault === '429-long') return refuse(response, 429, { 'retry-after': '2' });
  if (isFirst && fault === 'reset-once') return request.socket.resetAndDestroy();
  if (isFirst && fault === 'cut-once')
    return response.writeHead(200, JSON_TYPE).write('{"articles": [', () => request.socket.destroy());
  if (fault === 'stall') return;
  if (fault === 'stall-body') return void response.writeHead(200, JSON_TYPE).write('{"articles": [');
  if (fault === 'slow' || (isFirst && fault === 'slow-once')) await new Promise((resolve) => setTimeout(resolve, 500));
  if (fault.startsWith('redirect-')) {
    return response.writeHead(Number(fault.slice(-3)), { location: `${elsewhereUrl}/pass/${id}${path}` }).end();
  }

  const headers = Object.entries(request.headersDistinct).flatMap(([name, values]) =>
    values.map((value) => [name, value]),
  );
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  const given = await api.handle(new Request(baseUrl + path, { method: request.method, headers, ...body }));
  response.writeHead(given.status, [...given.headers].flat());
  response.end(await given.text());
}

const JSON_TYPE = { 'content-type': 'application/json' };

function sendJson(response, value) {
  response.writeHead(200, JSON_TYPE).end(JSON.stringify(value));
}

function refuse(response, status, headers = {}) {
  response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify({ detail: 'indisponible' }));
}

async function listen(isElsewhere) {
  const server = createServer((request, response) => {
    answer(request, response, isElsewhere).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

/** An address where nothing listens any more. */
async function closedUrl() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

/** A service whose certificate nobody trusts. Its requests are counted at `/untrusted` of the fault server. */
async function listenUntrusted() {
  const pem = (name) => readFileSync(`certificates/${name}.pem`);
  const server = createSecureServer({ key: pem('key'), cert: pem('localhost') }, (_, response) => {
    untrustedRequests++;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${server.address().port}`;
}

let untrustedRequests = 0;
const untrustedUrl = await listenUntrusted();
const elsewhereUrl = await listen(true);
const faultsUrl = await listen(false);
console.log(JSON.stringify({ baseUrl, faultsUrl, untrustedUrl, keys: api.keys }));
process.stdin.on('end', () => process.exit()).resume();
