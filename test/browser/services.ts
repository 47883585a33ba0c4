import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { MockControl } from '@multilocal/mock/types';
import { startMockServer } from 'multilocal/mock/server';
import { articlesProxy } from 'multilocal/proxy';
import type { TestProject } from 'vitest/node';
import { Client } from '../../src/client.js';

/** One request as it came over the wire, a preflight too. */
export interface Seen {
  method: string;
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** What the pages need to know of the servers that the Node side of the tests runs. */
export interface Services {
  keys: { sphere: string; bulle: string };
  ids: { bulle: string; otherBulle: string };
  /** An article that is online. */
  article: number;
  /** Addresses for a `baseUrl`, each of another origin than the page. */
  urls: Record<Place, string>;
  /** What the servers saw is asked here: `GET {control}/{place}` gives it and forgets it. */
  control: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    services: Services;
  }
}

type Place =
  /** The mock, as users run it. */
  | 'mock'
  /** Its preflight allows `X-API-Key` and `Content-Type`, and no other header. */
  | 'strict'
  /** Its errors come without CORS headers, as those of a gateway before the service do. */
  | 'gateway'
  /** It redirects every request to `elsewhere`. */
  | 'redirect'
  | 'elsewhere'
  /** It adds the key. */
  | 'proxy';

/** The key's owner may confirm pages of this site. */
const SITE = 'https://www.example.com';

/** The servers that pages of another origin talk to: real HTTP, so that the browser itself decides what passes. */
export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const mock = await startMockServer();
  const { api } = mock;
  const seen: Partial<Record<Place, Seen[]>> = {};
  const servers: Server[] = [];

  async function listen(handle: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown): Promise<string> {
    const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A server whose requests are written down. */
  function watched(place: Place, handle: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown) {
    const here: Seen[] = [];
    seen[place] = here;
    return listen((incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      here.push({ method, url, headers: headers as Record<string, string> });
      return handle(incoming, outgoing);
    });
  }

  const strict = await watched('strict', async (incoming, outgoing) => {
    if (incoming.method === 'OPTIONS') {
      outgoing.writeHead(204, {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT',
        'access-control-allow-headers': 'X-API-Key, Content-Type',
      });
      return outgoing.end();
    }
    return getRequestListener((request) => api.handle(request))(incoming, outgoing);
  });
  const gateway = await watched('gateway', (incoming, outgoing) => {
    if (incoming.method === 'OPTIONS') return allowAll(outgoing).writeHead(204).end();
    return outgoing.writeHead(502, { 'content-type': 'application/json' }).end('{"detail":"non"}');
  });
  const elsewhere = await watched('elsewhere', (_, outgoing) => {
    return allowAll(outgoing).writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const redirect = await watched('redirect', ({ method, url }, outgoing) => {
    allowAll(outgoing);
    if (method === 'OPTIONS') return outgoing.writeHead(204).end();
    return outgoing.writeHead(302, { location: `${elsewhere}${url}` }).end();
  });
  // As a site with Hono runs it, which also puts its own Request and Response in the place of the global ones.
  const proxy = await watched(
    'proxy',
    getRequestListener(
      articlesProxy({
        client: new Client({ apiKey: api.keys.readOnly, baseUrl: mock.url }),
        path: '/content',
        origins: '*',
        confirm: { origins: [SITE] },
      }),
    ),
  );
  const control = await listen(({ url = '' }, outgoing) => {
    const place = url.slice(1) as Place;
    allowAll(outgoing).writeHead(200, { 'content-type': 'application/json' });
    return outgoing.end(JSON.stringify(seen[place]?.splice(0)));
  });

  project.provide('services', {
    keys: { sphere: api.keys.sphere, bulle: api.keys.bulle },
    ids: { bulle: api.ids.bulle, otherBulle: api.ids.otherBulle },
    article: firstOnline(api),
    urls: { mock: mock.url, strict, gateway, redirect, elsewhere, proxy: `${proxy}/content` },
    control,
  });

  return async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await mock.close();
  };
}

function allowAll(outgoing: ServerResponse): ServerResponse {
  return outgoing
    .setHeader('access-control-allow-origin', '*')
    .setHeader('access-control-allow-methods', 'GET, POST, PUT')
    .setHeader('access-control-allow-headers', 'x-api-key, content-type');
}

function firstOnline({ articles }: MockControl): number {
  return articles.all().find(({ status }) => status === 'published')?.id ?? 0;
}
