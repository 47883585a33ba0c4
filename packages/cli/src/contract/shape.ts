import { allows, type Known, nameOf, within } from './known.js';

/** The types of each field by path: `{ "[].id": "integer", "[].category": "null|string" }`. */
export type Shape = Readonly<Record<string, string>>;

/** What a body looks like. */
export interface Seen {
  /** The types of each field by path, `absent` included if only some objects of a list have it. */
  readonly types: Map<string, Set<string>>;
  /** The forms of timestamps by path: `YYYY-MM-DDThh:mm:ssZ`. */
  readonly forms: Map<string, Set<string>>;
  /** The strings of fields with few words by path, such as a status. */
  readonly words: Map<string, Set<string>>;
  /** How often there was an object at a path. */
  readonly objects: Map<string, number>;
}

/** Which names may be said, because they are no data of the account. */
export class Names {
  /** Words of the specification. They may be values as well: a platform, a status. */
  readonly #words: ReadonlySet<string>;
  readonly #values = new Set<string>();

  constructor(words: Iterable<string>) {
    this.#words = new Set(words);
  }

  /** Remembers every string of a body: a name that equals one of them is data. */
  learn(body: unknown): void {
    if (typeof body === 'string') this.#values.add(body.toLowerCase());
    else if (typeof body === 'object' && body !== null) for (const value of Object.values(body)) this.learn(value);
  }

  /** Whether a name looks like that of a field, and is none of the values of the account. */
  isField(name: string): boolean {
    return this.#words.has(name) || (/^[a-z]\w{0,39}$/i.test(name) && !this.#values.has(name.toLowerCase()));
  }

  /**
   * Returns the path of a field. Names that may be data become `*`: all names within a value that the specification does not show as an
   * object with names, since they may be those of persons and towns.
   */
  join(path: string, name: string, { fields, opaque }: Known): string {
    const known = within(path, name);
    if (fields.has(known)) return known;
    const isShown = fields.get(path)?.has('object') && !opaque.has(path) && !fields.has(within(path, '*'));
    return within(path, isShown && this.isField(name) ? name : '*');
  }
}

/** Describes a body without its values. */
export function look(body: unknown, known: Known, names: Names): Seen {
  const seen: Seen = { types: new Map(), forms: new Map(), words: new Map(), objects: new Map() };
  const counts = new Map<string, number>();
  const visit = (value: unknown, path: string): void => {
    add(seen.types, path, typeOf(value));
    if (typeof value === 'string') {
      const form = formOf(value);
      if (form !== undefined) add(seen.forms, path, form);
      if (/^[a-z][a-z_]{1,29}$/.test(value)) add(seen.words, path, value);
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, `${path}[]`);
    } else if (typeof value === 'object' && value !== null) {
      seen.objects.set(path, (seen.objects.get(path) ?? 0) + 1);
      const places = new Set<string>();
      for (const [name, field] of Object.entries(value)) {
        const place = names.join(path, name, known);
        places.add(place);
        visit(field, place);
      }
      for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  };
  visit(body, '');
  for (const [path, count] of counts) {
    if (nameOf(path) !== '*' && count < (seen.objects.get(parentOf(path)) ?? 0)) add(seen.types, path, 'absent');
  }
  return seen;
}

