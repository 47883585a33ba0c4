/**
 * What a value must be: a plain description that `issuesOf`, the documentation and the tests read.
 * Nothing transforms a value, so an answer is given back as it came.
 */
export interface Schema<Accepted = unknown> {
  /** The type of what is accepted. Never there at run time. */
  readonly accepted?: Accepted;
  readonly type: Type;
  /** `typeof` of the values that need no further look. */
  readonly plain?: string;
  readonly optional?: boolean;
  readonly nullable?: boolean;
  /** The only values. */
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  /** What an array holds, or an object whose keys are not known. */
  readonly items?: Schema;
  /** What an object holds. */
  readonly fields?: Fields;
  /** Which of them must be there. */
  readonly required: readonly string[];
  /** Keys that are not among the fields are refused. */
  readonly strict?: boolean;
  /** Looked at where everything else is right. */
  readonly rules: readonly Rule[];
}

type Type = 'any' | 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'valid Date';

/** What is said behind "expected" where the test fails, and the field that it is about, if it is one of several. */
export type Rule<Value = never> = readonly [test: (value: Value) => boolean, expected: string, field?: string];

/** What a schema lets through. */
export type Accepted<S> = S extends Schema<infer Value> ? Value : never;

/** A schema of a field that may be absent. */
interface Optional<Value> extends Schema<Value> {
  readonly optional: true;
}

export type Fields = Readonly<Record<string, Schema>>;
type OptionalKey<F extends Fields> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
type ObjectOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKey<F>>]: Accepted<F[K]> } & { [K in OptionalKey<F>]?: Accepted<F[K]> }
>;

/** All with the same keys in the same order, since engines read objects of one form several times faster. */
// @__NO_SIDE_EFFECTS__
function make(more: Partial<Schema>): never {
  return {
    type: 'any',
    plain: undefined,
    optional: false,
    nullable: false,
    enum: undefined,
    anyOf: undefined,
    items: undefined,
    fields: undefined,
    strict: false,
    required: [],
    rules: [],
    ...more,
  } as never;
}

/** The same schema but for some keys. */
// @__NO_SIDE_EFFECTS__
function but(schema: Schema, changes: Partial<Schema>): never {
  return { ...schema, ...changes } as never;
}

export const string: Schema<string> = /* @__PURE__ */ make({ type: 'string', plain: 'string' });
export const boolean: Schema<boolean> = /* @__PURE__ */ make({ type: 'boolean', plain: 'boolean' });
/** A finite number. */
export const number: Schema<number> = /* @__PURE__ */ make({ type: 'number' });
/** An integer that a `number` holds exactly. */
export const integer: Schema<number> = /* @__PURE__ */ make({ type: 'integer' });
/** A valid `Date`. */
export const date: Schema<Date> = /* @__PURE__ */ make({ type: 'valid Date' });
export const anything: Schema<unknown> = /* @__PURE__ */ make({});
/** An object whose fields the specification does not show: passed through. */
export const opaque: Schema<Record<string, unknown>> = /* @__PURE__ */ make({ type: 'object' });

/** An integer within bounds, both included. */
// @__NO_SIDE_EFFECTS__
export function int(min: number, max?: number): Schema<number> {
  return sized(integer, Number, '', min, max);
}

/** A string of a length within bounds, counted in code points: an emoji is one character. */
// @__NO_SIDE_EFFECTS__
export function text(min: number, max?: number): Schema<string> {
  return sized(string, codePoints, ' characters', min, max);
}

/** A list; of a length within bounds, both included, where there are any. */
// @__NO_SIDE_EFFECTS__
export function array<Item>(items: Schema<Item>, min = 0, max?: number): Schema<Item[]> {
  const list: Schema<Item[]> = make({ type: 'array', items });
  return min ? sized(list, ({ length }) => length, ' items', min, max) : list;
}

// @__NO_SIDE_EFFECTS__
function sized<V>(
  schema: Schema<V>,
  sizeOf: (value: V) => number,
  unit: string,
  min: number,
  max = Infinity,
): Schema<V> {
  const isWithin = (value: V) => sizeOf(value) >= min && sizeOf(value) <= max;
  return where(schema, [isWithin, `${max < Infinity ? `${min} to ${max}` : `${min} or more`}${unit}`]);
}

/** The length of a text as people count it: an emoji is one. */
export function codePoints(value: string): number {
  return [...value].length;
}

/** An object of an answer: fields that this version does not know are kept. */
// @__NO_SIDE_EFFECTS__
export function object<const F extends Fields>(fields: F): Schema<ObjectOf<F>> {
  const required = Object.keys(fields).filter((name) => !fields[name]?.optional);
  // Without a prototype, or `constructor` would be a known field.
  return make({ type: 'object', required, fields: Object.assign(Object.create(null), fields) });
}

/** An object of parameters: keys that this version does not know are refused. */
// @__NO_SIDE_EFFECTS__
export function strictObject<const F extends Fields>(fields: F): Schema<ObjectOf<F>> {
  return but(object(fields), { strict: true });
}

/** An object whose keys are not known. */
// @__NO_SIDE_EFFECTS__
export function record<Value>(items: Schema<Value>): Schema<Record<string, Value>> {
  return but(object({}), { items });
}

// @__NO_SIDE_EFFECTS__
export function oneOf<const Values extends readonly (string | false | null)[]>(
  ...values: Values
): Schema<Values[number]> {
  return make({ enum: values });
}

// @__NO_SIDE_EFFECTS__
export function anyOf<Schemas extends readonly Schema[]>(...schemas: Schemas): Schema<Accepted<Schemas[number]>> {
  return make({ anyOf: schemas });
}

/** A parameter that may be left out. */
// @__NO_SIDE_EFFECTS__
export function optional<Value>(schema: Schema<Value>): Optional<Value | undefined> {
  return but(schema, { optional: true });
}

// @__NO_SIDE_EFFECTS__
export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  return but(schema, { nullable: true });
}

/** A field that the service may leave out or set to null. */
// @__NO_SIDE_EFFECTS__
export function maybe<Value>(schema: Schema<Value>): Optional<Value | null> {
  return but(schema, { optional: true, nullable: true });
}

/** Add rules, which are looked at where everything else is right. */
// @__NO_SIDE_EFFECTS__
export function where<Value>(schema: Schema<Value>, ...rules: readonly Rule<Value>[]): Schema<Value> {
  return but(schema, { plain: '', rules: [...schema.rules, ...rules] as readonly Rule[] });
}
