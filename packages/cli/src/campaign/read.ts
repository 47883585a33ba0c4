import { readFile } from 'node:fs/promises';
import { damageIn } from '@multilocal/campaigns/encoding';
import type { Both } from '@multilocal/plans/words';
import { codeOf } from '@multilocal/stores/files';
import type { CampaignRow, TableRow } from 'multilocal/plans';
import Papa from 'papaparse';
import { UsageError } from '../failure.js';
import { type ParsedFile, parseFile, positionsIn } from '../plan/parse.js';
import { textOf } from '../plan/plan-file.js';
import { printProblem } from '../plan/problem.js';
import { USAGE } from '../usage-said.js';
import { WORDING } from '../wording.js';

/** A file that was read, and where its values stand. */
export interface Source<Value> extends ParsedFile {
  readonly file: string;
  readonly value: Value;
}

/**
 * Reads a campaign, or the columns of a table: a YAML or JSON file. Its fields are not checked.
 * @throws a {@link UsageError} if the file cannot be read.
 */
export async function readDocument(file: string): Promise<Source<unknown>> {
  const text = textOf(await readBytes(file));
  if (text === undefined) throw new UsageError(...USAGE.noUnicode(file));
  const parsed = parseFile(file, text, (position, said) => {
    return new UsageError(...USAGE.noDocument((message) => printProblem(file, { ...position, message }), said));
  });
  return { file, ...parsed };
}

/** Rows of a table, and where they stand. */
export interface Rows extends Source<TableRow[]> {
  /** Said to the person: the file is not what it seems to be, or was read in a way that may be wrong. */
  readonly remark: Both | undefined;
}

/**
 * Reads a table, a CSV file with the names of its columns in the first line, as spreadsheets write it: UTF-8, UTF-16 or Windows-1252,
 * with commas, semicolons, tabs or bars, with empty columns and rows. Empty rows are kept, those above the headings too, so that rows have the same numbers as in the spreadsheet.
 * @throws a {@link UsageError} if the file cannot be read, or if a line has more cells than names.
 */
export async function readTable(file: string): Promise<Rows> {
  const { text: whole, remark } = decode(file, await readBytes(file));
  // Excel takes the separator from such a line.
  const [first = '', , named] = /^("?)sep=(.)\1(?:\r\n?|\n)/i.exec(whole) ?? [];
  const text = whole.slice(first.length);
  const positionAt = positionsIn(whole);
  const at = (offset: number) => positionAt(first.length + offset);
  const rows: TableRow[] = [];
  const starts: number[] = [];
  let [end, head] = [0, 0];
  let names: readonly string[] | undefined;
  Papa.parse<string[]>(text, {
    delimiter: named ?? separatorOf(text),
    step({ data, errors, meta }) {
      const [start, cells, known] = [end, data.map((cell) => cell.trim()), names];
      // The parser says where a row ends.
      end = meta.cursor;
      const refused = (what: Parameters<typeof USAGE.row>[1]) =>
        new UsageError(...USAGE.row(`${file}:${at(start).line}`, what));
      if (errors.some(({ type }) => type === 'Quotes')) throw refused('quotes');
      if (known === undefined) {
        // Spreadsheets write empty columns behind the last one.
        const given = cells.filter(Boolean);
        if (new Set(given).size < given.length) throw refused('names');
        if (given.length > 0) [names, head] = [cells, start];
        else starts[rows.push({}) - 1] = start;
        return;
      }
      if (cells.slice(known.length).some(Boolean)) throw refused('more');
      if (cells.some((cell, index) => known[index] === '' && cell !== '')) throw refused('unnamed');
      rows.push(Object.fromEntries(known.flatMap((name, index) => (name ? [[name, cells[index] ?? '']] : []))));
      starts.push(start);
    },
  });
  // The text behind the last line is a row to the parser, too.
  while (rows.length > 0 && !Object.values(rows.at(-1) ?? {}).some(Boolean)) rows.pop();
  return { file, value: rows, remark, positionOf: ([index]) => at(starts[Number(index)] ?? head) };
}

/**
 * Finds out the separator: the one that gives the most rows as many cells as the headings. The parser itself compares the mean of cells, and
 * is misled by rows of a single cell.
 */
function separatorOf(text: string): string {
  const guesses = [',', ';', '\t', '|'].map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, preview: 20, skipEmptyLines: 'greedy' });
    const [{ length = 0 } = {}] = data;
    return { delimiter, length, fitting: length > 1 ? data.filter((row) => row.length === length).length : 0 };
  });
  guesses.sort((a, b) => b.fitting - a.fitting || b.length - a.length);
  return guesses[0]?.delimiter ?? ',';
}

/** Reads the rows of a campaign: a table with a column `bulle_id`. */
export async function readRows(file: string): Promise<Rows & Source<CampaignRow[]>> {
  const table = await readTable(file);
  const full = [...table.value.entries()].filter(([, row]) => Object.values(row).some(Boolean));
  if (!Object.hasOwn(full[0]?.[1] ?? { bulle_id: '' }, 'bulle_id'))
    throw new UsageError(...USAGE.noIds(`${file}:${table.positionOf([]).line}`));
  const positionOf: Rows['positionOf'] = ([index]) => table.positionOf([full[Number(index)]?.[0] ?? '']);
  return { ...table, value: full.map(([, row]) => ({ bulle_id: '', ...row })), positionOf };
}

async function readBytes(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error) => {
    throw new UsageError(...USAGE.unreadable(file, codeOf(error)));
  });
}

/** What Windows-1252 has from 0x80 to 0x9f. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Reads the text of a table. Excel writes Windows-1252 as "CSV". */
function decode(file: string, bytes: Uint8Array): { text: string; remark: Both | undefined } {
  const text = textOf(bytes);
  if (text !== undefined) return { text, remark: undefined };
  const latin = Buffer.from(bytes).toString('latin1');
  // `TextDecoder` of some versions of Node reads Windows-1252 as Latin-1, without the apostrophe of Word.
  const guessed = latin.replaceAll(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80] ?? sign);
  const damage = damageIn(guessed);
  if (damage >= 0) {
    const { line } = positionsIn(guessed)(damage);
    throw new UsageError(...USAGE.unknownEncoding(`${file}:${line}`));
  }
  return { text: guessed, remark: WORDING.readAsWindows(file) };
}
