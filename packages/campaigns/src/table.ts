// cspell:ignore Heure Magasin Vidéo

import type { PlanAction } from '@multilocal/plans/plan';
import type { Both, Locale } from '@multilocal/plans/words';
import type { Bulle, PostCreateParams } from 'multilocal';
import { issuesOf, OPTION_NAMES } from 'multilocal/internal/issues';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import * as z from 'zod/mini';
import type { CampaignProblem, PlannedCampaign, Told } from './campaign.js';
import { locationsSchema, nameSchema, zone } from './campaign-schema.js';
import { asText, cellProblem, clocks, filledPost, invalidFields, isEmpty, variablesOf, zoneProblems } from './rows.js';
import { SAID, saidOf, toldIn } from './sentences.js';
import { addressesOf, type Cell, dayOf, folded, locationOf, platformsOf, timeOf } from './table-cells.js';
import { braceProblem } from './template.js';

/** The columns of a table of posts: what French tables call them, the parameter of the post, and other headings. */
const COLUMNS = {
  location: ['Lieu', 'bulle_id', 'Boutique', 'Magasin', 'Établissement'],
  date: ['Date', ''],
  time: ['Heure', ''],
  platforms: ['Réseaux', 'platforms'],
  text: ['Texte', 'content'],
  image: ['Image', 'image_url'],
  images: ['Images', 'image_urls'],
  video: ['Vidéo', 'video_url'],
  key: ['Clé', ''],
} as const;

/** What a column of a table of posts is. */
export type TableColumn = keyof typeof COLUMNS;

/** The options of {@link planTable}. */
export interface TableOptions {
  /** Name of the plan, without `/`. It begins the key of each action. */
  readonly name: string;
  /** The time zone of the locations, such as `Europe/Paris`. */
  readonly zone: string;
  /** The time zones of other locations, by `bulle_id`. */
  readonly zones?: Readonly<Record<string, string>> | undefined;
  /** The locations of `client.bulles.list()`. */
  readonly locations: readonly Bulle[];
  /** What other headings mean: `{ Message: 'text' }`. They come before the headings that are known. */
  readonly columns?: Readonly<Record<string, TableColumn>> | undefined;
  /** `dmy`: days may be written as `24/12/2026`. Without it, only `2026-12-24` is a day. */
  readonly dateOrder?: 'dmy' | undefined;
}

/** One post of a table: its cells by their headings. */
export type TableRow = Readonly<Record<string, unknown>>;

const NAMES = Object.keys(COLUMNS) as [TableColumn, ...TableColumn[]];
const REQUIRED = ['location', 'date', 'time', 'platforms', 'text'] as const;

const optionsSchema = s.params({
  name: nameSchema,
  zone,
  zones: z.optional(z.record(z.string(), zone, s.must('an object'))),
  locations: locationsSchema,
  columns: z.optional(z.record(z.string(), s.oneOf(NAMES), s.must('an object'))),
  dateOrder: z.optional(s.oneOf(['dmy'])),
});

/**
 * Makes a plan of a table of posts: an action of each row, at the local time of its location. Sends nothing and reads no clock.
 *
 * The columns are `location` (id, or the name or city that only one location has), `date`, `time` (`09:00`, `9h`, `9h30`), `platforms`,
 * `text`, and if there is one `image`, `images`, `video` and `key`. French headings are known: Lieu, Date, Heure, Réseaux, Texte, Image,
 * Images, Vidéo, Clé. Texts take `{{city}}`, any field of the location or other column. A column whose name begins with `_` is a note.
 *
 * An action has the key `<name>/<column key>`, or `<name>/<bulle_id>/<date>T<time>`. Whatever is wrong with a row is a problem, with the
 * row as spreadsheets count it (the headings are row 1), and the row is left out. Empty rows do not count as posts.
 * @throws an `InvalidRequestError` if an option is invalid.
 * @example
 * const locations = await client.bulles.list();
 * const row = { Lieu: 'Lyon', Date: '24/12/2026', Heure: '9h', Réseaux: 'Facebook, Google', Texte: 'Ouvert ce matin.' };
 * const { plan, problems } = planTable([row], { name: 'noel', zone: 'Europe/Paris', locations, dateOrder: 'dmy' });
 */
export function planTable(rows: readonly TableRow[], options: TableOptions): PlannedCampaign {
  return planTableIn('en', rows, options);
}

