import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report, ReportCreateParams } from '../../src/index.js';
import { findReport } from '../../src/resources/reports-match.js';

const fiche = (id: number, name: string) => ({ id: `accounts/1/locations/${id}`, name });
const [LYON, NANTES, LILLE] = [fiche(1, 'Lyon'), fiche(2, 'Nantes'), fiche(3, 'Crêperie de Lille')];
const FICHES = [LYON, NANTES, LILLE];

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

function find(listed: Report[], before: Report[] = [], given: Partial<ReportCreateParams> = {}, fiches = FICHES) {
  const params = {
    type: 'fiche',
    fiche_ids: [LYON.id],
    date_start: '2026-10-01',
    date_end: '2026-10-31',
    ...given,
  } as ReportCreateParams;
  return findReport(listed, { params, before, fiches });
}
const nothing = { report: undefined, isAmbiguous: false };
const ambiguous = { report: undefined, isAmbiguous: true };

describe('a report that was listed before is not the new one', () => {
  const known = aReport({ generated_at: '2026-11-01T08:00:00.120000+00:00' });

  it.each<[string, Partial<Report>]>([
    ['with its date in another form', { generated_at: '2026-11-01T09:00:00.12+01:00' }],
    ['without its date', { generated_at: null }],
    ['without its date and one of its files', { generated_at: null, csv_url: null }],
    ['with addresses that are signed anew', { pdf_url: 'https://f.test/x.pdf', csv_url: 'https://f.test/x.csv' }],
    ['listed in other characters', { fiche_name: ' Lyon', report_name: 'Rapport ' }],
  ])('%s', (_, fields) => {
    expect(find([{ ...known, ...fields }], [known])).toEqual(nothing);
    // And the other way round.
    expect(find([known], [{ ...known, ...fields }])).toEqual(nothing);
  });

  it('listed twice', () => {
    expect(find([known, { ...known }], [known])).toEqual(nothing);
    expect(find([known, known, aReport({ report_name: 'Neuf' })], [known]).report?.report_name).toBe('Neuf');
  });

  it('in any order', () => {
    const before = [aReport(), aReport({ fiche_name: 'Nantes' }), known];
    expect(find([...before].reverse(), before)).toEqual(nothing);
  });
});

describe('a report that was unfinished before is not the new one', () => {
  const unfinished = { pdf_url: null, csv_url: null, generated_at: null };

  it.each<[string, Partial<Report>]>([
    ['under its name', {}],
    ['without a name', { report_name: null }],
    ['without name and period', { report_name: null, period: null }],
    ['without anything', { report_name: null, period: null, fiche_name: null }],
  ])('%s', (_, fields) => {
    const known = aReport({ ...unfinished, ...fields });
    const [theirs, mine] = [aReport(), aReport()];
    expect(find([theirs], [known])).toEqual(nothing);
    expect(find([theirs, mine], [known]).report).toEqual(mine);
  });

  it('nothing is chosen if it may have become either report', () => {
    const known = aReport({ ...unfinished, report_name: null });
    const both = [aReport({ report_name: 'A' }), aReport({ report_name: 'B' })];
    expect(find(both, [known])).toEqual(ambiguous);
    expect(find([...both].reverse(), [known])).toEqual(ambiguous);
  });

  it('an unfinished report of another listing is no reason to wait', () => {
    const known = aReport({ ...unfinished, fiche_name: 'Nantes', report_name: null });
    const mine = aReport();
    expect(find([mine], [known]).report).toEqual(mine);
  });
});

describe('a report of somebody else at the same time', () => {
  it('on a listing with another name is ignored, whatever characters the name has', () => {
    for (const name of ['Crêperie de Lille', 'Cre\u0302perie de Lille', 'Crêperie\u00a0de  Lille ']) {
      expect(find([aReport({ fiche_name: name })]), name).toEqual(nothing);
    }
  });

  it('on another listing with the same name makes the result ambiguous', () => {
    const namesakes = [fiche(1, 'Boulangerie'), fiche(2, 'Boulangerie')];
    const [theirs, mine] = [aReport({ fiche_name: 'Boulangerie' }), aReport({ fiche_name: 'Boulangerie' })];
    expect(find([theirs, mine], [], {}, namesakes)).toEqual(ambiguous);
    // Both were asked for: then either will do.
    const fiche_ids = namesakes.map(({ id }) => id);
    expect(find([theirs, mine], [], { fiche_ids }, namesakes).report).toEqual(mine);
    // A name of its own tells it.
    const named = { ...mine, report_name: 'Octobre' };
    expect(find([theirs, named], [], { report_name: 'Octobre' }, namesakes).report).toEqual(named);
  });

  it('on one of several requested listings makes the result ambiguous too', () => {
    const theirs = aReport({ report_name: 'Le leur' });
    const mine = [aReport(), aReport({ fiche_name: 'Nantes' })];
    const fiche_ids = [LYON.id, NANTES.id];
    expect(find([theirs, ...mine], [], { fiche_ids: [...fiche_ids, LILLE.id] })).toEqual(ambiguous);
    expect(find([mine[0] as Report, theirs], [], { fiche_ids })).toEqual(ambiguous);
    expect(find(mine, [], { fiche_ids }).report).toEqual(mine[1]);
  });

  it('with another name is ignored, whatever its form', () => {
    const mine = aReport({ report_name: 'E\u0301te\u0301\u00a02026' });
    expect(find([aReport(), mine], [], { report_name: 'Été 2026' }).report).toEqual(mine);
    expect(find([aReport({ report_name: 'Été 2026 (2)' })], [], { report_name: 'Été 2026' })).toEqual(nothing);
  });
});

describe('dates that go back or cannot be read', () => {
  it('a report older than the previous ones is ignored', () => {
    const known = aReport();
    expect(find([known, aReport({ generated_at: '2026-11-21T09:59:59Z' })], [known])).toEqual(nothing);
  });

  it('an unreadable date proves nothing, but identifies a report', () => {
    const known = aReport({ generated_at: 'hier' });
    expect(find([known], [known])).toEqual(nothing);
    const mine = aReport({ generated_at: 'demain' });
    expect(find([known, mine], [known]).report).toEqual(mine);
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
