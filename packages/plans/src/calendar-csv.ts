import type { Entry } from './calendar-entries.js';

const COLUMNS = [
  'date',
  'time',
  'zone',
  'utc',
  'bulle_id',
  'location',
  'city',
  'platforms',
  'text',
  'links',
  'operation',
  'remark',
  'hash',
];

/**
 * Writes a calendar as CSV (RFC 4180), with the mark by which spreadsheets recognise UTF-8. Each cell is quoted, so that it
 * stays one cell where semicolons separate columns.
 */
export function toCsv(entries: readonly Entry[], hash: string): string {
  const rows = entries.map(({ time, bulle_id, location, city, platforms, texts, links, operation = '', remark }) => [
    time?.date ?? '',
    time?.time ?? '',
    time?.zone ?? '',
    time?.moment.toISOString() ?? '',
    bulle_id,
    location,
    city,
    platforms.join(' '),
    texts.map(({ label, text }) => (label === '' ? text : `${label}: ${text}`)).join('\n\n'),
    links.join(' '),
    operation,
    remark,
    hash,
  ]);
  return `\ufeff${[COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** Spreadsheets execute what begins like this, also behind white space and quotes, and in the full width of East Asia. */
const FORMULA = /^[\s"']*[=+\-@＝＋－＠|%]/;

function cell(text: string): string {
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
