import { DAY, type Micros, parseInstant } from '../engine/clock.js';
import { file, type Reply } from '../engine/http.js';
import { findFiche } from '../engine/scope.js';
import type { Store } from '../engine/store.js';
import { shorten } from '../seed/prose.js';
import { figuresOf } from './gmb.js';

/** What the files of a report show. */
export interface ReportContent {
  readonly fiche_name: string;
  readonly report_name: string;
  readonly generated_at: Micros;
  readonly fiche_ids: readonly string[];
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

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
function daysOf({ from, to, generated_at }: ReportContent): Micros[] {
  const first = parseInstant(from) ?? generated_at;
  const last = Math.min(parseInstant(to) ?? first, generated_at);
  const count = Math.max(0, Math.floor((last - first) / DAY) + 1);
  return Array.from({ length: Math.min(MOST_DAYS, count) }, (_, index) => first + index * DAY);
}

const nameOf = (store: Store, id: string): string => findFiche(store, id)?.name ?? id;

const csvCell = (value: string | number): string =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

/** One line for each day and listing. */
export function csvFile(store: Store, report: ReportContent): Reply {
  const lines = report.fiche_ids.flatMap((id) =>
    daysOf(report).map((at) => {
      const day = figuresOf(id, at);
      return [day.label, nameOf(store, id), ...FIGURES.map(({ figure }) => day[figure])];
    }),
  );
  const head = ['jour', 'fiche', ...FIGURES.map(({ name }) => name)];
  const text = [head, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
  return file(text, 'text/csv; charset=utf-8');
}

const frenchDay = (day: string): string => day.split('-').reverse().join('/');
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');

/** The sums of the period: one line for each listing, and one for all. */
export function pdfFile(store: Store, report: ReportContent): Reply {
  const { report_name, fiche_name, fiche_ids, from, to } = report;
  const days = daysOf(report);
  const sums = fiche_ids.map((id) =>
    FIGURES.map(({ figure }) => days.reduce((sum, at) => sum + figuresOf(id, at)[figure], 0)),
  );
  const total = FIGURES.map((_, index) => sums.reduce((sum, row) => sum + (row[index] ?? 0), 0));
  const shown = fiche_ids.slice(0, MOST_LINES);
  const rest = fiche_ids.length - shown.length;
  const line = (y: number, name: string, cells: readonly (string | number)[], bold = false): string[] => [
    textAt(56, y, 9, shorten(name, 50), bold),
    ...cells.map((cell, index) =>
      textAt(288 + 53 * index, y, 9, typeof cell === 'number' ? grouped(cell) : cell, bold),
    ),
  ];
  const bottom = 670 - 16 * shown.length;
  const labels = FIGURES.map(({ label }) => label);
  const page = [
    textAt(56, 770, 22, shorten(report_name, 45), true),
    textAt(56, 744, 12, shorten(fiche_name, 80)),
    textAt(56, 726, 10, `Du ${frenchDay(from)} au ${frenchDay(to)}`),
    ...line(692, 'Fiche', labels, true),
    ...shown.flatMap((id, index) => line(670 - 16 * index, nameOf(store, id), sums[index] ?? [])),
    ...(rest > 0 ? line(bottom, `… et ${rest} autres`, []) : []),
    ...line(bottom - 20, 'Total', total, true),
    textAt(56, 48, 8, 'Rapport du mock de multilocal : ces chiffres sont inventés.'),
  ];
  return file(pdfOf(report_name, page.join('\n')), 'application/pdf');
}

/** The places in WinAnsiEncoding of French signs that are not at their place in Unicode. */
const WIN_ANSI: Readonly<Record<string, string>> = {
  '€': '\x80',
  '…': '\x85',
  '’': '\x92',
  '–': '\x96',
  '—': '\x97',
  Œ: '\x8c',
  œ: '\x9c',
};

/** A string of a page. Signs that the font does not have become `?`. */
const literal = (text: string): string =>
  `(${[...text]
    .map((sign) => WIN_ANSI[sign] ?? (sign > 'ÿ' ? '?' : sign))
    .join('')
    .replace(/[^ -~]|[()\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)})`;

/** A text on the page. `x` and `y` are points from the lower left corner of an A4 page, which has 595 by 842. */
const textAt = (x: number, y: number, size: number, text: string, bold = false): string =>
  `/${bold ? 'B' : 'R'} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${literal(text)} Tj`;

/** A string of the document, in UTF-16. */
const utf16 = (text: string): string =>
  `<FEFF${text.replace(/[\s\S]/g, (unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))}>`;

/**
 * Writes a PDF of one page in Helvetica, which every reader has. It is ASCII, so the offsets of its table are those of the
 * string.
 */
function pdfOf(title: string, page: string): string {
  const content = `BT\n${page}\nET`;
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (fr) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /R 5 0 R /B 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${utf16(title)} >>`,
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${pdf}${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
}
