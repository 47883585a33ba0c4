// Every operation through a real socket: what arrives is held against the hand-typed table of the specification.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../src/index.js';
import { createMockApi } from '../../src/mock/index.js';
import { endpoints } from '../../src/resources/index.js';
import { callByName, type SpecEndpoint, spec } from '../spec/endpoints.js';

interface Arrived {
  method: string;
  path: string;
  query: [string, string][];
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a call should look like on the wire, but for what the table of the specification says already. */
interface Expected {
  call: (client: Client) => PromiseLike<unknown>;
  path?: Record<string, string>;
  query?: [string, string][];
  body?: object;
}

const api = createMockApi();
const { ids } = api;
const draft = api.articles.all().find(({ status, content_html }) => status === 'draft' && content_html)?.id as number;
const png = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
);
const b = ids.bulle;
const f = ids.fiche;

/** The sample call of the table, for operations without a case of their own below. */
function caseOf({ operation, method, path, sample }: SpecEndpoint): Expected {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object(sample[names.length]) as Record<string, unknown>;
  const isRead = method === 'GET' || method === 'DELETE';
  return {
    call: (client) => callByName(client, operation, sample),
    path: Object.fromEntries(names.map((name, index) => [name, String(sample[index])])),
    ...(isRead
      ? {
          query: Object.entries(params).flatMap(([name, value]) =>
            [value].flat().map((item) => [name, String(item)] as [string, string]),
          ),
        }
      : { body: params }),
  };
}

