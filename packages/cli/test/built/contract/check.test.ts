import type { Endpoint } from '@multilocal/client/core/endpoint';
import { endpoints } from '@multilocal/client/resources/endpoints';
import { BODIES } from '@multilocal/test/spec/bodies';
import {
  createMockApi,
  type MockApiOptions,
  type MockControl,
  type MockDeviation,
  mockDeviations,
} from 'multilocal/mock/server';
import { describe, expect, it } from 'vitest';
import { type ContractCheck, checkContract } from '../../../src/contract/check.js';
import { sentences } from '../../../src/contract/facts.js';
import { type Contract, update } from '../../../src/contract/file.js';
import { knownReads, nameOf } from '../../../src/contract/known.js';

const NOW = '2026-11-20T09:00:00Z';
const HEAD = { client: '0.1.0', address: 'a', checked_at: NOW };

/** A service of its own, because clients of one address and key share their limits. */
let services = 0;

interface Given {
  readonly key?: 'sphere' | 'bulle';
  readonly prepare?: (api: MockControl) => void;
  /** Changes the body of a response that is no error. */
  readonly change?: (body: unknown, path: string) => unknown;
}

async function check(options: MockApiOptions = {}, { key = 'sphere', prepare, change }: Given = {}) {
  const api = createMockApi({ now: NOW, baseUrl: `https://contract-${++services}.example.com`, ...options });
  prepare?.(api);
  const fetch: typeof globalThis.fetch = async (...request) => {
    const response = await api.handle(...request);
    if (!change || !response.ok) return response;
    const { pathname } = new URL(new Request(...request).url);
    const body = change(await response.json(), pathname.replace('/api/v2', ''));
    return Response.json(body, { status: response.status, headers: response.headers });
  };
  const given = { apiKey: api.keys[key], baseUrl: api.baseUrl, fetch };
  return { api, given, found: await checkContract(given, NEVER) };
}

const NEVER = new AbortController().signal;

/** What the check says that it does not say of a service as it should be. */
function told({ results, facts }: ContractCheck): string[] {
  return [
    ...results.flatMap(({ operation, drift = [], differences = [] }) => [
      ...drift.map(({ path, expected }) => `${operation} ${path} ${expected}`),
      ...differences.map(({ path, found }) => `${operation} ${path} ${found}`),
    ]),
    ...sentences(facts).map(({ text }) => text),
  ];
}

describe('the contract check', () => {
  it.each(['sphere', 'bulle'] as const)(
    'calls every read once with a %s key, and five again for facts',
    async (key) => {
      const { api, found } = await check({ now: new Date() }, { key });
      const statuses = found.results.map(({ operation, status }) => [operation, status]);
      expect(statuses.map(([operation]) => operation).sort()).toEqual(
        endpoints.flatMap(({ method, operation }) => (method === 'GET' ? operation : [])).sort(),
      );
      expect(statuses.filter(([, status]) => status !== 'ok')).toEqual([['social.get', 'skipped']]);
      expect(found.requests).toBeLessThanOrEqual(40);
      expect(api.requests.map(({ method }) => method)).toEqual(Array(found.requests).fill('GET'));
      expect(sentences(found.facts).filter(({ contradicts }) => contradicts)).toEqual([]);
    },
  );

  it('finds nothing wrong with the responses of the specification', async () => {
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
      const { method, url } = new Request(input, init);
      const path = new URL(url).pathname.replace('/api/v2', '');
      const isOf = (one: Endpoint) =>
        one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
      const routes = endpoints.filter(isOf).map((one) => one.operation);
      const operation = (url.includes('competitors') ? routes.at(-1) : routes[0]) ?? '';
      return operation in BODIES
        ? Response.json(BODIES[operation])
        : Response.json({ detail: 'Introuvable' }, { status: 404 });
    };
    const baseUrl = 'https://specification.example.com';
    const { results } = await checkContract({ apiKey: 'key', baseUrl, fetch }, NEVER);
    expect(results.filter(({ status }) => status === 'drift' || status === 'failed')).toEqual([]);
  });

  it('names each deviation of the mock', async () => {
    let text = '';
    for (const clock of [() => NOW, () => new Date()]) {
      const straight = new Set(told((await check({ now: clock() })).found));
      for (const deviation of Object.keys(mockDeviations) as MockDeviation[]) {
        // Only a probe shows whether dry runs are ignored, and only a clock that is right shows one that is behind.
        if (deviation === 'dry-run-ignored' || (deviation === 'clock-behind') === (clock() === NOW)) continue;
        const lines = told((await check({ now: clock(), crooked: [deviation] })).found);
        const found = lines.filter((line) => !straight.has(line));
        const left = found.length > 14 ? [`and ${found.length - 14} more`] : [];
        text += `${[deviation, ...found.slice(0, 14), ...left].join('\n  ')}\n`;
      }
    }
    await expect(text).toMatchFileSnapshot('../snapshots/deviations.txt');
  });

  it('skips what the key may not read', async () => {
    const { found } = await check({}, { prepare: (api) => api.fail({ operation: 'sites.list', status: 403 }) });
    const sites = found.results.find(({ operation }) => operation === 'sites.list');
    expect(sites).toMatchObject({ status: 'skipped' });
  });

  it('calls a page without reviews empty, and tells the default status from the totals', async () => {
    const change: Given['change'] = (body, path) => {
      const { articles = [], ...rest } = Object(body);
      // The drafts stand on later pages.
      const published = articles.filter(({ status }: { status: string }) => status !== 'draft');
      if (path === '/articles') return { ...rest, articles: published };
      return path === '/reviews' ? { ...rest, reviews: [] } : body;
    };
    const { results, facts } = (await check({}, { change })).found;
    expect(results.find(({ operation }) => operation === 'reviews.list')).toMatchObject({ status: 'empty' });
    expect(facts.articles_status).toBe('published');
  });

  it('goes on after a 429, and reads only what is left if it was cut short', async () => {
    const prepare = (api: MockControl) => {
      api.fail({ operation: 'reviews.list', status: 429, headers: { 'Retry-After': '0' } });
      api.fail({ operation: 'qrCodes.list', status: 429, headers: { 'Retry-After': '86400' }, times: 2 });
    };
    const { given, found: first } = await check({}, { prepare });
    expect(first.isTransient).toBe(true);
    const failed = first.results.filter(({ status }) => status === 'failed').map(({ operation }) => operation);
    expect(failed).toEqual(['qrCodes.list', 'sites.list', 'reports.list']);
    const again = { ...given, baseUrl: `https://contract-${++services}.example.com` };
    const second = await checkContract(again, NEVER, first.results);
    expect(second.results.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(second.requests).toBeLessThan(16);
  });
});