/** The same, with its problems in a language. `sourceOf` says where a row was written, by its number. */
export function planTableIn(
  locale: Locale,
  rows: readonly TableRow[],
  options: TableOptions,
  sourceOf = (row: number) => `${options.name}:${row}`,
): PlannedCampaign {
  const issues = [
    ...(issuesOf(optionsSchema, options ?? {}, OPTION_NAMES) ?? []),
    ...(issuesOf(s.list(s.opaque), rows) ?? []).map((issue) => ({ ...issue, path: ['rows', ...issue.path] })),
  ];
  const told = issues.map((issue) => toldIn(saidOf(issue), locale));
  if (told.length > 0) throw invalid(told, { operation: 'planTable' });
  const table = new Table(options);
  const problems: Told[] = zoneProblems(options, table.known);
  const posts = [...rows.entries()].filter(([, row]) => Object.values(row).some((cell) => !isEmpty(cell)));
  if (posts.length === 0) problems.push({ code: 'no_row', path: ['rows'], said: SAID.noRow() });
  const headings = [...new Set(posts.flatMap(([, row]) => Object.keys(row).filter((name) => row[name] !== undefined)))];
  if (posts.length > 0) problems.push(...table.readHeadings(headings));
  const isComplete = problems.every(({ code }) => code !== 'missing_column');
  const actions = isComplete ? posts.flatMap(([index, row]) => table.read(index, row, sourceOf(index + 2)) ?? []) : [];
  const unused = isComplete ? table.unused() : [];
  const all = [...problems, ...unused, ...table.problems].map((one) => toldIn(one, locale));
  return { plan: { name: options.name.normalize(), actions }, problems: all };
}

type Fields = { [Column in TableColumn]?: string };

class Table {
  readonly #options: TableOptions;
  readonly #momentOf: ReturnType<typeof clocks>;
  readonly known: ReadonlyMap<string, Bulle>;
  readonly problems: Told[] = [];
  /** The heading of each column. */
  readonly #headings = new Map<TableColumn, string>();
  /** The headings that may be variables, and those that a text has used. */
  #others: readonly string[] = [];
  readonly #used = new Set<string>();
  /** The row of each key. */
  readonly #keys = new Map<string, number>();

  constructor(options: TableOptions) {
    const { locations, zone: own, zones = {} } = options;
    this.#options = options;
    this.#momentOf = clocks(own, zones);
    this.known = new Map(locations.map((location) => [location.id, location]));
  }