const cases: Record<string, Expected> = {
  health: { call: (c) => c.health() },
  me: { call: (c) => c.me() },
  'spheres.list': { call: (c) => c.spheres.list() },
  'bulles.list': { call: (c) => c.bulles.list() },
  'bulles.get': { call: (c) => c.bulles.get(b), path: { bulle_id: b } },
  'connections.list': { call: (c) => c.connections.list({ bulle_id: b }), query: [['bulle_id', b]] },
  'platforms.limits': { call: (c) => c.platforms.limits() },
  'posts.create': {
    call: (c) =>
      c.posts.create({
        content: 'Bonjour',
        platforms: ['facebook'],
        scheduled_at: new Date('2030-01-01T09:00:00Z'),
        bulle_id: b,
      }),
    body: { content: 'Bonjour', platforms: ['facebook'], scheduled_at: '2030-01-01T09:00:00.000Z', bulle_id: b },
  },
  'posts.list': {
    call: (c) => c.posts.list({ status: 'pending', limit: 10, offset: 0, bulle_id: b }),
    query: [
      ['status', 'pending'],
      ['limit', '10'],
      ['offset', '0'],
      ['bulle_id', b],
    ],
  },
  'posts.get': { call: (c) => c.posts.get(ids.posts.published), path: { post_id: `${ids.posts.published}` } },
  'posts.update': {
    call: (c) => c.posts.update(ids.posts.pending, { content: 'Bonsoir' }),
    path: { post_id: `${ids.posts.pending}` },
    body: { content: 'Bonsoir' },
  },
  'posts.publish': {
    call: (c) => c.posts.publish(ids.posts.pending, { dry_run: true }),
    path: { post_id: `${ids.posts.pending}` },
    body: { dry_run: true },
  },
  'posts.delete': { call: (c) => c.posts.delete(ids.posts.error), path: { post_id: `${ids.posts.error}` } },
  'social.publish': {
    call: (c) => c.social.publish({ platforms: ['facebook'], text: 'Ouvert', bulle_id: b }),
    body: { platforms: ['facebook'], text: 'Ouvert', bulle_id: b },
  },
  'social.quota': { call: (c) => c.social.quota({ bulle_id: b }), query: [['bulle_id', b]] },
  'social.get': { call: (c) => c.social.get('a/b').catch(() => {}) as Promise<unknown>, path: { post_id: 'a%2Fb' } },
  'articles.list': {
    call: (c) =>
      c.articles.list({
        status: 'all',
        updated_since: '2026-01-01T00:00:00.000001+00:00',
        since: new Date(0),
        bulle_id: b,
      }),
    query: [
      ['status', 'all'],
      ['updated_since', '2026-01-01T00:00:00.000001+00:00'],
      ['since', '1970-01-01T00:00:00.000Z'],
      ['bulle_id', b],
    ],
  },
  'articles.get': { call: (c) => c.articles.get(draft), path: { article_id: `${draft}` } },
  'articles.create': {
    call: (c) => c.articles.create({ title: 'Le seigle', target_keyword: 'seigle', category: null, bulle_id: b }),
    body: { title: 'Le seigle', target_keyword: 'seigle', category: null, bulle_id: b },
  },
  'articles.update': {
    call: (c) => c.articles.update(draft, { category: '' }),
    path: { article_id: `${draft}` },
    body: { category: '' },
  },
  'articles.publish': { call: (c) => c.articles.publish(draft), path: { article_id: `${draft}` }, body: {} },
  'articles.confirm': { call: (c) => c.articles.confirm(draft), path: { article_id: `${draft}` }, body: {} },
  'reviews.list': {
    call: (c) =>
      c.reviews.list({
        min_stars: 1,
        max_stars: 5,
        status: 'unresponded',
        keyword: 'pain',
        limit: 5,
        page: 1,
        fiche_id: f,
      }),
    query: [
      ['min_stars', '1'],
      ['max_stars', '5'],
      ['status', 'unresponded'],
      ['keyword', 'pain'],
      ['limit', '5'],
      ['page', '1'],
      ['fiche_id', f],
    ],
  },
  'reviews.summary': { call: (c) => c.reviews.summary({ fiche_id: f }), query: [['fiche_id', f]] },
  'reviews.reply': {
    call: (c) => c.reviews.reply(ids.review, { text: 'Merci !', fiche_id: f }),
    path: { review_id: encodeURIComponent(ids.review) },
    body: { text: 'Merci !', fiche_id: f },
  },
  'acquisition.stats': { call: (c) => c.acquisition.stats({ fiche_id: f }), query: [['fiche_id', f]] },
  'acquisition.requestReviews': {
    call: (c) =>
      c.acquisition.requestReviews({
        contacts: [{ customer_name: 'Zoé', channel: 'email', customer_email: 'zoe@example.com' }],
        fiche_id: f,
      }),
    body: { contacts: [{ customer_name: 'Zoé', channel: 'email', customer_email: 'zoe@example.com' }], fiche_id: f },
  },
  'gmb.metrics': {
    call: (c) => c.gmb.metrics({ period_days: 90, fiche_id: f }),
    query: [
      ['period_days', '90'],
      ['fiche_id', f],
    ],
  },
  'gmb.optimizer.score': { call: (c) => c.gmb.optimizer.score({ fiche_id: f }), query: [['fiche_id', f]] },
  'gmb.optimizer.audit': { call: (c) => c.gmb.optimizer.audit({ fiche_id: f }), body: { fiche_id: f } },
  'gmb.optimizer.apply': {
    call: (c) =>
      c.gmb.optimizer.apply({ changes: [{ field: 'description', value: 'Pain' }], fiche_id: f, dry_run: true }),
    body: { changes: [{ field: 'description', value: 'Pain' }], fiche_id: f, dry_run: true },
  },
  'visibility.scan': { call: (c) => c.visibility.scan({ fiche_id: f }), query: [['fiche_id', f]] },
  'seo.snapshot': {
    call: (c) => c.seo.snapshot({ bulle_id: b }),
    query: [
      ['kind', 'snapshot'],
      ['bulle_id', b],
    ],
  },
  'seo.competitors': {
    call: (c) => c.seo.competitors({ bulle_id: b }),
    query: [
      ['kind', 'competitors'],
      ['bulle_id', b],
    ],
  },
  'seo.trackedKeywords.list': { call: (c) => c.seo.trackedKeywords.list({ bulle_id: b }), query: [['bulle_id', b]] },
  'seo.trackedKeywords.create': {
    call: (c) => c.seo.trackedKeywords.create({ keyword: 'brioche dorée', bulle_id: b }),
    body: { keyword: 'brioche dorée', bulle_id: b },
  },
  'seo.searchConsole': {
    call: (c) => c.seo.searchConsole({ dimensions: ['query', 'page'], days: 7, row_limit: 5, bulle_id: b }),
    query: [
      ['dimensions', 'query'],
      ['dimensions', 'page'],
      ['days', '7'],
      ['row_limit', '5'],
      ['bulle_id', b],
    ],
  },
  'seo.scan': { call: (c) => c.seo.scan({ bulle_id: b }), body: { bulle_id: b } },
  'seo.keywordLookup': {
    call: (c) => c.dryRun.seo.keywordLookup({ keyword: 'pain', bulle_id: b }),
    body: { keyword: 'pain', bulle_id: b, dry_run: true },
  },
  'qrCodes.list': { call: (c) => c.qrCodes.list({ bulle_id: b }), query: [['bulle_id', b]] },
  'qrCodes.create': {
    call: (c) =>
      c.qrCodes.create({
        target_url: 'https://www.example.com/',
        name: 'Caisse',
        color_hex: '#A1B2C3',
        with_logo: false,
      }),
    body: { target_url: 'https://www.example.com/', name: 'Caisse', color_hex: '#A1B2C3', with_logo: false },
  },
  'sites.list': {
    call: (c) => c.sites.list({ platform: 'wix', bulle_id: b }),
    query: [
      ['platform', 'wix'],
      ['bulle_id', b],
    ],
  },
  'reports.list': {
    call: (c) => c.reports.list({ type: 'fiche', limit: 3 }),
    query: [
      ['type', 'fiche'],
      ['limit', '3'],
    ],
  },
  'reports.create': {
    call: (c) => c.reports.create({ type: 'fiche', fiche_ids: [f], date_start: '2026-10-01', date_end: '2026-10-31' }),
    body: { type: 'fiche', fiche_ids: [f], date_start: '2026-10-01', date_end: '2026-10-31' },
  },
  'images.upload': {
    call: (c) => c.images.upload({ file: png }),
    body: { image_base64: `data:image/png;base64,${btoa(String.fromCharCode(...png))}` },
  },
  'images.generate': {
    call: (c) => c.images.generate({ prompt: 'Une brioche', align_with_brand: false }),
    body: { prompt: 'Une brioche', align_with_brand: false },
  },
};