describe('the file of a check', () => {
  const updated = (before: Contract | undefined, found: ContractCheck) => update(before, found, HEAD);

  it('has no string of the account', async () => {
    const { api, found } = await check();
    const text = JSON.stringify(updated(undefined, found).contract).toLowerCase();
    const values = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value === 'string') values.add(value.toLowerCase());
      else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one);
    };
    const lists = [
      '/bulles',
      '/posts?limit=100',
      '/articles?status=all',
      '/reviews',
      '/qr-codes',
      '/sites',
      '/reports',
    ];
    for (const path of ['/me', ...lists]) {
      const url = `${api.baseUrl}/api/v2${path}`;
      collect(await (await api.handle(url, { headers: { 'X-API-Key': api.keys.sphere } })).json());
    }
    // Words of the specification and of JSON, which also stand in the account.
    const words =
      /^(facebook|instagram|gmb|linkedin|pinterest|tiktok|snapchat|youtube|published|error|2\.0|read|publish|name|url|array)$/;
    const shown = [...values].filter((value) => value.length > 1 && !words.test(value) && text.includes(`"${value}"`));
    expect(values.size).toBeGreaterThan(200);
    expect(shown).toEqual([]);
    expect(text.length).toBeLessThan(25_000);
  });

  it('changes neither with more data nor with what may be null or absent', async () => {
    const one = await check();
    const { contract, changes } = updated(undefined, one.found);
    expect(changes).toEqual([]);
    one.api.posts.add({ content: 'Un de plus' });
    const next = await checkContract(one.given, NEVER);
    expect(updated(contract, next).changes).toEqual([]);
  });

  it('says what changed', async () => {
    const { contract } = updated(undefined, (await check()).found);
    const crooked = ['missing-fields', 'ids-as-strings', 'default-limit', 'camel-case'] as const;
    const { changes } = updated(contract, (await check({ crooked })).found);
    expect(changes).toEqual(
      expect.arrayContaining([
        { operation: 'reports.list', path: '[].report_name', before: 'string', now: 'absent' },
        { operation: 'sites.list', path: '[].id', before: 'integer', now: 'string' },
        { operation: 'facts', path: 'articles_limit', before: '50', now: '5' },
        expect.objectContaining({ path: '[].lastUrl', before: 'absent' }),
      ]),
    );
  });
});

/** Every object that the specification names without its fields. `''`: a whole response, which is that of `social.quota`. */
const OPAQUE = new Set(
  [...knownReads().values()].flatMap((known) =>
    [...known].flatMap(([path, types]) => (types.has('*') ? nameOf(path) : [])),
  ),
);

it('writes no name of a field that may be one of a person or a key', async () => {
  const names = ['Martin', 'anna_durand', 'p0612345678', 'Villeurbanne', createMockApi().keys.sphere];
  const people = Object.fromEntries(names.map((name) => [name, { [`x${name}`]: 1 }]));
  // Some are absent in the responses of the mock, so every object has all of them.
  const everywhere = Object.fromEntries([...OPAQUE].flatMap((name) => (name === '' ? [] : [[name, people]])));
  const withPeople = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withPeople);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, field]) => [name, withPeople(field)]);
    return { ...Object.fromEntries(fields), ...everywhere };
  };
  const change: Given['change'] = (body, path) => {
    const shown = withPeople(body);
    return path === '/social/quota' ? { ...Object(shown), ...people } : shown;
  };
  const { found } = await check({}, { change });
  const text = JSON.stringify(update(undefined, found, HEAD));
  expect([...OPAQUE].filter((name) => !text.includes(name === '' ? '"*.*"' : `${name}.*`))).toEqual([]);
  expect(names.filter((name) => text.includes(name))).toEqual([]);
});