  readHeadings(headings: readonly string[]): Told[] {
    const { columns = {} } = this.#options;
    const mapped = new Map<string, TableColumn>();
    const others: string[] = [];
    const problems: Told[] = [];
    for (const [name, column] of Object.entries(columns)) {
      // One that the table lacks is right: tables share their mapping.
      if ((mapped.get(folded(name)) ?? column) !== column)
        problems.push({ code: 'repeated_column', path: ['columns', name], said: SAID.sameHeading() });
      mapped.set(folded(name), column);
    }
    for (const heading of headings.filter((name) => name.trim() !== '')) {
      const column = mapped.get(folded(heading)) ?? knownColumn(heading);
      const wrong = !column && !heading.startsWith('_') && cellProblem(heading.trim());
      if (wrong) {
        problems.push(ofColumn(heading, 'spreadsheet_error', wrong));
        continue;
      }
      const first = column && this.#headings.get(column);
      if (!column) others.push(heading);
      else if (first === undefined) this.#headings.set(column, heading);
      else problems.push(ofColumn(heading, 'repeated_column', SAID.secondColumn(column)));
    }
    this.#others = others;
    const missing = REQUIRED.filter((column) => !this.#headings.has(column));
    return [...problems, ...missing.map(missingColumn)];
  }

  /** A column that nothing uses is often a misspelled heading or variable. */
  unused(): Told[] {
    const isUsed = (name: string) => name.startsWith('_') || this.#used.has(name.normalize());
    const headings = [...NAMES, ...NAMES.map((column) => COLUMNS[column][0])];
    return this.#others
      .filter((name) => !isUsed(name) && !this.#isMeant(name))
      .map((name) => {
        const meant = s.nearest(folded(name), headings);
        return ofColumn(name, 'unused_column', SAID.unusedHeading(name, meant));
      });
  }

  /** Whether a misspelled variable, which is a problem of its own, means this column. */
  #isMeant(name: string): boolean {
    return [...this.#used].some((used) => s.nearest(used, this.#others) === name);
  }

  /** Makes the action of a row, or adds its problems. */
  read(index: number, row: TableRow, source: string): PlanAction | undefined {
    const before = this.problems.length;
    const fields = this.#cellsOf(index, row);
    const bulle_id = this.#value(index, 'location', fields, (text) => locationOf(text, this.known));
    const date = this.#value(index, 'date', fields, (text) => dayOf(text, this.#options.dateOrder));
    const time = this.#value(index, 'time', fields, timeOf);
    const platforms = this.#value(index, 'platforms', fields, platformsOf);
    this.#value(index, 'text', fields, (value) => ({ value }));
    // What has no value has a problem.
    if (this.problems.length > before) return undefined;
    const location = this.known.get(bulle_id as string) as Bulle;
    const wall = `${date}T${time}`;
    const { params: when, problems } = this.#momentOf(wall, location.id);
    for (const said of problems) this.#report(index, 'time', 'invalid_time', said);
    const post = this.#postOf(index, row, fields, location);
    this.#checkKey(index, fields.key, `${location.id}/${wall}`);
    if (this.problems.length > before) return undefined;
    const params = { bulle_id: location.id, platforms, ...post, ...when } as object as PostCreateParams;
    for (const { path, said } of invalidFields(params)) this.#report(index, columnOf(path), 'invalid_request', said);
    if (this.problems.length > before) return undefined;
    const key = `${this.#options.name}/${fields.key ?? `${location.id}/${wall}`}`.normalize();
    return { key, operation: 'posts.create', params, source };
  }

  /** The texts of the columns that are known. Formulas and errors of spreadsheets are problems in every column. */
  #cellsOf(index: number, row: TableRow): Fields {
    const fields: Fields = {};
    const used = variablesOf(row);
    for (const [heading, cell] of Object.entries(row)) {
      if (isEmpty(cell) || (heading.startsWith('_') && !used.has(heading.normalize()))) continue;
      const column = [...this.#headings].find(([, name]) => name === heading)?.[0];
      const named = heading.trim() === '' ? SAID.noHeading() : undefined;
      const wrong = named ?? cellProblem(cell);
      if (wrong !== undefined) this.#reportAt(index, heading, named ? 'unused_column' : 'spreadsheet_error', wrong);
      else if (column) fields[column] = asText(cell) as string;
    }
    return fields;
  }

  #value<Value>(index: number, column: TableColumn, fields: Fields, read: (text: string) => Cell<Value>) {
    const text = fields[column];
    const heading = this.#headings.get(column);
    const isTold = this.problems.some(({ path }) => path[1] === index && path[2] === heading);
    if (text === undefined) {
      if (!isTold) this.#report(index, column, 'missing_value', SAID.empty());
      return undefined;
    }
    const cell = read(text);
    if ('value' in cell) return cell.value;
    this.#report(index, column, cell.code, cell.said);
    return undefined;
  }

  #postOf(index: number, row: TableRow, { text, image, images, video }: Fields, location: Bulle): object {
    const several = images === undefined ? [] : addressesOf(images);
    if (image !== undefined && several.length > 0) this.#report(index, 'images', 'invalid_request', SAID.imageTwice());
    const given = {
      content: text,
      image_url: image ?? (several.length === 1 ? several[0] : undefined),
      image_urls: several.length > 1 ? several : undefined,
      video_url: video,
    };
    const post = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    for (const name of variablesOf(post)) this.#used.add(name);
    const others = Object.fromEntries(this.#others.map((name) => [name, row[name]]));
    const { params, issues } = filledPost(post, location, others);
    for (const { code, path, said } of issues) this.#report(index, columnOf(path), code, said);
    for (const [name, texts] of Object.entries(post))
      for (const value of [texts as string | string[]].flat()) {
        const said = braceProblem(value) ?? addressProblem(name, value);
        if (said !== undefined) this.#report(index, columnOf([name]), 'invalid_request', said);
      }
    return params;
  }

  #checkKey(index: number, own: string | undefined, place: string): void {
    const isLine = own === undefined || /^[^\p{Cc}\u2028\u2029]{1,90}$/u.test(own);
    if (!isLine) this.#report(index, 'key', 'invalid_request', SAID.longKey());
    const key = (own ?? place).normalize();
    const first = this.#keys.get(key);
    if (first === undefined) this.#keys.set(key, index);
    else if (own !== undefined) this.#report(index, 'key', 'repeated_key', SAID.keyOf(first + 2));
    else {
      const said = SAID.sameMoment(index + 2, first + 2);
      this.problems.push({ code: 'repeated_key', path: ['rows', index], said });
    }
  }

  #report(index: number, column: TableColumn, code: CampaignProblem['code'], said: Both): void {
    // One address in the column of several is an `image_url`.
    const heading = this.#headings.get(column) ?? this.#headings.get('images');
    this.#reportAt(index, heading as string, code, said);
  }

  #reportAt(index: number, heading: string, code: CampaignProblem['code'], said: Both): void {
    this.problems.push({ code, path: ['rows', index, heading], said: SAID.inCell(index + 2, heading, said) });
  }
}

function knownColumn(heading: string): TableColumn | undefined {
  const name = folded(heading);
  return NAMES.find((column) => [column, ...COLUMNS[column].map(folded)].includes(name));
}

function ofColumn(heading: string, code: CampaignProblem['code'], said: Both): Told {
  return { code, path: ['rows', heading], said: SAID.ofColumn(heading, said) };
}

function missingColumn(column: TableColumn): Told {
  return { code: 'missing_column', path: ['rows'], said: SAID.missingColumn(column, COLUMNS[column][0]) };
}

/** The column of a parameter of the post. */
function columnOf([field]: readonly (string | number)[]): TableColumn {
  return NAMES.find((column) => field === COLUMNS[column][1]) ?? 'text';
}

function addressProblem(field: string, value: string): Both | undefined {
  const isOne = addressesOf(value.replaceAll(/\{\{[^{}]*\}\}/g, 'x')).length === 1;
  const isAddress = field === 'content' || (isOne && /^(https?:\/\/|\{\{)/i.test(value));
  return isAddress ? undefined : SAID.address();
}
