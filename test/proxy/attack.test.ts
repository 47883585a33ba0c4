import { describe, expect, it, vi } from 'vitest';
import { Allowance } from '../../src/proxy/allowance.js';
import { type ArticlesProxyOptions, articlesProxy } from '../../src/proxy/index.js';
import { Refusal } from '../../src/proxy/refusal.js';
import { article, confirmation, gate, LIST, magazine, OLD, PROXY, useVirtualTime, visits } from './helpers.js';

useVirtualTime();

const HOUR = 3_600_000;

describe('500 requests for unknown ids', () => {
  const ask = async (visit: ReturnType<typeof visits>, who?: string) => {
    const statuses = [];
    for (let id = 1_000; id < 1_500; id++) {
      statuses.push((await visit(who, `${LIST}/${id}`)).status);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    return statuses.filter((status) => status === 404).length;
  };

  it('leave another visitor its share', async () => {
    const visit = visits(magazine());
    // A quarter of the 250 of one visitor at once, and two more in the 17 minutes.
    expect(await ask(visit, '192.0.2.66')).toBe(64);
    for (const id of OLD) expect((await visit('192.0.2.1', `${LIST}/${id}`)).status).toBe(200);
    expect((await visit('192.0.2.1', `${LIST}?bulle_id=b-lyon`)).status).toBe(200);
  });

  it('leave articles that a list has shown available to everybody', async () => {
    const service = magazine();
    service.lean = true;
    const visit = visits(service);
    await visit(undefined, LIST);
    // A quarter of the 500 for new queries, and four more.
    expect(await ask(visit)).toBe(129);
    for (let id = 20; id < 30; id++) expect((await visit(undefined, `${LIST}/${id}`)).status).toBe(200);
  });

  it('block other requests for minutes, not for a day', async () => {
    const visit = visits(magazine());
    await ask(visit);
    let refused = await visit(undefined, `${LIST}/1500`);
    if (refused.status === 404) refused = await visit(undefined, `${LIST}/1501`);
    expect(refused.status).toBe(503);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeLessThan(300);
    await vi.advanceTimersByTimeAsync(wait * 1_000);
    for (const id of OLD) expect((await visit(undefined, `${LIST}/${id}`)).status).toBe(200);
  });
});

describe('invented queries', () => {
  it('push no article out of the cache', async () => {
    const service = magazine();
    const visit = visits(service, { cache: { maxEntries: 100, maxSize: 4_000_000 }, budget: false });
    await visit(undefined, LIST);
    for (const id of OLD) await visit(undefined, `${LIST}/${id}`);
    for (let n = 0; n < 200; n++) {
      await visit(undefined, `${LIST}?offset=${n + 1}`);
      await visit(undefined, `${LIST}/${1_000 + n}`);
      await visit(undefined, `${LIST}/60/confirm`, confirmation({}));
    }
    service.asked = [];
    for (let id = 1; id <= 60; id++) expect((await visit(undefined, `${LIST}/${id}`)).status).toBe(200);
    expect((await visit(undefined, LIST)).status).toBe(200);
    expect(service.asked).toEqual([]);
  });

  it('bring no articles that push out those of others', async () => {
    const service = magazine(300);
    const visit = visits(service, { cache: { maxEntries: 100 }, budget: false });
    await visit(undefined, LIST);
    for (const id of OLD) await visit(undefined, `${LIST}/${id}`);
    for (let offset = 1; offset < 300; offset++) await visit(undefined, `${LIST}?offset=${offset}`);
    service.asked = [];
    for (const id of [...OLD, 251, 300]) expect((await visit(undefined, `${LIST}/${id}`)).status).toBe(200);
    expect(service.asked).toEqual([]);
  });

  it('are kept as long as there is room', async () => {
    const service = magazine(10);
    const visit = visits(service, { cache: { maxEntries: 100 }, budget: false });
    for (let n = 1; n <= 60; n++) await visit(undefined, `${LIST}?offset=${n}`);
    service.asked = [];
    for (let n = 1; n <= 60; n++) await visit(undefined, `${LIST}?offset=${n}`);
    expect(service.asked).toEqual([]);
  });
});

describe('articles of other locations', () => {
  it('cost a visitor of one location no more than unknown ids', async () => {
    const service = magazine();
    service.lean = true;
    for (let id = 1_000; id < 1_100; id++) service.articles.push(article(id, { bulle_id: `b-${id}` }));
    const client = service.client().forBulle('b-lyon');
    const visit = visits(service, { client, budget: { perMinute: 30 } });
    await visit(undefined, LIST);
    service.asked = [];
    for (let id = 1_000; id < 1_100; id++) expect((await visit(undefined, `${LIST}/${id}`)).status).not.toBe(200);
    // 20 for what is new; only the first check of a location counts as one of an article that exists.
    expect(service.asked).toHaveLength(21);
    expect((await visit(undefined, `${LIST}/60`)).status).toBe(200);
  });
});

describe('a known article', () => {
  it('may use the whole budget, in the cache or not', async () => {
    const service = magazine();
    service.lean = true;
    const visit = visits(service, { cache: { maxEntries: 3 }, budget: { perMinute: 30 } });
    await visit(undefined, LIST);
    for (let id = 1_000; id < 1_100; id++) await visit(undefined, `${LIST}/${id}`);
    const statuses = [];
    for (let id = 11; id <= 25; id++) statuses.push((await visit(undefined, `${LIST}/${id}`)).status);
    // 1 for the list, 20 for unknown ids, 9 are left.
    expect(statuses).toEqual([...Array(9).fill(200), ...Array(6).fill(503)]);
  });

  it('does not use up the share of new queries', async () => {
    const service = magazine(400);
    const visit = visits(service, { cache: { maxAge: 24 * HOUR } });
    // 500 requests of a day are for new queries, and 125 of them may come at once. Articles that exist have 656 and 164.
    for (let id = 1; id <= 160; id++) {
      expect((await visit(undefined, `${LIST}/${id}`)).status).toBe(200);
      await vi.advanceTimersByTimeAsync(3_000);
    }
  });

  it('is unknown again after a 404 of the service', async () => {
    const service = magazine();
    const visit = visits(service, { budget: { perMinute: 30 } });
    await visit(undefined, LIST);
    service.articles = service.articles.filter(({ id }) => id !== 60);
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect((await visit(undefined, `${LIST}/60`)).status).toBe(404);
    await vi.advanceTimersByTimeAsync(60_000);
    for (let id = 1_000; id < 1_100; id++) await visit(undefined, `${LIST}/${id}`);
    expect((await visit(undefined, `${LIST}/60`)).status).toBe(503);
  });
});

describe('the share of a visitor', () => {
  const unknown = async (visit: ReturnType<typeof visits>, who: string | undefined, count = 100) => {
    let served = 0;
    for (let n = 0; n < count; n++) if ((await visit(who, `${LIST}/${next++}`)).status === 404) served++;
    return served;
  };
  let next = 1_000;

  it('is a third of a minute for new queries', async () => {
    const visit = visits(magazine());
    expect(await unknown(visit, '192.0.2.1')).toBe(15);
    expect(await unknown(visit, '192.0.2.2')).toBe(15);
    expect(await unknown(visit, '192.0.2.3')).toBe(0);
  });

  it('is half of a minute for articles that exist', async () => {
    const service = magazine();
    service.lean = true;
    const visit = visits(service);
    await visit('192.0.2.9', LIST);
    const served = async (who: string, first: number) => {
      const statuses = [];
      for (let id = first; id < first + 25; id++) statuses.push((await visit(who, `${LIST}/${id}`)).status);
      return statuses.filter((status) => status === 200).length;
    };
    expect(await served('192.0.2.1', 11)).toBe(23);
    expect(await served('192.0.2.2', 36)).toBe(21);
  });

  it('comes back over the day', async () => {
    const visit = visits(magazine());
    let first = 0;
    for (let minute = 0; minute < 30; minute++) {
      first += await unknown(visit, '192.0.2.1', 20);
      await vi.advanceTimersByTimeAsync(60_000);
    }
    // A quarter of the visitor's 250 at once, then one in 7.7 minutes.
    expect(first).toBe(62 + 4);
    await vi.advanceTimersByTimeAsync(8 * 60_000);
    expect(await unknown(visit, '192.0.2.1')).toBe(1);
  });

  it('is not needed for cached responses', async () => {
    const visit = visits(magazine(), { cache: { maxAge: 60_000 } });
    await visit('192.0.2.1', LIST);
    await unknown(visit, '192.0.2.1');
    await vi.advanceTimersByTimeAsync(61_000);
    await unknown(visit, '192.0.2.1');
    expect((await visit('192.0.2.1', LIST)).headers.get('age')).toBe('61');
    await vi.advanceTimersByTimeAsync(0);
    expect((await visit('192.0.2.1', LIST)).headers.get('age')).toBe('0');
  });

  it('allows the same query of several visitors at the same time', async () => {
    const service = magazine();
    const held = gate();
    service.reply = async () => {
      await held.opened;
      return undefined;
    };
    const visit = visits(service);
    const first = Array.from({ length: 15 }, () => visit('192.0.2.66', `${LIST}/${next++}`));
    const refused = visit('192.0.2.66', `${LIST}/1`);
    const served = visit('192.0.2.1', `${LIST}/1`);
    const joined = visit('192.0.2.66', `${LIST}/1`);
    held.open();
    await Promise.all(first);
    expect((await refused).status).toBe(503);
    expect((await served).status).toBe(200);
    expect((await joined).status).toBe(200);
  });

  it('does not exist for an unknown visitor', async () => {
    expect(await unknown(visits(magazine()), undefined)).toBe(30);
    expect(await unknown(visits(magazine(), { visitor: () => undefined }), '192.0.2.1')).toBe(30);
  });

  it('is forgotten after 1000 other visitors', () => {
    const allowance = new Allowance({ perMinute: 9_000, perDay: 1_000_000 });
    const take = (who: string) => () => allowance.take('new', who);
    for (let n = 0; n < 3_000; n++) take('first')();
    for (let n = 0; n < 999; n++) take(`visitor ${n}`)();
    expect(take('first')).toThrow(Refusal);
    for (let n = 1_000; n < 2_000; n++) take(`visitor ${n}`)();
    expect(take('first')).not.toThrow();
  });
});

describe('visitor', () => {
  /** How many of 100 new queries get through: 15 for one visitor, 30 for all of them. */
  async function served(options: Partial<ArticlesProxyOptions>, request: (n: number) => Request): Promise<number> {
    const proxy = articlesProxy({ client: magazine().client(), ...options });
    let count = 0;
    for (let n = 0; n < 100; n++) if ((await proxy(request(n))).status === 404) count++;
    return count;
  }
  const from = (n: number, headers: Record<string, string>) => new Request(`${PROXY}${LIST}/${1_000 + n}`, { headers });

  it.each<[string, number, (n: number) => Record<string, string>]>([
    ['one address', 15, () => ({ 'x-forwarded-for': '192.0.2.1' })],
    ['an address behind claims of the visitor', 15, (n) => ({ 'x-forwarded-for': `10.0.0.${n}, 192.0.2.1` })],
    ['an address with ports', 15, (n) => ({ 'x-forwarded-for': `192.0.2.1:${4_000 + n}` })],
    ['an IPv4 address written as IPv6', 15, (n) => ({ 'x-forwarded-for': n % 2 ? '192.0.2.1' : '::FFFF:192.0.2.1' })],
    ['a network of IPv6', 15, (n) => ({ 'x-forwarded-for': `2001:db8:1:2:${n}::1` })],
    [
      'a network of IPv6 written in several ways',
      15,
      (n) => ({ 'x-forwarded-for': ['2001:0:0:1::1', '2001::1:1:1:1:1', '2001:0000::0001:0:0:0:9'][n % 3] as string }),
    ],
    ['networks of IPv6 whose zeros are left out', 30, (n) => ({ 'x-forwarded-for': `2001::${n}:1:1:1:1` })],
    ['a short network of IPv6', 15, (n) => ({ 'x-forwarded-for': `2001:db8::${n}` })],
    ['a network of IPv6 with ports', 15, (n) => ({ 'x-forwarded-for': `[2001:DB8:1:2::${n}]:${4_000 + n}` })],
    [
      'a header of Cloudflare that anybody may send',
      15,
      (n) => ({
        'x-forwarded-for': '192.0.2.1',
        'cf-connecting-ip': `10.0.0.${n}`,
      }),
    ],
    ['other addresses', 30, (n) => ({ 'x-forwarded-for': `192.0.2.${n}` })],
    ['other networks of IPv6', 30, (n) => ({ 'x-forwarded-for': `2001:db8:1:${n}::1` })],
    ['no address', 30, () => ({})],
    ['something else', 30, () => ({ 'x-forwarded-for': 'unknown' })],
    ['the end of a list', 30, () => ({ 'x-forwarded-for': '192.0.2.1,' })],
    ['the loopback', 30, () => ({ 'x-forwarded-for': '::1' })],
  ])('tells by default: %s', async (_, count, headers) => {
    expect(await served({}, (n) => from(n, headers(n)))).toBe(count);
  });

  it('is the one that Cloudflare names in a Worker, whatever a visitor claims', async () => {
    const inWorker = (n: number, address: string) => {
      const headers = { 'x-forwarded-for': `10.0.0.${n}`, 'cf-connecting-ip': address };
      return Object.assign(from(n, headers), { cf: { colo: 'CDG' } });
    };
    expect(await served({}, (n) => inWorker(n, '192.0.2.1'))).toBe(15);
    expect(await served({}, (n) => inWorker(n, `192.0.2.${n}`))).toBe(30);
  });

  it('can be set by the application', async () => {
    const visitor = (request: Request) => request.headers.get('x-real-ip') ?? undefined;
    expect(await served({ visitor }, (n) => from(n, { 'x-real-ip': 'a', 'x-forwarded-for': `192.0.2.${n}` }))).toBe(15);
    expect(await served({ visitor }, (n) => from(n, { 'x-real-ip': `${n}`, 'x-forwarded-for': '192.0.2.1' }))).toBe(30);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no session');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no session'))],
    ['returns null', () => null],
    ['returns an object', () => ({ id: 1 })],
    ['returns an empty text', () => ''],
  ])('counts as unknown if it %s', async (_, tell) => {
    const onError = vi.fn();
    const visitor = tell as NonNullable<ArticlesProxyOptions['visitor']>;
    expect(await served({ visitor, onError }, (n) => from(n, { 'x-forwarded-for': '192.0.2.1' }))).toBe(30);
    const errors = onError.mock.calls.map(([error]) => (error as Error).message);
    expect(new Set(errors)).toEqual(new Set(['throws', 'rejects'].some((word) => _ === word) ? ['no session'] : []));
  });
});
