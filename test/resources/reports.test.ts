import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Client,
  type ClientOptions,
  DryRunUnsupportedError,
  MissingPermissionError,
  type Report,
  type ReportCreateParams,
  type WaitOptions,
  WaitTimeoutError,
} from '../../src/index.js';
import { findReport } from '../../src/resources/reports-match.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { turned } from '../support/clock.js';
import { SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

const LYON = 'accounts/1/locations/1';
const NANTES = 'accounts/1/locations/2';
const params = {
  type: 'fiche',
  fiche_ids: [LYON],
  date_start: '2026-10-01',
  date_end: '2026-10-31',
} as const satisfies ReportCreateParams;

let made = 0;
/** A report of October in Lyon, a second younger than the one before it. */
function aReport(fields: Partial<Report> = {}): Report {
  made++;
  return {
    fiche_name: 'Lyon',
    report_name: 'Rapport',
    period: '2026-10',
    generated_at: new Date(Date.UTC(2026, 10, 21, 10, 0, made % 60)).toISOString(),
    pdf_url: `https://f.test/${made}.pdf?s=1`,
    csv_url: `https://f.test/${made}.csv?s=1`,
    ...fields,
  };
}
const old = (fields: Partial<Report> = {}) => aReport({ generated_at: '2026-11-01T08:00:00+00:00', ...fields });

/** A service whose list is written down by the second after the request; before it, what `before` says. */
function service(before: Report[], after: (seconds: number) => Report[] | Reply) {
  let accepted: number | undefined;
  const times: number[] = [];
  const fetch = stubFetch((seen, index) => {
    const { method } = seen;
    if (method === 'POST') {
      accepted = Date.now();
      const job = { generated: true, type: 'fiche', report_id: 'rep_7', fiches_count: 1 };
      return json(job, { status: 202 })(seen, index);
    }
    if (accepted === undefined) return json(before)(seen, index);
    const seconds = (Date.now() - accepted) / 1000;
    times.push(seconds);
    const answer = after(seconds);
    return typeof answer === 'function' ? answer(seen, index) : json(answer)(seen, index);
  });
  return { fetch, times };
}

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00Z') }));

interface Run {
  options?: WaitOptions;
  client?: ClientOptions;
  given?: ReportCreateParams;
  view?: (client: Client) => Client;
}

/** Run it with the clock turned until it ends. */
async function run(fetch: ReturnType<typeof service>['fetch'], { options, client, given = params, view }: Run = {}) {
  const made = makeClient({ fetch, identity: SPHERE_IDENTITY, ...client });
  const work = (view?.(made) ?? made).reports.createAndWait(given, options);
  return turned(work, 10_000);
}

describe('reports.createAndWait', () => {
  it('lists, orders, and polls after 45 s and then every 15 s until the report is listed', async () => {
    const report = aReport();
    const { fetch, times } = service([old()], (seconds) => [old(), ...(seconds >= 90 ? [report] : [])]);
    const polls: number[] = [];
    expect(await run(fetch, { options: { onPoll: ({ polls: count }) => polls.push(count) } })).toEqual(report);
    expect(times).toEqual([45, 60, 75, 90]);
    expect(polls).toEqual([1, 2, 3]);
    expect(fetch.calls.map(({ method, url }) => `${method} ${url.pathname.slice(7)}${url.search}`)).toEqual([
      'GET /reports?limit=100&type=fiche',
      'POST /reports',
      ...Array(4).fill('GET /reports?limit=100&type=fiche'),
    ]);
    // No name is invented.
    expect(JSON.parse(fetch.calls[1]?.body ?? '')).toEqual(params);
  });

  it('polls first after three intervals, but at most 45 s', async () => {
    for (const [pollInterval, expected] of [
      [1000, [3, 4, 5]],
      [60_000, [45, 105]],
    ] as const) {
      const report = aReport();
      const { fetch, times } = service([], (seconds) => (seconds >= Math.max(...expected) ? [report] : []));
      await run(fetch, { options: { pollInterval } });
      expect(times).toEqual(expected);
    }
  });

  it('leaves the type of the list to the service for a combined report', async () => {
    const report = aReport({ fiche_name: 'Lyon, Nantes' });
    const { fetch } = service([], () => [report]);
    const given = { ...params, type: 'combine', fiche_ids: [LYON, NANTES] } as const;
    expect(await run(fetch, { given })).toEqual(report);
    expect(fetch.calls[0]?.url.search).toBe('?limit=100');
  });

  it('reads the list of a view’s location, and no identity that is unknown', async () => {
    const { fetch } = service([], () => [aReport()]);
    await run(fetch, { client: { identity: undefined }, view: (client) => client.forBulle('b-lyon').forFiche(LYON) });
    expect(fetch.calls.map(({ url }) => url.searchParams.get('bulle_id'))).toEqual(['b-lyon', null, 'b-lyon']);
    expect(JSON.parse(fetch.calls[1]?.body ?? '')).toEqual(params);
  });

  it('ignores another report that appears in the meantime', async () => {
    const [mine, other] = [aReport({ report_name: 'Octobre 7f3a' }), aReport({ report_name: 'Octobre' })];
    const { fetch, times } = service([], (seconds) => [
      ...(seconds >= 30 ? [other] : []),
      ...(seconds >= 50 ? [mine] : []),
    ]);
    const given = { ...params, report_name: 'Octobre 7f3a' };
    expect(await run(fetch, { given, options: { pollInterval: 10_000 } })).toEqual(mine);
    expect(times).toEqual([30, 40, 50]);
  });

  it('gives up after the timeout with the id of the ordered report', async () => {
    const { fetch, times } = service([], () => []);
    const error = await caught(run(fetch), WaitTimeoutError);
    const call = { operation: 'reports.createAndWait', method: 'POST', path: '/reports' };
    expect(error).toMatchObject({ id: 'rep_7', ...call, outcome: 'applied' });
    expect(error.message).toContain('Report rep_7 was not ready within 600000 ms');
    expect(times[times.length - 1]).toBeLessThanOrEqual(600);
    const short = service([], () => []);
    await caught(run(short.fetch, { options: { timeout: 50_000, pollInterval: 12_000 } }), WaitTimeoutError);
    expect(short.times).toEqual([36, 48]);
  });

  it('compares long lists quickly', { tags: 'long' }, async () => {
    const endless = Array.from({ length: 20_000 }, () => aReport());
    const { fetch } = service(endless, () => [...endless].reverse());
    await caught(run(fetch, { options: { timeout: 50_000 } }), WaitTimeoutError);
  });

  it('returns none if several fit, and says so when it gives up', async () => {
    const { fetch } = service([], () => [aReport({ report_name: 'A' }), aReport({ report_name: 'B' })]);
    const error = await caught(run(fetch, { options: { timeout: 60_000 } }), WaitTimeoutError);
    expect(error.message).toContain('several reports match');
  });

  it('ends at once with the signal: before, in each request, and between polls', async () => {
    const reason = new Error('enough');
    const aborted = service([], () => []);
    const options = { signal: AbortSignal.abort(reason) };
    expect(await rejection(run(aborted.fetch, { options }))).toBe(reason);
    expect(aborted.fetch.calls).toHaveLength(0);
    for (const at of [0, 1, 2, 3]) {
      const controller = new AbortController();
      const { fetch } = service([], () => []);
      const leaving = stubFetch(async (seen, index) => {
        if (index === at) controller.abort(reason);
        return fetch(seen.request);
      });
      const onPoll = () => at === 3 && controller.abort(reason);
      expect(await rejection(run(leaving, { options: { signal: controller.signal, onPoll } }))).toBe(reason);
      await vi.advanceTimersByTimeAsync(100_000);
      expect(leaving.calls.length).toBeLessThanOrEqual(Math.min(3, at + 1));
    }
  });

  it('orders nothing if the first list fails, and never twice', async () => {
    const fetch = stubFetch(refuse(403));
    expect(await rejection(run(fetch))).toMatchObject({ operation: 'reports.list' });
    expect(fetch.calls).toHaveLength(1);
    const lost = stubFetch(({ method }, index) => (method === 'POST' ? refuse(500) : json([]))({} as never, index));
    const error = await rejection(run(lost, { options: { maxRetries: 5 } }));
    expect(error).toMatchObject({ operation: 'reports.create', outcome: 'unknown', attempts: 1 });
    expect(lost.calls).toHaveLength(2);
  });

  it('is refused on client.dryRun and without the permission, before anything is sent', async () => {
    const { fetch } = service([], () => []);
    const client = makeClient({ fetch, identity: { ...SPHERE_IDENTITY, permissions: ['read'] } });
    const { reports } = client.dryRun as unknown as Client;
    expect(await caught(reports.createAndWait(params), DryRunUnsupportedError)).toMatchObject({
      operation: 'reports.createAndWait',
    });
    await caught(client.reports.createAndWait(params), MissingPermissionError);
    expect(fetch.calls).toHaveLength(0);
  });
});

describe('which report of a list is ours', () => {
  const find = (listed: Report[], before: Report[] = [], given: object = {}) =>
    findReport(listed, { ...params, ...given }, before);
  const named = (report_name: string | null) => aReport({ report_name });
  const from = (period: string | null) => aReport({ period });
  const [known, later, nantes, mine] = [aReport(), aReport(), aReport({ fiche_name: 'Nantes' }), named('Octobre')];
  const inOtherCharacters = { ...known, fiche_name: ' Lyon', report_name: 'Rapport ' };
  const signedAnew = { ...known, pdf_url: 'https://f.test/x.pdf', csv_url: 'https://f.test/x.csv' };
  const unfinished = aReport({ pdf_url: null, csv_url: null, generated_at: null });
  const withoutPdf = aReport({ pdf_url: null });
  const été = named('E\u0301te\u0301\u00a02026 ');
  const [november, autumn, undated] = [from('2026-11'), from('automne'), from(null)];
  const summer = { report_name: 'Été 2026' };
  const both = { fiche_ids: [LYON, NANTES] };
  const bothNamed = { ...both, report_name: 'Rapport' };

  it.each<[string, Report[], Report[], object, (Report | 'several')?]>([
    ['none that was listed before', [known], [known], {}],
    ['none that was listed before with other addresses', [signedAnew], [known], {}],
    ['none that is listed with other addresses', [known], [signedAnew], {}],
    ['none that was listed before in other characters', [known], [inOtherCharacters], {}],
    ['none that is listed in other characters', [inOtherCharacters], [known], {}],
    ['none of several, listed twice and in another order', [known, nantes, later, known], [later, known, nantes], {}],
    ['the new one beside one that was listed before', [known, known, mine], [known], {}, mine],
    ['none that was listed unfinished', [known], [unfinished], {}],
    ['the new one beside one that was listed unfinished', [known, mine], [unfinished], {}, mine],
    ['none without files', [{ ...known, pdf_url: null, csv_url: null }], [], {}],
    ['none with empty files', [{ ...known, pdf_url: '', csv_url: '' }], [], {}],
    ['one with a single file', [withoutPdf], [], {}, withoutPdf],
    ['one with the requested name, whatever its form', [known, été], [], summer, été],
    ['none with a longer name', [named('Été 2026 (2)')], [], summer],
    ['none without the requested name', [named(null)], [], summer],
    ['none of the month before', [from('2026-09')], [], {}],
    ['none of the month after', [november], [], {}],
    ['one of the last month', [november], [], { date_end: '2026-11-02' }, november],
    ['one with a period in words', [autumn], [], {}, autumn],
    ['one without a period', [undated], [], {}, undated],
    ['none of two', [known, later], [], {}, 'several'],
    ['none of two, in another order', [later, known], [], {}, 'several'],
    ['one that is listed twice', [known, { ...known }], [], {}, known],
    ['none of two for two listings without a name', [known, later], [], both, 'several'],
    ['none of two for a combined report', [known, later], [], { ...bothNamed, type: 'combine' }, 'several'],
    ['any of two for two listings and one name', [known, nantes], [], bothNamed, known],
    ['none of more than were requested', [known, nantes, later], [], bothNamed, 'several'],
  ])('%s', (_, listed, before, given, expected) => {
    const isAmbiguous = expected === 'several';
    expect(find(listed, before, given)).toEqual({ report: isAmbiguous ? undefined : expected, isAmbiguous });
  });

  const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: null });
  const anyReport: fc.Arbitrary<Report> = fc.record(
    {
      fiche_name: optional(['Lyon', 'Nantes', '', '__proto__']),
      report_name: optional(['Rapport', 'Octobre', '']),
      period: optional(['2026-10', '2026-09', 'octobre', '']),
      generated_at: optional(['2026-11-21T10:00:00Z', '2026-11-21T10:00:01+00:00', '', 'hier', '9999-99-99']),
      pdf_url: optional(['https://f.test/1.pdf', 'https://f.test/2.pdf?s=1', '', '?']),
      csv_url: optional(['https://f.test/1.csv', '']),
    },
    { requiredKeys: [] },
  );
  const lists = fc.array(anyReport, { maxLength: 12 });

  describe('any lists', () => {
    it('no report of the previous list is found, in any order, repeated or shortened', () => {
      fc.assert(
        fc.property(lists, fc.infiniteStream(fc.nat(11)), (before, picks) => {
          const listed = [...picks.take(12)].flatMap((index) => before[index] ?? []);
          expect(find(listed, before).report).toBeUndefined();
        }),
      );
    });

    it('a found report is in the list, finished, and has the requested name', () => {
      fc.assert(
        fc.property(lists, lists, (before, listed) => {
          const { report } = find(listed, before, { report_name: 'Octobre' });
          if (!report) return;
          expect(listed).toContain(report);
          expect(report.report_name).toBe('Octobre');
          expect(report.pdf_url || report.csv_url).toBeTruthy();
        }),
      );
    });
  });
});
