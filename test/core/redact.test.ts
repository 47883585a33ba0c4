import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/core/redact.js';

const KEY = 'clé/secrète';
const MASK = '[redacted]';
const redactor = createRedactor([KEY, undefined, '']);

describe('mask', () => {
  it.each([
    ['as it is', `a ${KEY} b ${KEY}`, `a ${MASK} b ${MASK}`],
    ['percent-encoded', '?key=cl%C3%A9%2Fsecr%C3%A8te&a', `?key=${MASK}&a`],
    ['percent-encoded in lower case', '?key=cl%c3%a9%2fsecr%c3%a8te&a', `?key=${MASK}&a`],
    ['in another case', 'a CLÉ/Secrète b', `a ${MASK} b`],
    ['not there', 'clé', 'clé'],
  ])('a key %s', (_, text, expected) => {
    expect(redactor.mask(text)).toBe(expected);
  });

  it.each(['\\', '^', '$', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/', '-'])(
    'a key with %s, a special character of patterns',
    (character) => {
      const { mask } = createRedactor([`aaaaaa${character}b`]);
      expect(mask(`1aaaaaa${character}b2 aaaaaab aaaaaa_b aaaaaaab`)).toBe(`1${MASK}2 aaaaaab aaaaaa_b aaaaaaab`);
    },
  );

  it('a long secret before a short one within it', () => {
    expect(createRedactor(['abc', 'abcdef']).mask('abcdef abc')).toBe(`${MASK} ${MASK}`);
  });

  it('a secret of less than 8 characters only as a whole word', () => {
    const { mask, json } = createRedactor(['k', 'test-1']);
    expect(mask('unknown key k, test-12, ?key=k&a')).toBe(`unknown key ${MASK}, test-12, ?key=${MASK}&a`);
    expect(json({ k: 'k', unknown: 'test-1' })).toEqual({ k: MASK, unknown: MASK });
  });

  it('half a surrogate pair', () => {
    expect(createRedactor(['aaaaaa\ud800b']).mask('1aaaaaa\ud800b2 aaaaaa%EF%BF%BDb')).toBe(`1${MASK}2 ${MASK}`);
  });

  it.each([
    ['many secrets', Array.from({ length: 30 }, (_, index) => `${index}`.padEnd(1500, 'x'))],
    ['secrets that fill a pattern', ['y'.repeat(10_000), 'z'.repeat(10_000), 'short']],
  ])('%s', (_, secrets) => {
    const { mask } = createRedactor(secrets);
    expect(mask(secrets.join(','))).toBe(secrets.map(() => MASK).join(','));
  });

  it('nothing if there is no secret', () => {
    expect(createRedactor([undefined]).mask('undefined')).toBe('undefined');
  });
});

describe('the beginning of a text', () => {
  it('has 2000 characters, cut after the key is taken out', () => {
    expect(redactor.beginning('x'.repeat(3000))).toBe('x'.repeat(2000));
    const text = `${KEY.repeat(900)}${'x'.repeat(3000)}`;
    expect(createRedactor([KEY.repeat(9)]).beginning(text)).toBe(`${MASK.repeat(100)}${'x'.repeat(100)}`);
  });
});

describe('JSON', () => {
  it('is copied without the key in names and values', () => {
    const value = { [`a${KEY}`]: [KEY, 1, null, true, { deep: `${KEY}!` }], none: undefined };
    expect(redactor.json(value)).toEqual({
      [`a${MASK}`]: [MASK, 1, null, true, { deep: `${MASK}!` }],
      none: undefined,
    });
    expect(Object.keys(value)).toEqual([`a${KEY}`, 'none']);
  });

  it('is shown to a depth of 100', () => {
    const nested = (depth: number): unknown => (depth === 0 ? {} : [nested(depth - 1)]);
    expect(JSON.stringify(redactor.json(nested(100)))).toBe(JSON.stringify(nested(100)));
    expect(JSON.stringify(redactor.json(nested(101)))).toContain(`"${MASK}"`);
  });
});

describe('issues', () => {
  it('show neither the key nor a whole long name', () => {
    const issues = [{ path: [KEY, 3, 'x'.repeat(3000)], message: `${KEY}${'y'.repeat(3000)}` }];
    expect(redactor.issues(issues)).toEqual([
      { path: [MASK, 3, 'x'.repeat(2000)], message: `${MASK}${'y'.repeat(3000)}` },
    ]);
  });
});

describe('headers', () => {
  const { headers } = createRedactor(['secret']);

  it('show no key, and no name with the key', () => {
    const shown = headers(Object.entries({ 'x-a': '1 secret', 'x-secret': '2', 'x-b': '3' }));
    expect(Object.fromEntries(shown)).toEqual({ 'x-a': `1 ${MASK}`, 'x-b': '3' });
  });

  it('end at the first header that cannot be read', () => {
    const shown = headers(Object.entries({ 'x-a': '1', 'no name': '2', 'x-b': '3' }));
    expect(Object.fromEntries(shown)).toEqual({ 'x-a': '1' });
  });
});

describe('a cause', () => {
  const failed = (fields: object, message = 'failed', cause?: unknown) =>
    Object.assign(new Error(message, cause === undefined ? {} : { cause }), fields);

  it('keeps name, message and code, without the key', () => {
    const shown = redactor.cause(failed({ name: `N${KEY}`, code: `C${KEY}`, request: {} }, `M${KEY}`));
    expect(shown).toMatchObject({ name: `N${MASK}`, code: `C${MASK}`, message: `M${MASK}` });
    expect(shown?.stack).toBe(`N${MASK}: M${MASK}`);
    expect(shown).not.toHaveProperty('request');
    expect(shown).not.toHaveProperty('cause');
  });

  it.each([
    [7, 7],
    ['E', 'E'],
    [undefined, undefined],
    [{}, undefined],
  ])('with the code %j', (code, expected) => {
    expect(redactor.cause(failed({ code }))).toHaveProperty('message', 'failed');
    expect((redactor.cause(failed({ code })) as { code?: unknown }).code).toBe(expected);
  });

  it('keeps its causes, at most four', () => {
    const chain = [5, 4, 3, 2, 1].reduce<Error | undefined>(
      (cause, level) => failed({}, `${level}`, cause),
      failed({}, '6'),
    );
    const messages: string[] = [];
    for (let shown = redactor.cause(chain); shown; shown = shown.cause as Error | undefined)
      messages.push(shown.message);
    expect(messages).toEqual(['1', '2', '3', '4', '5']);
  });

  it.each([
    ['no error', { message: 'failed' }],
    ['nothing', undefined],
    [
      'an error that cannot be read',
      Object.defineProperty(new Error('x'), 'message', { get: () => expect.unreachable() }),
    ],
  ])('is absent for %s', (_, thrown) => {
    expect(redactor.cause(thrown)).toBeUndefined();
  });
});
