import type { Entry } from './calendar-entries.js';
import { labelOf, type Words } from './calendar-words.js';

/** The list separators that a table may have. */
export const SEPARATORS = [',', ';', '\t'] as const;

/**
 * Writes a calendar as CSV (RFC 4180), with the mark by which spreadsheets recognise UTF-8. Each cell is quoted, so that it
 * stays one cell where its text has a separator.
 */
export function toCsv(entries: readonly Entry[], words: Words, separator: string): string {
  const rows = entries.map(
    ({ time, bulle_id, location, city, platforms, texts, links, operation = '', remark, plan, hash }) => [
      time?.date ?? '',
      time?.time ?? '',
      time?.zone ?? '',
      time?.moment.toISOString() ?? '',
      bulle_id,
      location,
      city,
      platforms.join(' '),
      texts
        .map(({ label, text }) => (label === '' ? text : `${labelOf(words, label)}${words.colon}${text}`))
        .join('\n\n'),
      links.join(' '),
      operation,
      remark,
      plan,
      hash,
    ],
  );
  const cell = cellWriter(separator);
  const lines = [words.columns.split(','), ...rows].map((row) => `${row.map(cell).join(separator)}\r\n`);
  return `\ufeff${lines.join('')}`;
}

/**
 * Spreadsheets execute what begins like a formula, even after white space and quotes, and in the full width of East Asia. A program with
 * another separator sees cells within our cells, and takes their quotes for text.
 */
function cellWriter(separator: string): (text: string) => string {
  const others = [',', ';', '\t', '|', '\n'].filter((each) => each !== separator).join('');
  const formula = new RegExp(`(?<=^|[${others}])(?=[\\s"']*[=+\\-@＝＋－＠|%])`, 'g');
  return (text) => `"${text.replaceAll(formula, "'").replaceAll('"', '""')}"`;
}
