import { readFile } from 'node:fs/promises';
import { damageIn } from '@multilocal/campaigns/encoding';
import { codeOf } from '@multilocal/stores/files';
import type { CampaignRow, TableRow } from 'multilocal/plans';
import Papa from 'papaparse';
import { UsageError } from '../failure.js';
import { type ParsedFile, parseFile, positionsIn } from '../plan/parse.js';
import { textOf } from '../plan/plan-file.js';
import { printProblem } from '../plan/problem.js';

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
  if (text === undefined) throw new UsageError(`${file} is neither UTF-8 nor UTF-16 text.`, 'Save it as UTF-8.');
  const parsed = parseFile(file, text, (position, message) => {
    const said = printProblem(file, { ...position, message });
    return new UsageError(said, 'It must be a JSON file, or a YAML file that ends in .yaml or .yml.');
  });
  return { file, ...parsed };
}

/** Rows of a table, and where they stand. */
export interface Rows extends Source<TableRow[]> {
  /** Said to the person: the file is not what it seems to be, or was read in a way that may be wrong. */
  readonly remark: string | undefined;
}

/**
 * Reads a table, a CSV file with the names of its columns in the first line, as spreadsheets write it: UTF-8, UTF-16 or Windows-1252,
 * with commas, semicolons or tabs, with empty columns and rows. Empty rows are kept, so that rows have the same numbers as in the spreadsheet.
 * @throws a {@link UsageError} if the file cannot be read, or if a line has more cells than names.
 */
export async function readTable(file: string): Promise<Rows> {
  const { text: whole, remark } = decode(file, await readBytes(file));
  // Excel takes the separator from such a line.
  const [first = '', named] = /^sep=(.)\r?\n/i.exec(whole) ?? [];
  const text = whole.slice(first.length);
  const positionAt = positionsIn(whole);
  const at = (offset: number) => positionAt(first.length + offset);
  const rows: TableRow[] = [];
  const starts: number[] = [];
  let end = 0;
  let names: readonly string[] | undefined;
  Papa.parse<string[]>(text, {
    delimiter: named ?? separatorOf(text),
    step({ data, errors, meta }) {
      const [start, cells, known] = [end, data.map((cell) => cell.trim()), names];
      // The parser says where a row ends.
      end = meta.cursor;
      const refused = (message: string) => new UsageError(`${file}:${at(start).line}: ${message}`, ROWS);
      if (errors.some(({ type }) => type === 'Quotes')) throw refused('The quotation marks of this row do not match.');
      if (known === undefined) {
        // Spreadsheets write empty columns behind the last one.
        const given = cells.filter(Boolean);
        if (new Set(given).size < given.length) throw refused('Two columns have the same name.');
        if (given.length > 0) names = cells;
        return;
      }
      if (cells.slice(known.length).some(Boolean)) throw refused('This row has more cells than there are columns.');
      if (cells.some((cell, index) => known[index] === '' && cell !== ''))
        throw refused('This row has a cell in a column without a name.');
      rows.push(Object.fromEntries(known.flatMap((name, index) => (name ? [[name, cells[index] ?? '']] : []))));
      starts.push(start);
    },
  });
  // The text behind the last line is a row to the parser, too.
  while (rows.length > 0 && !Object.values(rows.at(-1) ?? {}).some(Boolean)) rows.pop();
  return { file, value: rows, remark, positionOf: ([index]) => at(starts[Number(index)] ?? 0) };
}

/**
 * Finds out the separator: the one that gives the most rows as many cells as the headings. The parser itself compares the mean of cells, and
 * is misled by rows of a single cell.
 */
function separatorOf(text: string): string {
  const guesses = [',', ';', '\t'].map((delimiter) => {
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
  if (!Object.hasOwn(table.value[0] ?? { bulle_id: '' }, 'bulle_id'))
    throw new UsageError(`${file}:1: There is no column \`bulle_id\`.`, ROWS);
  const full = [...table.value.entries()].filter(([, row]) => Object.values(row).some(Boolean));
  const positionOf: Rows['positionOf'] = ([index]) => table.positionOf([full[Number(index)]?.[0] ?? '']);
  return { ...table, value: full.map(([, row]) => ({ bulle_id: '', ...row })), positionOf };
}

const ROWS = 'Rows are a CSV file. Its first line names the columns.';

async function readBytes(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error) => {
    throw new UsageError(`${file} cannot be read (${codeOf(error)}).`, 'Check its path and its rights.');
  });
}

/** What Windows-1252 has from 0x80 to 0x9f. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Reads the text of a table. Excel writes Windows-1252 as "CSV". */
function decode(file: string, bytes: Uint8Array): { text: string; remark: string | undefined } {
  const text = textOf(bytes);
  if (text !== undefined) return { text, remark: undefined };
  const latin = Buffer.from(bytes).toString('latin1');
  // `TextDecoder` of some versions of Node reads Windows-1252 as Latin-1, without the apostrophe of Word.
  const guessed = latin.replaceAll(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80] ?? sign);
  const damage = damageIn(guessed);
  if (damage >= 0) {
    const { line } = positionsIn(guessed)(damage);
    const message = `${file}:${line}: The text is neither UTF-8, UTF-16 nor Windows-1252, but perhaps MS-DOS or Macintosh.`;
    throw new UsageError(message, 'Save it as UTF-8. In Excel: "CSV UTF-8".');
  }
  const remark = `${file} is not UTF-8 and was read as Windows-1252. Look at the accents of the plan.`;
  return { text: guessed, remark };
}
