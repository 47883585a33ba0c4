import fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import { issuesOf, printIssues } from '../../src/core/issues.js';
import * as s from '../../src/core/schema.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { absent, day, platforms, scheduledAt } from '../../src/resources/parameters.js';
import * as schemas from '../../src/schemas.js';
import { type Change, change, validFor } from '../fuzz/arbitrary.js';

const parameters = endpoints.flatMap(({ operation, params }) => (params ? [[operation, params] as const] : []));
const responses = endpoints.flatMap(({ operation, response }) => (response ? [[operation, response] as const] : []));

const said = (schema: s.Schema, value: unknown) => printIssues(issuesOf(schema, value) ?? [], 'It');

const EXISTING = 'It must be a date-time that exists, with `Z` or an offset (+01:00).';
const DATE = s.anyOf(s.dates, 'a valid Date');
const isMore = s.rule<{ a: number; b: number }>(({ a, b }) => a < b, 'must be more than `a`', 'b');

describe('a message names the problem', () => {
  it.each<[schema: s.Schema, value: unknown, message: string]>([
    [s.string, 1, 'It must be a string; received a number.'],
    [s.number, '1', 'It must be a number; received a string.'],
    [s.number, Number.POSITIVE_INFINITY, 'It must be a number; received Infinity.'],
    [s.integer, 1.5, 'It must be an integer; received a number.'],
    [s.integer, 2 ** 53, 'It must be an integer; received a number.'],
    [s.integer, '1', 'It must be an integer; received a string.'],
    [s.boolean, 'true', 'It must be a boolean; received a string.'],
    [DATE, new Date(Number.NaN), 'It must be a valid Date.'],
    [DATE, new Date(Date.UTC(10_000, 0)), 'It must have a year from 0001 to 9999.'],
    [s.opaque, [], 'It must be an object; received an array.'],
    [s.list(s.string), {}, 'It must be an array; received an object.'],
    [s.list(s.string), ['a', 1], '`[1]` must be a string; received a number.'],
    [s.text(1, 3), 'abcd', 'It must have 1 to 3 characters.'],
    [s.text(3), '👩‍👩‍👧'.slice(0, 2), 'It must have 3 or more characters.'],
    [s.text(1, 3), 5, 'It must be a string; received a number.'],
    [s.int(1, 100), 101, 'It must be between 1 and 100.'],
    [s.int(0), -1, 'It must be 0 or more.'],
    [s.int(1, 100), 1.5, 'It must be an integer; received a number.'],
    [s.list(s.string, 2, 3), ['a'], 'It must have 2 to 3 items.'],
    [s.list(s.string, 2, 3), 'a', 'It must be an array; received a string.'],
    [s.list(s.string, 1), { length: 0 }, 'It must be an array; received an object.'],
    [platforms, [], 'It must name at least one platform.'],
    [platforms, ['gmb', 'gmb'], 'It must name each platform only once.'],
    [s.oneOf(['a', 'b']), 5, 'It must be one of a, b; received a number.'],
    // The one value that is quoted, unless it is too long for a misspelled member.
    [s.oneOf(['a', 'b']), 'zzz', 'It must be one of a, b; received "zzz".'],
    [s.oneOf(['a', 'b']), 'x"\n', 'It must be one of a, b; received "x\\"\\n".'],
    [s.oneOf(['a', 'b']), 'x'.repeat(41), 'It must be one of a, b; received a string.'],
    [s.oneOf(['abc', 'd']), 'abd', 'It must be one of abc, d; received "abd". Did you mean "abc"?'],
    [s.anyOf([s.string, ...s.dates], 'a text or date'), 5, 'It must be a text or date; received a number.'],
    [s.object({ a: s.object({ b: s.string }) }), { a: { b: 1 } }, '`a.b` must be a string; received a number.'],
    [s.object({ a: s.object({ b: s.string }) }), null, 'It must be an object; received null.'],
    [
      s.object({ list: s.list(s.object({ id: s.integer })) }),
      { list: [{ id: 1 }, {}] },
      '`list[1].id` is required and must be an integer.',
    ],
    [s.record(s.integer), { a: 1, b: 'x' }, '`b` must be an integer; received a string.'],
    [s.record(s.integer), [], 'It must be an object; received an array.'],
    [s.record(s.integer), 'x', 'It must be an object; received a string.'],
    [scheduledAt, '2027-02-30T09:00:00Z', EXISTING],
    [scheduledAt, '2026-12-01T09:00', EXISTING],
    [scheduledAt, '2026-12-01T09:00+02:00[Europe/Paris]', 'It must have the offset of its time zone at that moment.'],
    [
      scheduledAt,
      5,
      'It must be a valid Date, a Temporal.Instant, a Temporal.ZonedDateTime or a string; received a number.',
    ],
    [day, '2026-02-30', 'It must be a day that exists, as YYYY-MM-DD.'],
    [s.object({ snapshot: absent }), { snapshot: null }, '`snapshot` must be absent.'],
    [s.refine(s.object({ a: s.integer, b: s.integer }), isMore), { a: 2, b: 1 }, '`b` must be more than `a`.'],
  ])('%# %j', (schema, value, message) => {
    expect(said(schema, value)).toBe(message);
  });

  it.each<[schema: s.Schema, value: unknown]>([
    [s.maybe(s.string), null],
    [s.maybe(s.string), undefined],
    [s.maybeAbsent(s.string), undefined],
    [z.optional(s.string), undefined],
    [z.nullable(s.string), null],
    [s.anything, Symbol('x')],
    [s.object({ a: s.maybe(s.string) }), {}],
    [s.object({ a: s.string }), { a: 'x', constructor: 1, toString: 'y' }],
    [s.object({ snapshot: absent }), {}],
    [s.record(s.integer), JSON.parse('{"__proto__": 1}')],
    [s.text(1, 2), '👩👩'],
  ])('a valid value has no message: %#', (schema, value) => {
    expect(issuesOf(schema, value)).toBeUndefined();
  });

  it.each([{ a: 'b' }, { a: 0 }, {}, { a: 1, b: 2 }])('rules are not reported if a field is invalid: %j', (value) => {
    const look = () => {
      throw new Error('looked at');
    };
    expect(said(s.refine(s.params({ a: s.int(1, 5) }), s.rule(look, 'is x')), value)).not.toContain('is x');
  });

  it('every broken rule is named', () => {
    const isNever = () => false;
    const schema = s.refine(s.params({ a: s.integer }), s.rule(isNever, 'is x', 'a'), s.rule(isNever, 'is y'));
    expect(said(schema, { a: 1 })).toBe('`a` is x. It is y.');
  });
});