let server: Server;
let client: Client;
const arrived: Arrived[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(`http://service${request.url}`);
    const method = request.method as string;
    arrived.push({ method, path: url.pathname, query: [...url.searchParams], headers: request.headers, body });
    const answer = await api.handle(
      new Request(`${api.baseUrl}${request.url}`, {
        method,
        headers: request.headers as Record<string, string>,
        ...(body && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new Client({ apiKey: api.keys.sphere, baseUrl, rateLimit: false, maxRetries: 0 });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('every operation of the specification, on a socket', () => {
  const rows: SpecEndpoint[] = spec.flatMap((row) =>
    row.operation === 'seo.snapshot' ? [row, { ...row, operation: 'seo.competitors' }] : [row],
  );

  it('has every endpoint of the package exactly once', () => {
    const named = rows.map(({ operation }) => operation);
    expect(
      endpoints.map(({ operation }) => operation).filter((operation) => !named.includes(operation)),
      'test/spec/endpoints.ts has no row for what src/resources/index.ts has',
    ).toEqual([]);
    expect(
      Object.keys(cases).filter((operation) => !named.includes(operation)),
      'test/spec/endpoints.ts has no row for what test/resources/wire.test.ts has',
    ).toEqual([]);
  });

  it.each(rows.map((row) => [row.operation, row] as const))('%s', async (operation, row) => {
    const { call, path = {}, query = [], body } = cases[operation] ?? caseOf(row);
    arrived.length = 0;
    await call(client);
    expect(arrived).toHaveLength(1);
    const [request] = arrived as [Arrived];

    expect(request.method).toBe(row.method);
    expect(request.path).toBe(`/api/v2${row.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] as string)}`);
    expect(request.query.sort()).toEqual(query.sort());
    expect(request.body === '' ? undefined : JSON.parse(request.body)).toEqual(body);

    const { host, connection, 'content-length': length, 'transfer-encoding': chunked, ...headers } = request.headers;
    expect(headers['x-api-key']).toBe(row.permission === 'none' ? undefined : api.keys.sphere);
    expect(headers['content-type']).toBe(body ? 'application/json' : undefined);
    expect(headers.accept).toBe('application/json');
    const ofFetch = ['accept-language', 'sec-fetch-mode', 'user-agent', 'accept-encoding'];
    const ours = Object.keys(headers).filter((name) => !ofFetch.includes(name));
    expect(ours.every((name) => ['x-api-key', 'content-type', 'accept'].includes(name))).toBe(true);

    const known = [...Object.keys(row.params ?? {}), row.target, row.dry_run && 'dry_run'];
    for (const [name] of request.query) expect(known).toContain(name);
    for (const name of Object.keys(body ?? {})) expect(known).toContain(name);
  });
});
