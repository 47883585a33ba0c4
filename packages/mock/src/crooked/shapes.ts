// The changes of bodies. They copy, because a body may hold values of the state.

/** Changes a body, or a part of one. */
export type Change = (value: unknown) => unknown;

type Fields = Readonly<Record<string, unknown>>;

/** A change of an object. Bodies come from the mock itself, so their shapes are known. */
const fields =
  (change: (fields: Fields) => Fields): Change =>
  (value) =>
    change(value as Fields);

/** A change of each item of a list. */
export const items =
  (change: (item: unknown, index: number) => unknown): Change =>
  (list) =>
    (list as readonly unknown[]).map(change);

/** The same change of several fields. */
export const each = (names: readonly string[], change: Change): Change =>
  fields((all) => ({ ...all, ...Object.fromEntries(names.map((name) => [name, change(all[name])])) }));

/** A change of one field. */
export const field = (name: string, change: Change): Change => each([name], change);

export const toNull: Change = () => null;

/** Removes a field. */
export const without = (name: string): Change => fields(({ [name]: _removed, ...others }) => others);

/** Renames fields. */
export const renamed = (names: Readonly<Record<string, string>>): Change =>
  fields((all) => Object.fromEntries(Object.entries(all).map(([name, value]) => [names[name] ?? name, value])));

/** Sets a field of the objects whose id is a multiple of three. */
export const oneOfThree = (name: string, value: unknown): Change =>
  fields((all) => (Number(all.id) % 3 === 0 ? { ...all, [name]: value } : all));

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+\+00:00$/;

/** A change of every timestamp in a body. */
export const timestamps = (change: (timestamp: string) => string): Change =>
  function visit(value): unknown {
    return typeof value === 'string' && TIMESTAMP.test(value) ? change(value) : mapParts(value, visit);
  };

/** Renames every field in a body: `last_position` becomes `lastPosition`. */
export function inCamelCase(value: unknown): unknown {
  const parts = mapParts(value, inCamelCase);
  if (!isFields(parts)) return parts;
  const names = Object.keys(parts).map((name) => [name, name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())]);
  return renamed(Object.fromEntries(names))(parts);
}

/** Adds fields to an object and to the objects in its lists, but not to objects in it: some of those are maps. */
export const widened = (extra: Fields): Change =>
  function visit(value): unknown {
    const inLists: Change = (part) => (Array.isArray(part) ? part.map(visit) : part);
    return isFields(value) ? { ...Object(mapParts(value, inLists)), ...extra } : inLists(value);
  };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mapParts(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)]));
}
