import { allows, type Known, nameOf, parentOf, within, wordsOf } from './known.js';

/** The types of each field by path: `{ "[].id": "integer", "[].category": "null|string" }`. */
export type Shape = Readonly<Record<string, string>>;

type Sets = Map<string, Set<string>>;

/** What a body looks like. */
export interface Seen {
  /** The types of each field by path, `absent` included if only some objects of a list have it. */
  readonly types: Sets;
  /** The forms of timestamps by path: `YYYY-MM-DDThh:mm:ssZ`. */
  readonly forms: Sets;
  /** The strings of fields with few words by path, such as a status. */
  readonly words: Sets;
}

/** Whether a name looks like that of a field, and not like data. */
export function isField(name: string): boolean {
  return /^[a-z]\w{0,39}$/i.test(name);
}

/**
 * Returns the path of a field. Names that may be data become `*`: all names within a value that the specification does not show as an
 * object with names, since they may be those of persons and towns.
 */
export function join(path: string, name: string, known: Known): string {
  const types = known.get(path);
  const isShown = types?.has('object') && !types.has('*') && !known.has(within(path, '*'));
  return within(path, known.has(within(path, name)) || (isShown && isField(name)) ? name : '*');
}

/** Describes a body without its values. */
export function observe(body: unknown, known: Known): Seen {
  const seen: Seen = { types: new Map(), forms: new Map(), words: new Map() };
  const objects = new Map<string, ReadonlySet<string>[]>();
  const visit = (value: unknown, path: string): void => {
    add(seen.types, path, typeOf(value));
    if (typeof value === 'string') {
      add(seen.forms, path, formOf(value));
      if (/^[a-z][a-z_]{1,29}$/.test(value)) add(seen.words, path, value);
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, `${path}[]`);
    } else if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).map(([name, field]) => [join(path, name, known), field] as const);
      for (const [place, field] of fields) visit(field, place);
      if (!objects.has(path)) objects.set(path, []);
      objects.get(path)?.push(new Set(fields.map(([place]) => place)));
    }
  };
  visit(body, '');
  for (const all of objects.values()) {
    for (const place of new Set(all.flatMap((fields) => [...fields])))
      if (nameOf(place) !== '*' && !all.every((fields) => fields.has(place))) add(seen.types, place, 'absent');
  }
  return seen;
}

/** Returns the types as they stand in a file. */
export function shapeOf({ types }: Seen): Shape {
  return Object.fromEntries([...types].map(([path, all]) => [path, textOf(all)]));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Returns the form of a timestamp, `undefined` for other texts. */
function formOf(text: string): string | undefined {
  const match = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d(?::\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  if (!match) return undefined;
  const [, separator, fraction = '', offset = ''] = match;
  const zone = offset.replace(/^[+-]\d\d(:?)\d\d$/, '+hh$1mm');
  return `YYYY-MM-DD${separator}hh:mm:ss${fraction.replaceAll(/\d/g, 's')}${zone}`;
}

/** Something of a body that the specification shows otherwise, and that the client accepts. */
export interface Difference {
  readonly path: string;
  /** `is absent`, `is null`, `is new` … */
  readonly found: string;
}

/** Finds what differs from the specification although the client accepts it. */
export function differences(operation: string, { types, words }: Seen, known: Known): Difference[] {
  return [...new Set([...known.keys(), ...types.keys()])].flatMap((path) => {
    const [seen, parent] = [types.get(path), parentOf(path)];
    const isInObject = path !== '' && !path.endsWith('[]') && types.get(parent)?.has('object');
    const around = known.get(parent);
    const of = known.has(path) ? wordsOf(operation, path) : undefined;
    const others = of ? [...(words.get(path) ?? [])].filter((word) => !of.includes(word)) : [];
    const lacks = (what: 'null' | 'absent') => known.has(path) && !allows(path, what);
    const found = [
      // Nothing within an object without shown names is new.
      !known.has(path) && around && !around.has('*') && nameOf(path) !== '*' && 'is new',
      !seen && isInObject && lacks('absent') && 'is absent',
      seen?.has('null') && lacks('null') && 'is null',
      seen?.has('absent') && lacks('absent') && 'is absent in some',
      others.length > 0 && `can be ${others.join(', ')}`,
    ];
    return found.flatMap((text) => (text ? { path, found: text } : []));
  });
}

/** A difference between two checks. */
export interface Change {
  readonly operation: string;
  readonly path: string;
  readonly before: string;
  readonly now: string;
}

/**
 * Compares the shapes of two checks. More data of the same shape is no change. Returns the shape to keep, too: that of now,
 * with what only the earlier check had data for.
 */
export function compare(operation: string, before: Shape, now: Shape, known: Known) {
  const changes: Change[] = [];
  const shape: Record<string, string> = {};
  for (const path of [...new Set([...Object.keys(before), ...Object.keys(now)])].sort(byDepth)) {
    const [old, current] = [typesIn(before[path]), typesIn(now[path])];
    const isWithin = changes.some((one) => one.path === parentOf(path) || path.startsWith(`${one.path}.`));
    const lacking = old.size === 0 ? before : now;
    const isUnseen = !typesIn(lacking[parentOf(path)]).has('object');
    const differs = isWithin || !isSame(path, old, current, isUnseen, known);
    if (differs && !isWithin)
      changes.push({ operation, path, before: before[path] ?? 'absent', now: now[path] ?? 'absent' });
    const kept = differs ? current : new Set([...old, ...current]);
    // A field that some responses lack is one that may be absent.
    if (!differs && (old.size === 0) !== (current.size === 0) && !isUnseen) kept.add('absent');
    if (kept.size > 0) shape[path] = textOf(kept);
  }
  return { shape, changes };
}

/** Whether the types of a field are the same. `isUnseen`: the check that lacks the field had no object around it. */
function isSame(
  path: string,
  old: ReadonlySet<string>,
  current: ReadonlySet<string>,
  isUnseen: boolean,
  known: Known,
): boolean {
  const isData = path.endsWith('[]') || nameOf(path) === '*' || isWithinOpaque(path, known);
  if (old.size === 0) return isData || isUnseen || known.has(path);
  if (current.size === 0) return isData || isUnseen || old.has('absent') || allows(path, 'absent');
  // So far there may have been nothing but null.
  const isNothing = [...old].every((type) => type === 'null' || type === 'absent');
  return [...current].every((type) => {
    if (old.has(type)) return true;
    if (type === 'null' || type === 'absent') return allows(path, type);
    return isNothing || (type === 'integer' && old.has('number')) || known.get(path)?.has(type) === true;
  });
}

/** Whether a field is in an object whose names the specification does not show: they come and go with the data. */
function isWithinOpaque(path: string, known: Known): boolean {
  if (path === '' || known.has(path)) return false;
  return known.get(parentOf(path))?.has('*') === true || isWithinOpaque(parentOf(path), known);
}

const typesIn = (text: string | undefined): Set<string> => new Set(text === undefined ? [] : text.split('|'));
const textOf = (types: ReadonlySet<string>): string => [...types].sort().join('|');

const byDepth = (a: string, b: string): number =>
  a.split(/\.|\[\]/).length - b.split(/\.|\[\]/).length || (a < b ? -1 : 1);

function add(map: Sets, path: string, value: string | undefined): void {
  if (value !== undefined) map.set(path, (map.get(path) ?? new Set()).add(value));
}
