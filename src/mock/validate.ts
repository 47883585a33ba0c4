import { unprocessable } from './http.js';
import { DAY, type Micros, parseInstant } from './timestamps.js';

/** A JSON object as it came. */
export type Fields = Readonly<Record<string, unknown>>;

interface TextRule {
  readonly min?: number;
  readonly max?: number;
}
interface IntegerRule {
  readonly min?: number;
  readonly max?: number;
}

/** Characters as people count them: an emoji is one, not the two units that `length` says. */
export const codePoints = (text: string): number => [...text].length;

const field = (name: string, rule: string) => unprocessable(`Le champ \`${name}\` ${rule}.`);
const parameter = (name: string, rule: string) => unprocessable(`Le paramètre \`${name}\` ${rule}.`);

/** The value, `undefined` when it was not sent. What every object inherits (`constructor` …) was not sent. */
const sent = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

export function optionalText(fields: Fields, name: string, rule: TextRule = {}): string | undefined {
  const value = sent(fields, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw field(name, 'doit être une chaîne de caractères');
  // Blanks do not make up a minimum, but they do take room.
  if (rule.min !== undefined && codePoints(value.trim()) < rule.min) {
    throw field(name, `doit contenir au moins ${rule.min} caractère${rule.min > 1 ? 's' : ''}`);
  }
  if (rule.max !== undefined && codePoints(value) > rule.max) {
    throw field(name, `ne doit pas dépasser ${rule.max} caractères`);
  }
  return value;
}

export function requiredText(fields: Fields, name: string, rule: TextRule = {}): string {
  const value = optionalText(fields, name, rule);
  if (value === undefined) throw field(name, 'est obligatoire');
  return value;
}

/** For the few fields that the specification calls "or null". */
export function nullableText(fields: Fields, name: string, rule: TextRule = {}): string | null | undefined {
  return sent(fields, name) === null ? null : optionalText(fields, name, rule);
}

export function optionalChoice<T extends string>(fields: Fields, name: string, choices: readonly T[]): T | undefined {
  const value = optionalText(fields, name);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw field(name, `doit valoir ${listed(choices)}`);
  return found;
}

export function optionalBoolean(fields: Fields, name: string): boolean | undefined {
  const value = sent(fields, name);
  if (value === undefined || typeof value === 'boolean') return value;
  throw field(name, 'doit être un booléen');
}

export function optionalInteger(fields: Fields, name: string, rule: IntegerRule = {}): number | undefined {
  const value = sent(fields, name);
  if (value === undefined) return undefined;
  if (!isWhole(value, rule)) throw field(name, `doit être un entier${range(rule)}`);
  return value;
}

export function optionalIntegers(fields: Fields, name: string): number[] | undefined {
  const value = sent(fields, name);
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => isWhole(item, {}))) {
    throw field(name, "doit être une liste d'entiers");
  }
  return value;
}

export function optionalTexts(fields: Fields, name: string): string[] | undefined {
  const value = sent(fields, name);
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw field(name, 'doit être une liste de chaînes de caractères');
  }
  return value;
}

export function optionalInstant(fields: Fields, name: string): Micros | undefined {
  const value = optionalText(fields, name);
  if (value === undefined) return undefined;
  const instant = parseInstant(value);
  if (instant === undefined) throw field(name, 'doit être une date ISO 8601');
  return instant;
}

/** A list with at least one text in it, none of them blank; each counts once. */
export function requiredTexts(fields: Fields, name: string): string[] {
  const values = optionalTexts(fields, name);
  if (values === undefined) throw field(name, 'est obligatoire');
  if (values.length === 0 || values.some((value) => value.trim() === '')) {
    throw field(name, 'doit contenir au moins une valeur, et aucune vide');
  }
  return [...new Set(values)];
}

export function requiredChoice<T extends string>(fields: Fields, name: string, choices: readonly T[]): T {
  const value = optionalChoice(fields, name, choices);
  if (value === undefined) throw field(name, 'est obligatoire');
  return value;
}

