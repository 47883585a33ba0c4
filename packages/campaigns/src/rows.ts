// cspell:ignore Błąd chargement chyba erreur erro feil fel fout hiba NOMBRE VALEUR virhe Ошибка
import type { Both } from '@multilocal/plans/words';
import type { Bulle, PostCreateParams } from 'multilocal';
import { issuesOf } from 'multilocal/internal/issues';
import { postCreateParamsSchema } from 'multilocal/internal/posts-schema';
import { clip } from 'multilocal/internal/text';
import { onlyMomentOf } from 'multilocal/internal/zoned-time';
import { damageIn } from './encoding.js';
import { SAID, type Said, saidOf } from './sentences.js';
import { fill, isTemplate, mapTexts, unquotedIn } from './template.js';

/** A problem of one post, before its location or row is known. */
export interface Found<Code extends string = 'missing_value' | 'invalid_request'> extends Said {
  readonly code: Code;
}

/** The locations of a key, by id. */
export type Locations = ReadonlyMap<string, Bulle>;

/** Returns the text of a cell, with the same line ends on every system. `undefined` if the cell is empty. */
export function asText(cell: unknown): string | undefined {
  if (typeof cell !== 'string' && !Number.isFinite(cell)) return undefined;
  const text = String(cell).replaceAll(/\r\n?/g, '\n').trim();
  return text === '' ? undefined : text;
}

/** What spreadsheets of all languages write for a failed formula, and for a column that is too narrow. */
const ERRORS = /^#(?:(?=.*\p{Lu})[¡¿]?[\p{Lu}\p{M}\d_/]+[!?]?|#{2,}|\s?N[./]A\.?)$/u;
/** The same in small letters, what LibreOffice writes, and what Google writes before a cell is ready. */
const MORE_ERRORS =
  /^(?:#(?:n\/a|div\/0\s?!|(?:ref|value|valeur|null|nul|num|nombre)\s?!|no?a?me?\s?\?)|(?:err|erro|fout|fel|feil|chyba|hiba|virhe|błąd|ошибка)\s?:\s?\d+|(?:erreur|error)\s?:\s?5\d\d|(?:loading|chargement)\s?(?:…|\.{3}))$/iu;
const CONTROLS = /(?![\t\n])\p{Cc}/u;

/** Returns what a file or a program has done to a text. */
export function textProblem(text: string): Both | undefined {
  if (damageIn(text) >= 0) return SAID.damaged();
  const [control] = CONTROLS.exec(text) ?? [];
  return control === undefined ? undefined : SAID.control(`U+${hex(control)}`);
}

/** A cell that holds something else than a text or a number is not empty: it would be lost. */
export function isEmpty(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/** Returns what is wrong with a cell for a spreadsheet, not for a post. An empty one is right. */
export function cellProblem(cell: unknown): Both | undefined {
  if (isEmpty(cell)) return undefined;
  const text = asText(cell);
  if (text === undefined) return unquotedIn(cell).length > 0 ? SAID.unquoted() : SAID.noText();
  const problem = textProblem(text);
  if (problem !== undefined) return problem;
  const shown = `\`${clip(text)}\``;
  if (text.startsWith('=')) return SAID.formula(shown);
  if (MORE_ERRORS.test(text)) return SAID.spreadsheetError(shown);
  if (!ERRORS.test(text)) return undefined;
  return /^#[\p{L}\p{M}\d]+[!?]?$/u.test(text) ? SAID.errorOrHashtag(shown) : SAID.spreadsheetError(shown);
}

const hex = (sign: string) => sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

/** Returns what is wrong with an id that no location has. */
export function unknownLocation(id: unknown, known: Locations): Both {
  return typeof id !== 'string' || id === '' ? SAID.noLocation() : SAID.unknownId(id, [...known.keys()]);
}

/** Such a zone would be ignored, and the post of the location that was meant would appear at a wrong hour. */
export function zoneProblems(
  { zones = {} }: { readonly zones?: Readonly<Record<string, string>> | undefined },
  known: Locations,
): Found<'unknown_location'>[] {
  const unknown = Object.keys(zones).filter((id) => !known.has(id));
  return unknown.map((id) => ({ code: 'unknown_location', path: ['zones', id], said: unknownLocation(id, known) }));
}

/** Returns the cells of a row that have a value. */
function valuesOf(row: object = {}): Readonly<Record<string, unknown>> {
  const cells = Object.entries(row).filter(([, cell]) => asText(cell) !== undefined);
  return Object.fromEntries(cells.map(([name, cell]) => [name.normalize(), cell]));
}

/** Returns the names of the variables of a post. */
export function variablesOf(post: object): Set<string> {
  const used = new Set<string>();
  mapTexts(post, (text) => fill(text, (name) => `${used.add(name) && ''}`));
  return used;
}

/** Fills in the variables of a post with the fields of a location and the cells of its row. */
export function filledPost(post: object, location: Bulle, row: object = {}): { params: object; issues: Found[] } {
  const values: Readonly<Record<string, unknown>> = { ...location, bulle_id: location.id, ...valuesOf(row) };
  const columns = Object.keys(row).map((name) => name.normalize());
  const issues = new Map<string, Found>();
  const names = new Set([...Object.keys(values), ...columns]);
  const report = (path: Found['path'], name: string, said: Both) =>
    issues.set(`${path.join('\n')}\n${name}`, { code: 'missing_value', path, said });
  const params = mapTexts(post, (text, path) =>
    fill(
      text,
      (name) => {
        // A default must not hide a misspelled name.
        const misspelled = names.has(name) ? undefined : SAID.misspelled(name, columns);
        if (misspelled) report(path, name, misspelled);
        const value = Object.hasOwn(values, name) ? asText(values[name]) : undefined;
        // Values are not searched for variables, so the braces would be published.
        if (value !== undefined && isTemplate(value)) report(path, name, SAID.braces(name));
        return value;
      },
      (name) => {
        const known = Object.keys(values).filter((one) => asText(values[one]) !== undefined);
        report(path, name, SAID.noValue(name, known));
      },
    ),
  );
  return { params: params as object, issues: [...issues.values()] };
}

/** Returns what is wrong with a filled post. */
export function invalidFields(params: object): Found[] {
  const issues = issuesOf(postCreateParamsSchema, params as PostCreateParams) ?? [];
  return issues.map((issue) => ({ code: 'invalid_request', ...saidOf(issue) }));
}

/**
 * Returns a function that gives the moment of a time on the clocks of a location. Zones and times are few, and each pair is asked
 * once.
 */
export function clocks(zone: string, zones: Readonly<Record<string, string>>) {
  const known = new Map<string, { params: { scheduled_at?: string }; problems: Both[] }>();
  const others = new Map(Object.entries(zones));
  return (wall: string, id: string) => {
    const own = others.get(id) ?? zone;
    const pair = `${wall} ${own}`;
    const found = known.get(pair) ?? timeIn(wall, own);
    known.set(pair, found);
    return found;
  };
}

function timeIn(wall: string, zone: string) {
  const found = onlyMomentOf(wall, zone);
  return 'moment' in found
    ? { params: { scheduled_at: found.moment }, problems: [] }
    : { params: {}, problems: [SAID.noMoment(found.problem, zone)] };
}