/** Returns the types as they stand in a file. */
export function shapeOf({ types }: Seen): Shape {
  return Object.fromEntries([...types].map(([path, all]) => [path, [...all].sort().join('|')]));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Returns the form of a timestamp, `undefined` for other texts. */
function formOf(text: string): string | undefined {
  const match = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  if (!match) return undefined;
  const [, fraction, offset = ''] = match;
  const digits = fraction ? `.${'s'.repeat(fraction.length - 1)}` : '';
  const zone = offset.replace(/^[+-]\d\d(:?)\d\d$/, '+hh$1mm');
  return `YYYY-MM-DD${text[10]}hh:mm:ss${digits}${zone}`;
}

/** Something of a body that the specification shows otherwise, and that the client accepts. */
export interface Difference {
  readonly path: string;
  /** `is absent`, `is null`, `is new` … */
  readonly found: string;
}

/** Finds what differs from the specification although the client accepts it. */
export function differences(
  operation: string,
  seen: Seen,
  known: Known,
  words: Readonly<Record<string, readonly string[]>>,
) {
  const found: Difference[] = [];
  for (const path of known.fields.keys()) {
    const isMissing = path !== '' && !path.endsWith('[]') && seen.objects.has(parentOf(path)) && !seen.types.has(path);
    if (isMissing && !allows(path, 'absent')) found.push({ path, found: 'is absent' });
  }
  for (const [path, types] of seen.types) {
    if (isNew(path, known)) {
      if (!isNew(parentOf(path), known) && nameOf(path) !== '*') found.push({ path, found: 'is new' });
      continue;
    }
    if (!known.fields.has(path)) continue;
    if (types.has('null') && !allows(path, 'null')) found.push({ path, found: 'is null' });
    if (types.has('absent') && !allows(path, 'absent')) found.push({ path, found: 'is absent in some' });
    const unknown = [...(seen.words.get(path) ?? [])].filter((word) => !words[`${operation} ${path}`]?.includes(word));
    if (`${operation} ${path}` in words && unknown.length > 0)
      found.push({ path, found: `can be ${unknown.join(', ')}` });
  }
  return found;
}

/** Whether the specification does not show a field. Nothing within an object without shown names is new. */
function isNew(path: string, known: Known): boolean {
  return path !== '' && !known.fields.has(path) && !isWithinOpaque(path, known);
}

/** Returns the path of the object or the list around a field or an item. */
export function parentOf(path: string): string {
  if (path.endsWith('[]')) return path.slice(0, -2);
  return path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
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
export function compare(
  operation: string,
  before: Shape,
  now: Shape,
  known: Known,
): { shape: Shape; changes: Change[] } {
  const changes: Change[] = [];
  const shape: Record<string, string> = {};
  const isChanged = (path: string) =>
    changes.some((one) => one.path === parentOf(path) || path.startsWith(`${one.path}.`));
  for (const path of [...new Set([...Object.keys(before), ...Object.keys(now)])].sort(byDepth)) {
    const [old, current] = [typesIn(before[path]), typesIn(now[path])];
    const parent = parentOf(path);
    const differs = isChanged(path) || !isSame(path, old, current, { before, now, parent }, known);
    if (differs && !isChanged(path)) {
      changes.push({ operation, path, before: before[path] ?? 'absent', now: now[path] ?? 'absent' });
    }
    const kept = differs ? current : new Set([...old, ...current]);
    // A field that some responses lack is one that may be absent.
    if (!differs && (old.size === 0) !== (current.size === 0) && isSeen(old.size === 0 ? before : now, parent)) {
      kept.add('absent');
    }
    if (kept.size > 0) shape[path] = [...kept].sort().join('|');
  }
  return { shape, changes };
}

function isSame(
  path: string,
  old: ReadonlySet<string>,
  current: ReadonlySet<string>,
  { before, now, parent }: { before: Shape; now: Shape; parent: string },
  known: Known,
): boolean {
  const shown = known.fields.get(path);
  const isData = path.endsWith('[]') || nameOf(path) === '*' || isWithinOpaque(path, known);
  if (old.size === 0) return isData || shown !== undefined || !isSeen(before, parent);
  if (current.size === 0) return isData || old.has('absent') || allows(path, 'absent') || !isSeen(now, parent);
  const solid = [...old].filter((type) => type !== 'null' && type !== 'absent');
  return [...current].every((type) => {
    if (old.has(type)) return true;
    if (type === 'null' || type === 'absent') return allows(path, type);
    // So far there was nothing but null.
    if (solid.length === 0 || (type === 'integer' && old.has('number'))) return true;
    return shown?.has(type) === true;
  });
}

/** Whether a field is in an object whose names the specification does not show: they come and go with the data. */
function isWithinOpaque(path: string, known: Known): boolean {
  if (path === '' || known.fields.has(path)) return false;
  return known.opaque.has(parentOf(path)) || isWithinOpaque(parentOf(path), known);
}

/** Whether a response had an object at a path. */
function isSeen(shape: Shape, path: string): boolean {
  return typesIn(shape[path]).has('object');
}

const typesIn = (text: string | undefined): Set<string> => new Set(text === undefined ? [] : text.split('|'));

const byDepth = (a: string, b: string): number =>
  a.split(/\.|\[\]/).length - b.split(/\.|\[\]/).length || (a < b ? -1 : 1);

function add(map: Map<string, Set<string>>, path: string, value: string): void {
  const all = map.get(path) ?? new Set();
  map.set(path, all.add(value));
}
