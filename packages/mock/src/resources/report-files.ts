import { DAY, type Micros, parseInstant } from '../engine/clock.js';
import { file, type Reply } from '../engine/http.js';
import { findFiche } from '../engine/scope.js';
import type { Store } from '../engine/store.js';
import { shorten } from '../seed/prose.js';
import { figuresOf } from './gmb.js';

export interface ReportContent {
  readonly fiche_name: string;
  readonly report_name: string;
  readonly generated_at: Micros;
  readonly fiche_ids: readonly string[];
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

const MOST_DAYS = 366;

/** The figures of a report, with their names in the two files. They are those of GET /gmb/metrics. */
const FIGURES = [
  { name: 'vues_recherche', label: 'Recherche', figure: 'search' },
  { name: 'vues_maps', label: 'Maps', figure: 'maps' },
  { name: 'appels', label: 'Appels', figure: 'calls' },
  { name: 'clics_site', label: 'Site', figure: 'website' },
  { name: 'itineraires', label: 'Itinéraires', figure: 'directions' },
] as const;

/** Days of the period until the report was made. */
function daysOf({ from, to, generated_at }: ReportContent): Micros[] {
  const first = parseInstant(from) ?? generated_at;
  const last = Math.min(parseInstant(to) ?? first, generated_at);
  const count = Math.max(0, Math.floor((last - first) / DAY) + 1);
  return Array.from({ length: Math.min(MOST_DAYS, count) }, (_, index) => first + index * DAY);
}

const csvCell = (value: string | number): string =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

export function csvFile(report: ReportContent, store: Store): Reply {
  const lines = report.fiche_ids.flatMap((id) =>
    daysOf(report).map((at) => {
      const day = figuresOf(id, at);
      return [day.label, findFiche(store, id)?.name ?? id, ...FIGURES.map(({ figure }) => day[figure])];
    }),
  );
  const head = ['jour', 'fiche', ...FIGURES.map(({ name }) => name)];
  const text = [head, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
  return file(text, 'text/csv; charset=utf-8');
}

const frenchDay = (day: string): string => day.split('-').reverse().join('/');
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');

/** The sums of the period, for all listings together. */
export function pdfFile(report: ReportContent): Reply {
  const { report_name, fiche_name, fiche_ids, from, to } = report;
  const figures = daysOf(report).flatMap((at) => fiche_ids.map((id) => figuresOf(id, at)));
  const lines = [
    ...[shorten(fiche_name, 80), `Du ${frenchDay(from)} au ${frenchDay(to)}`, ''],
    ...FIGURES.map(({ label, figure }) => `${label} : ${grouped(figures.reduce((sum, day) => sum + day[figure], 0))}`),
    ...['', 'Rapport du mock de multilocal : ces chiffres sont inventés.'],
  ];
  return file(pdfOf(shorten(report_name, 45), lines), 'application/pdf');
}

/** French signs that have another place in WinAnsiEncoding than in Unicode, and those places. */
const SIGNS = '€…’–—Œœ';
const PLACES = '\x80\x85\x92\x96\x97\x8c\x9c';

/** A string of a page. Signs that the font does not have become `?`. */
const literal = (text: string): string =>
  `(${[...text]
    .map((sign) => PLACES[SIGNS.indexOf(sign)] ?? (sign > 'ÿ' ? '?' : sign))
    .join('')
    .replace(/[^ -~]|[()\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)})`;

/**
 * A PDF of one A4 page, in a font that every reader has. It is ASCII, so the offsets of its table are those of the string.
 */
function pdfOf(title: string, lines: readonly string[]): string {
  const text = [`/F 20 Tf 56 770 Td ${literal(title)} Tj /F 11 Tf 0 -12 Td 18 TL`];
  text.push(...lines.map((one) => `T* ${literal(one)} Tj`));
  const content = `BT\n${text.join('\n')}\nET`;
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (fr) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F ${font} >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 5 /Root 1 0 R >>\n`;
  return `${pdf}${table}startxref\n${pdf.length}\n%%EOF\n`;
}
