import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report, ReportCreateParams } from '../../src/index.js';
import { findReport } from '../../src/resources/reports-match.js';

let made = 0;
/** A report of October in Lyon, a second younger than the one before it. */
function aReport(fields: Partial<Report> = {}): Report {
  made++;
  return {
    fiche_name: 'Lyon',
    report_name: 'Rapport',
    period: '2026-10',
    generated_at: new Date(Date.UTC(2026, 10, 21, 10, 0, made)).toISOString(),
    pdf_url: `https://f.test/${made}.pdf?s=1`,
    csv_url: `https://f.test/${made}.csv?s=1`,
    ...fields,
  };
}

function find(listed: Report[], before: Report[] = [], given: Partial<ReportCreateParams> = {}) {
  const params = {
    type: 'fiche',
    fiche_ids: ['accounts/1/locations/1'],
    date_start: '2026-10-01',
    date_end: '2026-10-31',
    ...given,
  } as ReportCreateParams;
  return findReport(listed, params, before);
}
const nothing = { report: undefined, isAmbiguous: false };
const ambiguous = { report: undefined, isAmbiguous: true };

describe('a report that was listed before is not the new one', () => {
  const known = aReport();

  it.each<[string, Partial<Report>]>([
    ['unchanged', {}],
    ['with addresses that are signed anew', { pdf_url: 'https://f.test/x.pdf', csv_url: 'https://f.test/x.csv' }],
    ['listed in other characters', { fiche_name: ' Lyon', report_name: 'Rapport ' }],
  ])('%s', (_, fields) => {
    expect(find([{ ...known, ...fields }], [known])).toEqual(nothing);
    expect(find([known], [{ ...known, ...fields }])).toEqual(nothing);
  });

  it('listed twice, in any order', () => {
    const before = [aReport(), aReport({ fiche_name: 'Nantes' }), known];
    expect(find([...before, known].reverse(), before)).toEqual(nothing);
    expect(find([known, known, aReport({ report_name: 'Neuf' })], [known]).report?.report_name).toBe('Neuf');
  });

  it('unfinished then, finished now', () => {
    const unfinished = aReport({ pdf_url: null, csv_url: null, generated_at: null });
    expect(find([aReport()], [unfinished])).toEqual(nothing);
    const mine = aReport({ report_name: 'Octobre' });
    expect(find([aReport(), mine], [unfinished]).report).toEqual(mine);
  });
});

describe('a new report is ours', () => {
  it('only with its files', () => {
    expect(find([aReport({ pdf_url: null, csv_url: null })])).toEqual(nothing);
    expect(find([aReport({ pdf_url: '', csv_url: '' })])).toEqual(nothing);
    expect(find([aReport({ pdf_url: null })]).report).toBeDefined();
  });

  it('only with the requested name, whatever its form', () => {
    const mine = aReport({ report_name: 'E\u0301te\u0301\u00a02026 ' });
    expect(find([aReport(), mine], [], { report_name: 'Été 2026' }).report).toEqual(mine);
    expect(find([aReport({ report_name: 'Été 2026 (2)' })], [], { report_name: 'Été 2026' })).toEqual(nothing);
    expect(find([aReport({ report_name: null })], [], { report_name: 'Été 2026' })).toEqual(nothing);
  });

  it('only with a fitting period', () => {
    expect(find([aReport({ period: '2026-09' })])).toEqual(nothing);
    expect(find([aReport({ period: '2026-11' })])).toEqual(nothing);
    expect(find([aReport({ period: '2026-11' })], [], { date_end: '2026-11-02' }).report).toBeDefined();
    expect(find([aReport({ period: 'automne' })]).report).toBeDefined();
    expect(find([aReport({ period: null })]).report).toBeDefined();
  });

  it('only if no other one fits', () => {
    const [theirs, mine] = [aReport(), aReport()];
    expect(find([theirs, mine])).toEqual(ambiguous);
    expect(find([mine, theirs])).toEqual(ambiguous);
    expect(find([mine, { ...mine }]).report).toEqual(mine);
    const both = { fiche_ids: ['accounts/1/locations/1', 'accounts/1/locations/2'] } as const;
    expect(find([theirs, mine], [], both)).toEqual(ambiguous);
    expect(find([theirs, mine], [], { ...both, type: 'combine', report_name: 'Rapport' })).toEqual(ambiguous);
  });

  it('of several listings and one name: any of them, but no more than were requested', () => {
    const given = { fiche_ids: ['accounts/1/locations/1', 'accounts/1/locations/2'], report_name: 'Rapport' };
    const mine = [aReport(), aReport({ fiche_name: 'Nantes' })];
    expect(find(mine, [], given).report).toEqual(mine[0]);
    expect(find([...mine, aReport()], [], given)).toEqual(ambiguous);
  });
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
