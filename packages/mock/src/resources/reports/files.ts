import { DAY, type Micros, parseInstant } from '../../engine/clock.js';
import { file } from '../../engine/files.js';
import type { Reply } from '../../engine/http.js';
import { findFiche } from '../../engine/scope.js';
import type { Store } from '../../engine/store.js';
import { shorten } from '../../seed/prose.js';
import { figuresOf } from '../gmb.js';
import { type PdfText, pdfOf } from './pdf.js';
import type { ReadyReport } from './report.js';

/** Days of a report at most. */
const MOST_DAYS = 366;
/** Listings that have room on the page. */
const MOST_LINES = 30;

/** The figures of a report, with their names in the two files. They are those of GET /gmb/metrics. */
const FIGURES = [
  { name: 'vues_recherche', label: 'Recherche', figure: 'search' },
  { name: 'vues_maps', label: 'Maps', figure: 'maps' },
  { name: 'appels', label: 'Appels', figure: 'calls' },
  { name: 'clics_site', label: 'Site', figure: 'website' },
  { name: 'itineraires', label: 'Itinéraires', figure: 'directions' },
] as const;

/** Days of the period until the report was made. */
function daysOf({ from, to, generated_at }: ReadyReport): Micros[] {
  const first = parseInstant(from) ?? generated_at;
  const last = Math.min(parseInstant(to) ?? first, generated_at);
  const count = Math.max(0, Math.floor((last - first) / DAY) + 1);
  return Array.from({ length: Math.min(MOST_DAYS, count) }, (_, index) => first + index * DAY);
}

const nameOf = (store: Store, id: string): string => findFiche(store, id)?.name ?? id;

/** One line for each day and listing. */
export function csvFile(store: Store, report: ReadyReport): Reply {
  const lines = report.fiche_ids.flatMap((id) =>
    daysOf(report).map((at) => {
      const day = figuresOf(id, at);
      return [day.label, nameOf(store, id), ...FIGURES.map(({ figure }) => day[figure])];
    }),
  );
  const head = ['jour', 'fiche', ...FIGURES.map(({ name }) => name)];
  return file(
    [head, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join(''),
    'text/csv; charset=utf-8',
  );
}

const csvCell = (value: string | number): string =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

const frenchDay = (day: string): string => day.split('-').reverse().join('/');
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');

/** The sums of the period: one line for each listing, and one for all. */
export function pdfFile(store: Store, report: ReadyReport): Reply {
  const { report_name, fiche_name, fiche_ids, from, to } = report;
  const days = daysOf(report);
  const rows = fiche_ids.map((id) => ({
    name: nameOf(store, id),
    sums: FIGURES.map(({ figure }) => days.reduce((sum, at) => sum + figuresOf(id, at)[figure], 0)),
  }));
  const total = FIGURES.map((_, index) => rows.reduce((sum, { sums }) => sum + (sums[index] ?? 0), 0));
  const shown = rows.slice(0, MOST_LINES);
  const rest = rows.length - shown.length;
  const line = (y: number, name: string, cells: readonly string[], bold = false): PdfText[] => [
    { x: 56, y, size: 9, text: shorten(name, 50), bold },
    ...cells.map((text, index) => ({ x: 288 + 53 * index, y, size: 9, text, bold })),
  ];
  const bottom = 670 - 16 * shown.length;
  return file(
    pdfOf(report_name, [
      { x: 56, y: 770, size: 22, text: shorten(report_name, 45), bold: true },
      { x: 56, y: 744, size: 12, text: shorten(fiche_name, 80) },
      { x: 56, y: 726, size: 10, text: `Du ${frenchDay(from)} au ${frenchDay(to)}` },
      ...line(
        692,
        'Fiche',
        FIGURES.map(({ label }) => label),
        true,
      ),
      ...shown.flatMap(({ name, sums }, index) => line(670 - 16 * index, name, sums.map(grouped))),
      ...(rest > 0 ? line(bottom, `… et ${rest} autres`, []) : []),
      ...line(bottom - 20, 'Total', total.map(grouped), true),
      { x: 56, y: 48, size: 8, text: 'Rapport du mock de multilocal : ces chiffres sont inventés.' },
    ]),
    'application/pdf',
  );
}
