import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Report, type ReportWaitParams, WaitTimeoutError } from '../../src/index.js';
import { makeClient, rejection } from '../support/clients.js';
import { json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

const NOW = Date.parse('2026-11-21T09:00:00Z');
const HOUR = 3_600_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();

const aReport = (fields: Partial<Report> = {}): Report => ({
  fiche_name: 'Lyon',
  report_name: 'Octobre 7f3a',
  period: '2026-10',
  generated_at: at(0),
  pdf_url: 'https://f.test/1.pdf',
  csv_url: null,
  ...fields,
});

const named: ReportWaitParams = { report_name: 'Octobre 7f3a' };
/** Each wait takes a minute, so the next one must not begin at its own present. */
const order: ReportWaitParams = { ...named, since: at(0) };

beforeEach(() => void vi.useFakeTimers({ now: NOW }));

/** Waits on a service with these lists, and says when each was read. */
async function wait(params: ReportWaitParams, lists: (readonly Report[] | Reply)[], timeout = 60_000) {
  const times: number[] = [];
  const replies = lists.map(
    (list): Reply =>
      (...given) => {
        times.push(Date.now() - NOW);
        return (typeof list === 'function' ? list : json(list))(...given);
      },
  );
  const fetch = stubFetch(...replies);
  const work = makeClient({ fetch, maxRetries: 0 })
    .reports.wait(params, { timeout })
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(timeout);
  return { result: await work, times, searches: fetch.calls.map(({ url }) => url.search) };
}

describe('reports.wait', () => {
  it('polls at once and then every 15 s, also after temporary failures, until the report is there', async () => {
    const ready = aReport({ generated_at: at(20_000) });
    const broken: Reply = () => Promise.reject(new TypeError('fetch failed'));
    const lists = [[], refuse(503), broken, refuse(429), [ready]];
    const { result, times, searches } = await wait(named, lists, 75_000);
    expect(result).toEqual(ready);
    expect(times).toEqual([0, 15_000, 30_000, 45_000, 60_000]);
    expect(new Set(searches)).toEqual(new Set(['?limit=100']));
  });

  it('takes a report that was finished at or after `since`, by default now, and one without a date', async () => {
    const older = aReport({ generated_at: at(-1), fiche_name: 'Nantes' });
    expect(await wait(named, [[older, aReport()]])).toMatchObject({ result: aReport() });
    expect(await wait({ ...named, since: at(-1) }, [[older]])).toMatchObject({ result: older });
    expect(await wait({ ...named, since: new Date(NOW - 1) }, [[older]])).toMatchObject({ result: older });
    const undated = aReport({ generated_at: null });
    expect(await wait(named, [[older, undated]])).toMatchObject({ result: undated });
  });

  it.each([3 * HOUR, -3 * HOUR])('corrects `since` by the clock of the service, %i ms ahead', async (ahead) => {
    const date = new Date(NOW + ahead).toUTCString();
    const older = aReport({ generated_at: at(ahead - 60_000), fiche_name: 'Nantes' });
    const ready = aReport({ generated_at: at(ahead) });
    expect(await wait(named, [json([older, ready], { headers: { date } })])).toMatchObject({ result: ready });
  });

  it('returns no report with another name, of another period, or without a file', async () => {
    const others = [
      aReport({ report_name: 'Octobre' }),
      aReport({ period: '2026-09', fiche_name: 'Nantes' }),
      aReport({ pdf_url: null, fiche_name: 'Brest' }),
    ];
    const params = { ...named, date_start: '2026-10-01', date_end: '2026-10-31' };
    const { result } = await wait(params, [others]);
    expect(result).toBeInstanceOf(WaitTimeoutError);
    expect(result).toMatchObject({ id: 'Octobre 7f3a', operation: 'reports.wait', outcome: 'not_applied' });
    expect((result as Error).message).toMatch(/^Report "Octobre 7f3a" was not ready within 60000 ms\./);
  });

  it('takes parameters from the state of a framework, which gives proxies of lists', async () => {
    const params = new Proxy({ ...order, type: 'fiche' as const, fiche_ids: new Proxy(['a'], {}) }, {});
    expect(await wait(params, [[aReport()]])).toMatchObject({ result: aReport() });
  });

  it('never guesses between reports, but for as many as the order has listings', async () => {
    const two = [aReport(), aReport({ fiche_name: 'Nantes' })];
    const { result } = await wait(order, [two]);
    expect((result as Error).message).toContain('several reports match');
    const fiche_ids = ['accounts/1/locations/1', 'accounts/1/locations/2'];
    expect(await wait({ ...order, type: 'fiche', fiche_ids }, [two])).toMatchObject({ result: two[0] });
    expect((await wait({ ...order, type: 'combine', fiche_ids }, [two])).result).toBeInstanceOf(WaitTimeoutError);
  });

  it('asks for the location of the call or of the view, and for the type', async () => {
    const { searches } = await wait({ ...order, bulle_id: 'b', type: 'fiche' }, [[aReport()]]);
    expect(searches).toEqual(['?limit=100&bulle_id=b&type=fiche']);
    const fetch = stubFetch(json([aReport()]));
    const work = makeClient({ fetch }).forBulle('b-lyon').reports.wait(order);
    await vi.advanceTimersByTimeAsync(0);
    await work;
    expect(fetch.calls[0]?.url.search).toBe('?limit=100&bulle_id=b-lyon');
  });

  it('ends with the reason of the signal, and with an error that does not pass', async () => {
    const fetch = stubFetch(json([]));
    const signal = AbortSignal.abort('enough');
    expect(await rejection(makeClient({ fetch }).reports.wait(named, { signal }))).toBe('enough');
    expect((await wait(named, [refuse(401)])).result).toMatchObject({ code: 'authentication' });
  });
});