it('missing fields are reported as fields of the wrong type', () => {
  const schema = s.object({ id: s.integer, tags: s.list(s.string), at: s.timestamp, kind: s.oneOf(['a']) });
  const types = { id: 'an integer', tags: 'an array', at: 'a string or a valid Date', kind: 'a' };
  const sentences = Object.entries(types).map(([name, type]) => `\`${name}\` is required and must be ${type}.`);
  expect(said(schema, {})).toBe(sentences.join(' '));
});

describe('unknown fields', () => {
  it.each<[schema: s.Schema, value: unknown, message: string]>([
    [s.params({ bulle_id: s.target }), { bulleId: 'x' }, '`bulleId` is an unknown parameter. Did you mean `bulle_id`?'],
    [s.params({ a: z.optional(s.string) }), { b: 1 }, '`b` is an unknown parameter.'],
    [s.params({}), { constructor: 1 }, '`constructor` is an unknown parameter.'],
    [s.params({}), JSON.parse('{"__proto__": 1}'), '`__proto__` is an unknown parameter.'],
    [s.params({ id: s.string }), { id: 'x', a: 1, b: 2 }, '`a` is an unknown parameter. `b` is an unknown parameter.'],
    [
      s.params({ list: z.optional(s.list(s.params({ field: s.string }))) }),
      { list: [{ field: 'x', fields: 'y' }] },
      '`list[0].fields` is an unknown parameter. Did you mean `field`?',
    ],
    [
      s.params({ limit: s.anyOf([s.boolean, s.params({ perMinute: s.integer })], 'a boolean or an object') }),
      { limit: { perMin: 1, perMinute: 1 } },
      '`limit.perMin` is an unknown parameter. Did you mean `perMinute`?',
    ],
  ])('%# of parameters are refused, with the nearest known name', (schema, value, message) => {
    expect(said(schema, value)).toBe(message);
  });

  it('of parameters are named by the schema itself, without the client', () => {
    const { error } = z.safeParse(s.params({ status: z.optional(s.string) }), { statut: 1 });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      '`statut` is an unknown parameter. Did you mean `status`?',
    ]);
  });

  it('of responses are accepted, and properties of every object are not known fields', () => {
    expect(said(s.object({ id: s.integer }), { id: 1, new_field: { deep: true } })).toBe('');
    expect(said(s.object({ constructor: s.string }), {})).toBe('`constructor` must be a string; received a function.');
  });
});

describe('alternatives', () => {
  const site = s.anyOf(
    [s.object({ kind: s.string, size: s.integer }), s.object({ kind: s.maybe(z.null(s.must('null'))), id: s.integer })],
    'a site',
  );

  it.each<[value: unknown, message: string]>([
    [{ kind: 'x', size: 'y' }, '`size` must be an integer; received a string.'],
    [5, 'It must be a site; received a number.'],
    [{ kind: 'x', size: 1 }, ''],
    [{ id: 1 }, ''],
  ])('%j', (value, message) => {
    expect(said(site, value)).toBe(message);
  });

  it('are checked inside lists, with the whole path', () => {
    expect(said(s.object({ sites: s.list(site) }), { sites: [{ id: 1 }, { kind: 'x' }] })).toBe(
      '`sites[1].size` is required and must be an integer.',
    );
  });
});