export function requiredChoices<T extends string>(fields: Fields, name: string, choices: readonly T[]): T[] {
  return requiredTexts(fields, name).map((value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw field(name, `ne peut contenir que ${listed(choices)}`);
    return found;
  });
}

/** The objects of a list that must not be empty. Their fields are named with their place: `contacts[0].channel`. */
export function requiredObjects(fields: Fields, name: string): Fields[] {
  const value = sent(fields, name);
  if (value === undefined) throw field(name, 'est obligatoire');
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) {
    throw field(name, "doit être une liste d'au moins un objet");
  }
  return value.map((item, index) =>
    Object.fromEntries(Object.entries(item).map(([key, inner]) => [`${name}[${index}].${key}`, inner])),
  );
}

export function checkOptionalObject(fields: Fields, name: string): void {
  const value = sent(fields, name);
  if (value !== undefined && !isObject(value)) throw field(name, 'doit être un objet');
}

/** A day, `YYYY-MM-DD`; as text, so that days compare as texts do. */
export function requiredDay(fields: Fields, name: string): string {
  const value = requiredText(fields, name);
  if (!isDay(value)) throw field(name, 'doit être une date au format AAAA-MM-JJ');
  return value;
}

export const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

export const readDryRun = (fields: Fields): boolean => optionalBoolean(fields, 'dry_run') ?? false;

/** The body form of a target: an empty identifier is a mistake, never "no target". */
export const bodyTarget = (fields: Fields, name: 'bulle_id' | 'fiche_id'): string | undefined =>
  optionalText(fields, name, { min: 1 });

// The last one counts where a parameter that takes one value is repeated, as in most Python frameworks.
export const queryText = (query: URLSearchParams, name: string): string | undefined => query.getAll(name).at(-1);

export function queryTarget(query: URLSearchParams, name: 'bulle_id' | 'fiche_id'): string | undefined {
  const value = queryText(query, name);
  if (value?.trim() === '') throw parameter(name, 'ne doit pas être vide');
  return value;
}

export function queryChoice<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = queryText(query, name);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw parameter(name, `doit valoir ${listed(choices)}`);
  return found;
}

export function queryInteger(query: URLSearchParams, name: string, rule: IntegerRule = {}): number | undefined {
  const value = queryText(query, name);
  if (value === undefined) return undefined;
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!isWhole(number, rule)) throw parameter(name, `doit être un entier${range(rule)}`);
  return number;
}

export function queryInstant(query: URLSearchParams, name: string): Micros | undefined {
  const value = queryText(query, name);
  if (value === undefined) return undefined;
  const instant = parseInstant(value);
  if (instant === undefined) throw parameter(name, 'doit être une date ISO 8601');
  return instant;
}

/** The values of a parameter whose key is repeated. */
export function queryChoices<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T[] | undefined {
  const values = query.getAll(name);
  if (values.length === 0) return undefined;
  return [...new Set(values)].map((value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw parameter(name, `ne peut contenir que ${listed(choices)}`);
    return found;
  });
}

/** An instant of which a date alone means that whole day: its end, where a range ends. */
export function queryRangeEnd(query: URLSearchParams, name: string): Micros | undefined {
  const instant = queryInstant(query, name);
  return instant !== undefined && isDay(queryText(query, name)?.trim() ?? '') ? instant + DAY - 1 : instant;
}

export function pathInteger(params: Readonly<Record<string, string>>, name: string): number {
  const value = params[name] ?? '';
  if (!/^\d{1,15}$/.test(value)) throw parameter(name, 'doit être un entier');
  return Number(value);
}

function isWhole(value: unknown, { min = -Infinity, max = Infinity }: IntegerRule): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
}

function range({ min, max }: IntegerRule): string {
  if (min !== undefined && max !== undefined) return ` entre ${min} et ${max}`;
  if (min !== undefined) return ` supérieur ou égal à ${min}`;
  return max === undefined ? '' : ` inférieur ou égal à ${max}`;
}

/** A JSON object, and no array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined;

const listed = (choices: readonly string[]): string => choices.map((choice) => `\`${choice}\``).join(', ');
