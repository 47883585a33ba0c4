import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { codeOf } from '@multilocal/stores/files';
import type { CampaignRow } from 'multilocal/plans';
import Papa from 'papaparse';
import { UsageError } from '../failure.js';
import { parseJson } from '../plan/json.js';
import { offsetOf, type Parsed, positionsIn, SyntaxProblem } from '../plan/place.js';
import { parseYaml } from '../plan/yaml.js';

type Path = readonly (string | number)[];

/** A file that was read, and where its values stand. */
interface Source<Value> {
  readonly file: string;
  readonly value: Value;
  /** Returns the line and column of a value, or those of the nearest value around it. */
  positionOf(path: Path): { readonly line: number; readonly column: number };
}

/**
 * Reads a campaign, a YAML or JSON file. Its fields are not checked.
 * @throws a {@link UsageError} if the file cannot be read.
 */
export async function readCampaign(file: string): Promise<Source<unknown>> {
  const text = await readText(file);
  const at = positionsIn(text);
  try {
    const { value, place }: Parsed = /^\.ya?ml$/i.test(extname(file)) ? parseYaml(text) : parseJson(text);
    return { file, value, positionOf: (path) => at(offsetOf(place, path)) };
  } catch (error) {
    const hint = 'A campaign is a JSON file, or a YAML file that ends in .yaml or .yml.';
    if (error instanceof RangeError) throw new UsageError(`${file}:1:1: The file is nested too deeply.`, hint);
    if (!(error instanceof SyntaxProblem)) throw error;
    const { line, column } = at(error.offset);
    throw new UsageError(`${file}:${line}:${column}: ${error.message.replace('not a plan', 'not a campaign')}`, hint);
  }
}

/**
 * Reads rows, a CSV file with the names of its columns in the first line. The separator is found out, because spreadsheets
 * of some countries write semicolons.
 * @throws a {@link UsageError} if the file cannot be read, or if a line has more cells than names.
 */
export async function readRows(file: string): Promise<Source<CampaignRow[]>> {
  const whole = await readText(file);
  // Excel takes the separator from such a line.
  const [first = '', separator] = /^sep=(.)\r?\n/i.exec(whole) ?? [];
  const text = whole.slice(first.length);
  const positionAt = positionsIn(whole);
  const at = (offset: number) => positionAt(first.length + offset);
  const rows: CampaignRow[] = [];
  const starts: number[] = [];
  let end = 0;
  let names: readonly string[] | undefined;
  Papa.parse<string[]>(text, {
    skipEmptyLines: 'greedy',
    ...(separator ? { delimiter: separator } : { delimitersToGuess: [',', ';', '\t'] }),
    step({ data, errors, meta }) {
      // The parser tells where a row ends. Empty lines may stand before the next one.
      const start = end + (/^[\r\n]*/.exec(text.slice(end, end + 1_000))?.[0].length ?? 0);
      end = meta.cursor;
      const refused = (message: string) => new UsageError(`${file}:${at(start).line}: ${message}`, ROWS);
      if (errors.some(({ type }) => type === 'Quotes')) throw refused('The quotation marks of this row do not match.');
      if (names === undefined) {
        names = data.map((name) => name.trim());
        // Spreadsheets write empty columns behind the last one.
        const given = names.filter(Boolean);
        if (new Set(given).size < given.length) throw refused('Two columns have the same name.');
        if (!names.includes('bulle_id')) throw refused('There is no column `bulle_id`.');
        return;
      }
      if (data.slice(names.length).some((cell) => cell.trim() !== ''))
        throw refused('This row has more cells than there are columns.');
      const cells = data.slice(0, names.length).map((cell, index) => [names?.[index] ?? '', cell.trim()] as const);
      rows.push({ bulle_id: '', ...Object.fromEntries(cells.filter(([name]) => name !== '')) });
      starts.push(start);
    },
  });
  return { file, value: rows, positionOf: ([index]) => at(starts[Number(index)] ?? 0) };
}

const ROWS = 'Rows are a CSV file. Its first line names the columns, and one of them is `bulle_id`.';

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) => {
    throw new UsageError(`${file} cannot be read (${codeOf(error)}).`, 'Check its path and its rights.');
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const hint = 'Save it as UTF-8. In Excel: "CSV UTF-8".';
    throw new UsageError(`${file} is not UTF-8 text.`, hint);
  }
}