describe('values in messages', () => {
  const SECRET = 'S3CRET-4f1b';

  const anywhere = fc.record<Change>({
    place: fc.nat(200),
    kind: fc.constant('replace'),
    key: fc.constant('x'),
    value: fc.constantFrom<unknown>(SECRET, [SECRET], { x: SECRET }),
  });

  it.each([
    ...parameters.map(([operation, schema]) => [`the parameters of ${operation}, but for enums,`, schema] as const),
    ...responses.map(([operation, schema]) => [`a response of ${operation}`, schema] as const),
  ])('no value of %s is quoted', (what, schema) => {
    const isQuoted = (message: string) => what.includes('enums') && message.includes(`; received "${SECRET}"`);
    fc.assert(
      fc.property(validFor(schema), anywhere, (valid, one) => {
        const issues = issuesOf(schema, change(valid, one)) ?? [];
        expect(JSON.stringify(issues.filter(({ message }) => !isQuoted(message)))).not.toContain(SECRET);
      }),
      { numRuns: 50 },
    );
  });
});

describe('messages belong to the schemas', () => {
  const { customError, localeError } = z.config();
  const restored = { customError, localeError };
  afterEach(() => void z.config(restored));

  const changes = fc.record<Change>({
    place: fc.nat(200),
    kind: fc.constantFrom('replace', 'remove', 'add'),
    key: fc.constantFrom('x', 'idd'),
    value: fc.constantFrom<unknown>(null, undefined, true, 1.5, -1, 2 ** 60, 'x', '', [], {}, new Date(Number.NaN)),
  });

  /** The same wrong values each time. */
  function wrongFor(schema: s.Schema, numRuns = 30): unknown[] {
    const changed = fc.tuple(validFor(schema), changes).map(([valid, one]) => change(valid, one));
    return [null, 'x', {}, [{}], ...fc.sample(changed, { numRuns, seed: 7 })];
  }

  /** What is said of the same wrong values, by us and by zod alone. */
  function messagesOf(schema: s.Schema): string[] {
    return wrongFor(schema).flatMap((value) => [
      said(schema, value),
      ...(z.safeParse(schema, value).error?.issues ?? []).flatMap(wordsOf),
    ]);
  }

  function wordsOf(issue: z.core.$ZodIssue): string[] {
    return [issue.message, ...(issue.code === 'invalid_union' ? issue.errors.flat().flatMap(wordsOf) : [])];
  }

  const named: readonly (readonly [string, s.Schema])[] = [...parameters, ...responses, ...Object.entries(schemas)];
  const all = [...new Map(named.map((row) => [row[1], row])).values()];

  it.each(all)('of %s, whatever the app configures', (_, schema) => {
    const own = messagesOf(schema);
    expect(new Set(own).size).toBeGreaterThan(1);
    z.config({ customError: () => 'words of the app' });
    expect(messagesOf(schema)).toEqual(own);
    z.config({ customError: undefined, ...z.locales.fr() });
    expect(messagesOf(schema)).toEqual(own);
  });

  it('the client, whose schemas are smaller, says the same as `multilocal/schemas`', async () => {
    vi.stubGlobal('MULTILOCAL_ZOD', 'own');
    vi.resetModules();
    onTestFinished(() => void vi.unstubAllGlobals().resetModules());
    const { endpoints: own } = await import('../../src/resources/endpoints.js');
    const issues = await import('../../src/core/issues.js');
    expect(own).toHaveLength(endpoints.length);
    for (const [index, endpoint] of endpoints.entries()) {
      for (const part of ['params', 'response'] as const) {
        const [shown, plain] = [endpoint[part], own[index]?.[part]];
        if (!shown || !plain) continue;
        expect(plain).not.toBe(shown);
        for (const value of wrongFor(shown, 60))
          expect(issues.issuesOf(plain, value), endpoint.operation).toEqual(issuesOf(shown, value));
      }
    }
  });

  it('the configuration does reach schemas without a message', () => {
    z.config({ customError: () => 'words of the app' });
    expect(z.safeParse(z.string(), 1).error?.issues[0]?.message).toBe('words of the app');
  });
});

// test/spec/spec.test.ts compares the bounds of all parameters.
it('bounds show in the JSON Schema: a rule hides none', () => {
  const schema = z.optional(s.text(1, 2048).check(s.rule(() => true, 'x')));
  expect(z.toJSONSchema(schema)).toMatchObject({ type: 'string', minLength: 1, maxLength: 2048 });
  expect(z.toJSONSchema(platforms)).toMatchObject({ type: 'array', minItems: 1 });
});

describe('a value that is checked', () => {
  function freeze<T>(value: T): T {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  }

  it.each(responses)('is not changed: %s', (_, schema) => {
    fc.assert(
      fc.property(validFor(schema), fc.dictionary(fc.string(), fc.jsonValue()), (valid, more) => {
        const value = Array.isArray(valid) ? valid : { ...more, ...Object(valid) };
        const text = JSON.stringify(value);
        issuesOf(schema, freeze(value));
        expect(JSON.stringify(value)).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  it('is read once: getters count', () => {
    const get = vi.fn(() => 1);
    const value = Object.defineProperty({}, 'id', { get, enumerable: true });
    expect(issuesOf(s.object({ id: s.integer }), value)).toBeUndefined();
    expect(get).toHaveBeenCalledOnce();
  });
});
