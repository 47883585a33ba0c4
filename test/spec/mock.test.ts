// The table of parameters, held against the mock: bounds, values, types, required parameters and defaults.

import { createMockApi } from 'multilocal/mock/server';
import { describe, expect, it } from 'vitest';
import { requestOf, type SpecEndpoint, type SpecParam, spec } from './endpoints.js';

type Params = Record<string, unknown>;

/** Of two parameters only one may be there, or the second fills the place of the first. */
const INSTEAD_OF: Record<string, string> = { text: 'content', url: 'image_base64', image_base64: 'url' };

/** Defaults whose effect no response shows. `spec.test.ts` compares them with the docs. */
const HIDDEN_DEFAULTS = ['tone', 'language', 'ai_word_count_target', 'generate_image', 'align_with_brand'];

/** Sends the sample call of the row, with these parameters on top. `undefined` removes one. */
async function ask(row: SpecEndpoint, changes: Params) {
  const api = createMockApi({ now: '2026-11-14T09:30:00Z' });
  const response = await api.handle(requestOf(row, api, changes));
  const body: unknown = await response.json();
  const detail = String((body as { detail?: unknown } | null)?.detail ?? '');
  return {
    status: response.status,
    body,
    refused: response.status === 422 ? /`([\w[\].]+)`/.exec(detail)?.[1] : undefined,
  };
}

/** A value of the type at this end of the range. */
function endValue(name: string, { type, values }: SpecParam, size: number): unknown {
  if (type === 'integer') return size;
  if (type === 'string[]')
    return Array.from({ length: size }, (_, index) => values?.[index] ?? `https://x.example/${index}`);
  return name.endsWith('url') && size > 0 ? 'https://x.example/'.padEnd(size, 'x') : 'x'.repeat(size);
}

/** A value of no type that the parameter may have. A query holds only texts. */
const WRONG: Record<SpecParam['type'], unknown> = {
  string: 7,
  integer: 'x',
  boolean: 'x',
  'string[]': 'x',
  'integer[]': 'x',
  object: 'x',
  'object[]': 'x',
};

const rows = spec.filter(({ params }) => params !== undefined);

describe.each(rows.map((row) => [row.operation, row] as const))('%s', (_, row) => {
  const params = Object.entries(row.params ?? {});
  const only = (name: string, value: unknown): Params => ({
    ...(name in INSTEAD_OF && INSTEAD_OF[name] !== undefined && { [INSTEAD_OF[name]]: undefined }),
    [name]: value,
  });

  it.each(params)('%s', async (name, param) => {
    const { type, range, values, required } = param;
    const refusal = async (value: unknown) => (await ask(row, only(name, value))).refused;

    if (row.method !== 'GET' || type === 'integer')
      expect(await refusal(WRONG[type]), 'the wrong type').toContain(name);
    if (required) expect(await refusal(undefined), 'missing').toBe(name);
    if (values) {
      const list = (value: string) => (type === 'string[]' ? [value] : value);
      for (const value of values) expect(await refusal(list(value)), value).not.toBe(name);
      expect(await refusal(list('nonsense')), 'nonsense').toBe(name);
    }
    if (range) {
      const [least, most] = range;
      const at = (size: number) => refusal(endValue(name, param, size));
      expect(await at(least), `${least}`).not.toBe(name);
      if (least > 0) expect(await at(least - 1), `${least - 1}`).toBe(name);
      if (most === Number.POSITIVE_INFINITY) return;
      expect(await at(most), `${most}`).not.toBe(name);
      expect(await at(most + 1), `${most + 1}`).toBe(name);
    }
  });

  const defaults = params.filter(([name, param]) => param.default !== undefined && !HIDDEN_DEFAULTS.includes(name));
  if (defaults.length === 0) return;
  it('defaults', async () => {
    for (const [name, param] of defaults) {
      // Lists are asked for everything, so that the default decides what they hold.
      const rest = row.method === 'GET' ? Object.fromEntries(params.map(([other]) => [other, undefined])) : {};
      const left = await ask(row, { ...rest, [name]: undefined });
      expect(left.status, name).toBeLessThan(300);
      expect(await ask(row, { ...rest, [name]: param.default }), name).toEqual(left);
      const other = otherThan(param);
      if (other !== undefined)
        expect(await ask(row, { ...rest, [name]: other }), `${name}: ${other}`).not.toEqual(left);
    }
  });
});

/** A valid value beside the default. */
function otherThan({ default: value, range, values }: SpecParam): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === range?.[0] ? value + 1 : (range?.[0] ?? value + 1);
  return values?.find((one) => one !== value);
}
