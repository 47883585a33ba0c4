import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LONGEST_TIMER } from '../../src/core/abort.js';
import { createRedactor } from '../../src/core/redact.js';
import {
  type Client,
  type ClientOptions,
  InvalidRequestError,
  InvalidResponseError,
  type ReportCreateParams,
  type WaitOptions,
  WaitTimeoutError,
} from '../../src/index.js';
import { poll } from '../../src/resources/wait.js';
import { caught, makeClient } from '../support/clients.js';
import { turned } from '../support/clock.js';
import { ARTICLE, KEY } from '../support/fixtures.js';
import { expectNoKey } from '../support/render.js';
import { hang, json, type Reply, refuse, type StubFetch, stubFetch } from '../support/stub-fetch.js';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00Z') }));

const UNWRITTEN = { ...ARTICLE, content_html: '' };

/** Seconds of each request, with the clock turned until the work ends. */
async function timesOf(reply: Reply, work: (client: Client) => Promise<unknown>, options: ClientOptions = {}) {
  const started = Date.now();
  const times: number[] = [];
  const fetch: StubFetch = stubFetch((seen, index) => {
    times.push((Date.now() - started) / 1000);
    return reply(seen, index);
  });
  const ended = turned(work(makeClient({ fetch, ...options })));
  await Promise.allSettled([ended]);
  return { times, ended };
}

describe('Retry-After of a poll', () => {
  const wait = (client: Client) => client.articles.waitUntilWritten(42, { pollInterval: 2_000, timeout: 300_000 });

  it.each([
    ['over 60 s, which no call waits out', '120', {}],
    ['that no retry is left for', '7', { maxRetries: 0 }],
  ])('%s: the next poll comes after it', async (_, seconds, options) => {
    const replies = [json(UNWRITTEN), refuse(429, 'Trop de requêtes', { 'retry-after': seconds }), json(ARTICLE)];
    const { times, ended } = await timesOf((seen, at) => (replies[at] as Reply)(seen, at), wait, options);
    expect(await ended).toEqual(ARTICLE);
    expect(times).toEqual([0, 2, 2 + Number(seconds)]);
  });

  it('delays only one poll, and none if it is shorter than the interval', async () => {
    const asked = refuse(503, 'non', { 'retry-after': '90' });
    const short = refuse(503, 'non', { 'retry-after': '1' });
    const replies = [asked, json(UNWRITTEN), json(UNWRITTEN), short, json(ARTICLE)];
    const { times } = await timesOf((seen, at) => (replies[at] as Reply)(seen, at), wait, { maxRetries: 0 });
    expect(times).toEqual([0, 90, 92, 94, 96]);
  });

  it('beyond the timeout: the wait ends at its timeout, without another request', async () => {
    const work = (client: Client) => client.articles.waitUntilWritten(42, { pollInterval: 100, timeout: 30_000 });
    const { times, ended } = await timesOf(refuse(429, 'Trop', { 'retry-after': '120' }), work);
    await caught(ended, WaitTimeoutError);
    expect(times).toEqual([0]);
    expect(Date.now() - Date.parse('2026-11-21T10:00:00Z')).toBe(30_000);
  });
});

const report: ReportCreateParams = {
  type: 'fiche',
  fiche_ids: ['accounts/1/locations/1'],
  date_start: '2026-10-01',
  date_end: '2026-10-31',
};

const october = { report_name: 'Octobre' };

