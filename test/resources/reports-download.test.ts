import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../../src/core/call.js';
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  MultilocalError,
  RedirectError,
  TimeoutError,
} from '../../src/index.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { KEY } from '../support/fixtures.js';
import { serve } from '../support/server.js';
import { hang, type Reply, raw, stubFetch } from '../support/stub-fetch.js';

const SECRET = 'X-Signature-0123456789';
const FILE = `https://files.test/a/b.pdf?sig=${SECRET}`;
const CSV = 'https://files.test/a/b.csv';
const report = { pdf_url: FILE, csv_url: CSV };

const to = (location: string, status = 302): Reply => raw(null, { status, headers: { location } });

describe('reports.download', () => {
  it('resolves to a response whose body has not been read', async () => {
    const fetch = stubFetch(raw('%PDF'));
    const response = await makeClient({ fetch }).reports.download(report);
    expect(response.bodyUsed).toBe(false);
    expect(await response.text()).toBe('%PDF');
    expect(fetch.calls.map(({ method, url }) => [method, url.href])).toEqual([['GET', FILE]]);
  });

  it('fetches the CSV', async () => {
    const fetch = stubFetch(raw('a;b'));
    await makeClient({ fetch }).reports.download(report, { format: 'csv' });
    expect(fetch.calls[0]?.url.href).toBe(CSV);
  });

  it('sends no key and no header of the client over the wire, and counts toward no budget', async () => {
    const { url, arrived } = await serve((_, response) => void response.end('%PDF'));
    const client = makeClient({ headers: { 'x-tenant': 'a' } });
    const response = await client.reports.download({ pdf_url: `${url}/r.pdf` });
    expect(await response.text()).toBe('%PDF');
    expect(arrived).toHaveLength(1);
    expect(arrived[0]?.rawHeaders.join('\n').toLowerCase()).not.toMatch(/x-api-key|x-tenant/);
    expect(JSON.stringify(arrived)).not.toContain(KEY);
    expect((await client.budget()).minute.used).toBe(0);
  });

  it('passes the fetch options of client and call', async () => {
    const fetch = stubFetch(raw('%PDF'));
    const fetchOptions = { cache: 'no-store' } as const;
    const client = makeClient({ fetch, fetchOptions: { keepalive: true } });
    await client.reports.download(report, { fetchOptions });
    const { init, headers } = fetch.calls[0] ?? {};
    expect(init).toMatchObject({ keepalive: true, cache: 'no-store', redirect: 'manual' });
    expect(headers).toEqual({});
  });

  it.each([
    ['the format is missing', { pdf_url: null, csv_url: CSV }],
    ['the format is not there', {}],
    ['the address is not encrypted', { pdf_url: 'http://files.test/b.pdf' }],
    ['the address is no address', { pdf_url: '/b.pdf' }],
    ['the address is a file', { pdf_url: 'file:///etc/passwd' }],
    ['the address has credentials', { pdf_url: `https://user:${SECRET}@files.test/b.pdf` }],
    ['the address is no text', { pdf_url: 5 as never }],
  ])('sends nothing if %s', async (_, wrong) => {
    const fetch = stubFetch(raw('%PDF'));
    const error = await caught(makeClient({ fetch }).reports.download(wrong), InvalidRequestError);
    expect(error).toMatchObject({ operation: 'reports.download', issues: [{ path: ['pdf_url'] }] });
    expect(error.message).not.toContain(SECRET);
    expect(fetch.calls).toHaveLength(0);
  });

  it.each([
    [{ format: 'xls' as never }, 'format'],
    [{ timeout: 0 }, 'timeout'],
    [{ maxRetries: 1 } as never, 'maxRetries'],
  ])('refuses the options %j', async (options, name) => {
    const { reports } = makeClient({ fetch: stubFetch() });
    const error = await caught(reports.download(report, options), InvalidRequestError);
    expect(error.issues[0]?.path).toEqual([name]);
  });

  it('follows five redirects, relative ones and those to this machine too', async () => {
    const places = ['/c.pdf', 'https://cdn.test/d.pdf', 'http://127.0.0.1:9/e.pdf', 'http://localhost:9/f.pdf', FILE];
    const fetch = stubFetch(...places.map((place, index) => to(place, [301, 302, 303, 307, 308][index])), raw('%PDF'));
    expect(await (await makeClient({ fetch }).reports.download(report)).text()).toBe('%PDF');
    expect(fetch.calls.map(({ url }) => url.href)).toEqual([FILE, 'https://files.test/c.pdf', ...places.slice(1)]);
    expect(fetch.calls.every(({ headers }) => Object.keys(headers).length === 0)).toBe(true);
  });

  it.each<[string, Reply, string | undefined]>([
    ['to a host without encryption', to(`http://files.test/b.pdf?sig=${SECRET}`), 'http://files.test'],
    ['to another kind of address', to(`data:,${SECRET}`), 'null'],
    ['to no address', to('https://'), undefined],
    ['for ever', to(FILE), 'https://files.test'],
  ])('rejects a redirect %s', async (_, reply, location) => {
    const fetch = stubFetch(reply);
    const error = await caught(makeClient({ fetch }).reports.download(report), RedirectError);
    expect(error).toMatchObject({ status: 302, location, attempts: location === 'https://files.test' ? 6 : 1 });
    expect(fetch.calls).toHaveLength(error.attempts);
    expect(inspect(error)).not.toContain(SECRET);
  });

  it('takes a `fetch` such as that of node-fetch, whose bodies are streams of Node', async () => {
    const of = (status: number, location: string | null) => ({
      ...{ status, ok: status === 200, body: { pipe() {} }, text: async () => '%PDF' },
      headers: { get: (name: string) => (name === 'location' ? location : null) },
    });
    const answers = [of(302, FILE), of(200, null), of(404, null)];
    const { reports } = makeClient({ fetch: (async () => answers.shift()) as never });
    expect(await (await reports.download(report)).text()).toBe('%PDF');
    expect(await caught(reports.download(report), ApiError)).toMatchObject({ status: 404 });
  });

  it('throws the status of another response, without its body and the address', async () => {
    const fetch = stubFetch(raw(`<Error>${SECRET}</Error>`, { status: 403 }));
    const error = await caught(makeClient({ fetch }).reports.download(report), ApiError);
    expect(error).toMatchObject({ code: 'api_error', status: 403, attempts: 1, outcome: 'not_applied' });
    expect(error.message).toBe(
      'reports.download: https://files.test responded with 403. The address may have expired: list the reports again.',
    );
    expect(inspect(error)).not.toContain(SECRET);
    expect(fetch.calls).toHaveLength(1);
  });

  it('throws a connection failure, whose cause does not show the address', async () => {
    for (const reply of [
      () => {
        throw new TypeError(`request to ${FILE} failed, signature ${SECRET}`);
      },
      () => Response.error(),
    ]) {
      const error = await caught(makeClient({ fetch: stubFetch(reply) }).reports.download(report), ConnectionError);
      expect(error).toMatchObject({ code: 'connection', attempts: 1 });
      expect(inspect(error)).not.toContain(SECRET);
    }
  });

  it('has a time limit until the headers arrive', async () => {
    vi.useFakeTimers();
    const limits = [
      [makeClient({ fetch: stubFetch(hang) }), undefined, TIMEOUT],
      [makeClient({ fetch: stubFetch(hang), timeout: 5_000 }), undefined, 5_000],
      [makeClient({ fetch: stubFetch(hang) }).withOptions({ timeout: 4_000 }), undefined, 4_000],
      [makeClient({ fetch: stubFetch(hang) }), { timeout: 3_000 }, 3_000],
    ] as const;
    for (const [client, options, limit] of limits) {
      const call = caught(client.reports.download(report, options), TimeoutError);
      await vi.advanceTimersByTimeAsync(limit);
      expect((await call).message).toContain(`within ${limit} ms`);
    }
    const { reports } = makeClient({ fetch: stubFetch(raw('%PDF')) });
    const response = await reports.download(report, { timeout: 10 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await response.text()).toBe('%PDF');
  });

  it('ends with the reason of the signal, while the body is read too', async () => {
    const aborted = makeClient({ fetch: stubFetch(raw('%PDF')) });
    expect(await rejection(aborted.reports.download(report, { signal: AbortSignal.abort('enough') }))).toBe('enough');
    const controller = new AbortController();
    const fetch = stubFetch(raw('%PDF'));
    await makeClient({ fetch }).withOptions({ signal: controller.signal }).reports.download(report);
    controller.abort('enough');
    expect(fetch.calls[0]?.signal.reason).toBe('enough');
    const waiting = new AbortController();
    const call = makeClient({ fetch: stubFetch(hang) }).reports.download(report, { signal: waiting.signal });
    waiting.abort('later');
    expect(await rejection(call)).toBe('later');
  });

  it('works on client.dryRun, and all its errors are of this package', async () => {
    const { dryRun } = makeClient({ fetch: stubFetch(raw('%PDF')) });
    expect((await dryRun.reports.download(report)).status).toBe(200);
    await caught(dryRun.reports.download(undefined as never), MultilocalError);
  });
});