describe('the request options of a wait', () => {
  const options = {
    headers: { 'x-trace': 'a' },
    fetchOptions: { cache: 'no-store' },
    extra: { tone: 'warm' },
    totalTimeout: 20_000,
    maxRetries: 1,
    validation: 'warn',
  } as const;
  const job = { generated: true, type: 'fiche', report_id: 'rep_7', fiches_count: 1 };
  const READY = {
    report_name: 'Octobre',
    fiche_name: 'Lyon',
    period: '2026-10',
    generated_at: '2026-11-21T10:01:00Z',
    pdf_url: 'https://f.test/1.pdf',
    csv_url: null,
  };

  /** A service that has nothing ready at first. */
  function service() {
    let isOrdered = false;
    const fetch = stubFetch((seen, at) => {
      const { url, method } = seen;
      if (url.pathname.endsWith('/articles/42')) return json(fetch.calls.length > 2 ? ARTICLE : UNWRITTEN)(seen, at);
      if (method === 'POST') isOrdered = true;
      return json(method === 'POST' ? job : isOrdered ? [READY] : [])(seen, at);
    });
    return fetch;
  }

  const list = 'GET /reports?limit=100&type=fiche';
  const order = JSON.stringify({ ...report, ...october, tone: 'warm' });
  it.each<[string, string[], (client: Client) => Promise<unknown>]>([
    [
      'articles.waitUntilWritten',
      Array(3).fill('GET /articles/42?tone=warm'),
      (client) => client.articles.waitUntilWritten(42, options),
    ],
    [
      'reports.createAndWait',
      [list, `POST /reports ${order}`, list],
      (client) => client.reports.createAndWait({ ...report, ...october }, options),
    ],
  ])('%s: they apply to each request, and extra not to a list', async (_, requests, work) => {
    const fetch = service();
    const { ended } = await timesOf(json({}), () => work(makeClient({ fetch })));
    await ended;
    const shown = fetch.calls.map(({ method, url, body }) =>
      `${method} ${url.pathname.slice(7)}${url.search} ${body ?? ''}`.trim(),
    );
    expect(shown).toEqual(requests);
    for (const { headers, init } of fetch.calls) {
      expect(headers).toMatchObject({ 'x-trace': 'a' });
      expect(init).toMatchObject({ cache: 'no-store' });
    }
  });

  it('extra cannot turn the order into a preview, because a preview has no report', async () => {
    const fetch = service();
    const work = makeClient({ fetch }).reports.createAndWait(report, { extra: { dry_run: true } });
    await caught(work, InvalidRequestError);
    expect(fetch.calls).toHaveLength(0);
  });

  it('maxRetries, totalTimeout and validation apply to each request', async () => {
    const replies = [refuse(503), refuse(503), json({ ...UNWRITTEN, title: 7 }), json({ ...ARTICLE, title: 7 })];
    const wait = (given: WaitOptions) => (client: Client) =>
      client.articles.waitUntilWritten(42, { pollInterval: 60_000, ...given });
    const reply: Reply = (seen, at) => (replies[at] as Reply)(seen, at);
    // One request a poll, and a body of another shape is let through.
    const { times, ended } = await timesOf(reply, wait({ maxRetries: 0, validation: 'off' }));
    expect(times).toEqual([0, 60, 120, 180]);
    expect(await ended).toMatchObject({ title: 7 });
    const strict = await timesOf(json({ ...ARTICLE, title: 7 }), wait({}), { validation: 'off' });
    expect(await strict.ended).toMatchObject({ title: 7 });
    const { ended: refused } = await timesOf(json({ ...ARTICLE, content_html: 7 }), wait({ validation: 'off' }));
    await caught(refused, InvalidResponseError);
    // A request that hangs ends after its own time, and the next poll finds the text.
    const slow: Reply = (seen, at) => (at === 0 ? hang : json(ARTICLE))(seen, at);
    const limited = await timesOf(slow, wait({ totalTimeout: 5_000, maxRetries: 0 }));
    expect(await limited.ended).toEqual(ARTICLE);
    expect(limited.times).toEqual([0, 65]);
  });
});

describe('the options of a wait', () => {
  const waits: [string, (client: Client, options: WaitOptions) => Promise<unknown>][] = [
    ['articles.waitUntilWritten', (client, options) => client.articles.waitUntilWritten(1, options)],
    ['reports.createAndWait', (client, options) => client.reports.createAndWait(report, options)],
    ['reports.wait', (client, options) => client.reports.wait(october, options)],
  ];

  it.each(waits)('%s refuses a wait without a pause or with an unknown option, before it sends', async (_, wait) => {
    const fetch = stubFetch(json({}));
    const wrong = [{ pollInterval: 0 }, { pollInterval: -1 }, { pollInterval: Number.NaN }, { timeout: 0 }];
    for (const options of [...wrong, { interval: 5 } as object]) {
      const error = await caught(wait(makeClient({ fetch }), options), InvalidRequestError);
      expect(error).toMatchObject({ code: 'invalid_request', outcome: 'not_applied' });
      if ('interval' in options) expect(error.message).toMatch(/an unknown option\. Did you mean `pollInterval`/);
    }
    expect(fetch.calls).toEqual([]);
  });
});

describe('a wait that gives up', () => {
  it('does not show the key, even if the service sends it as the id', async () => {
    const job = { generated: true, type: 'fiche', report_id: `rep-${KEY}`, fiches_count: 1 };
    const reply: Reply = (seen, at) => json(seen.method === 'POST' ? job : [])(seen, at);
    const { ended } = await timesOf(reply, (client) => client.reports.createAndWait(report, { timeout: 60_000 }));
    const error = await caught(ended, WaitTimeoutError);
    expect(error.id).toBe('rep-[redacted]');
    expectNoKey(error, KEY);
  });

  it('does not show the key that was passed for an id', async () => {
    const work = (client: Client) => client.articles.waitUntilWritten(KEY as never, { timeout: 60_000 });
    const { ended } = await timesOf(refuse(503, 'non'), work);
    expectNoKey(await caught(ended, WaitTimeoutError), KEY);
  });

  it.each([
    ['at the longest time that timers know', LONGEST_TIMER, true],
    ['beyond it never', LONGEST_TIMER + 1, false],
  ])('gives up %s', async (_, timeout, expected) => {
    const controller = new AbortController();
    const context = { context: {}, redactor: createRedactor([]) };
    const look = async () => ({ found: undefined, at: performance.now() });
    const wanted = { look, interval: () => 1e9, first: 0, id: 1, what: () => 'it', ...context };
    let error: unknown;
    const { signal } = controller;
    const ended = poll(wanted, { timeout, signal }).catch((thrown) => {
      error = thrown;
    });
    await vi.advanceTimersByTimeAsync(2 * LONGEST_TIMER);
    expect(error instanceof WaitTimeoutError).toBe(expected);
    controller.abort();
    await ended;
  });
});
