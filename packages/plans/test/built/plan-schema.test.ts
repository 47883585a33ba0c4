// plan.schema.json, which editors use, agrees with the checks of `rehearse`.
import { readFileSync } from 'node:fs';
import { PlanFile } from '@multilocal/cli/plan/plan-file';
import { specOf } from '@multilocal/test/spec/endpoints';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { writes } from '../../src/actions.js';
import { pathNames } from '../../src/operation.js';

// biome-ignore lint/suspicious/noExplicitAny: the test reads it as an editor does.
const schema = JSON.parse(readFileSync('dist/plan.schema.json', 'utf8')) as any;
// `format` says what a date is for people: the dates of the service have more forms.
const validate = new Ajv2020({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  validateFormats: false,
  formats: {},
});
validate.addFormat('date-time', true);
const isValid = validate.compile(schema);

const planOf = (...actions: unknown[]) => ({ actions });
const problemsOf = (plan: unknown) =>
  new PlanFile('plan.json', JSON.stringify(plan)).problems.map(({ message }) => message);

/** An action with the sample of the specification's table. */
const samples = writes.map((endpoint) => {
  const sample = [...(specOf(endpoint.operation)?.sample ?? [])];
  const inPath = pathNames(endpoint).map((name) => [name, sample.shift()]);
  const params = { ...Object.fromEntries(inPath), ...(sample[0] as object) };
  return [endpoint.operation, { operation: endpoint.operation, params }] as const;
});

describe.each(samples)('%s', (operation, action) => {
  const { params } = action;

  it('passes with the sample of the specification', () => {
    isValid(planOf(action));
    expect(isValid.errors).toBeNull();
    expect(problemsOf(planOf(action))).toEqual([]);
  });

  it('is refused with an unknown parameter, and with dry_run', () => {
    for (const more of [{ unknown_thing: 1 }, { dry_run: true }, { timeout: 1 }]) {
      const plan = planOf({ operation, params: { ...params, ...more } });
      expect([isValid(plan), problemsOf(plan).length]).toEqual([false, 1]);
    }
  });

  it('is refused without a parameter exactly when `rehearse` refuses it', () => {
    for (const name of Object.keys(params)) {
      const { [name]: _, ...rest } = params;
      const plan = planOf({ operation, params: rest });
      expect([name, isValid(plan)]).toEqual([name, problemsOf(plan).length === 0]);
    }
    const bare = planOf({ operation });
    expect(isValid(bare)).toBe(problemsOf(bare).length === 0);
  });

  it('is refused with a parameter of another type', () => {
    for (const name of Object.keys(params)) {
      const plan = planOf({ operation, params: { ...params, [name]: { wrong: true } } });
      expect([name, isValid(plan), problemsOf(plan).length > 0]).toEqual([name, false, true]);
    }
  });
});

const post = { content: 'Un', platforms: ['facebook'] };
const october = { type: 'combine', date_start: '2026-10-01', date_end: '2026-10-31' };
const article = { title: 'Pain', target_keyword: 'pain' };
const ask = (contact: object) => planOf({ operation: 'acquisition.requestReviews', params: { contacts: [contact] } });
const ada = { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' };

describe('a plan that both refuse', () => {
  it.each<[string, unknown]>([
    ['no object', []],
    ['no actions', {}],
    ['an empty list', planOf()],
    ['an unknown field', { ...planOf({ operation: 'seo.scan' }), action: 1 }],
    ['a number as address of the schema', { $schema: 1, ...planOf({ operation: 'seo.scan' }) }],
    ['an action that is a string', planOf('seo.scan')],
    ['an action with an unknown field', planOf({ operation: 'seo.scan', note: '' })],
    ['no operation', planOf({ params: {} })],
    ['an unknown operation', planOf({ operation: 'posts.creat', params: post })],
    ['a read', planOf({ operation: 'posts.list' })],
    ['an operation that waits', planOf({ operation: 'reports.createAndWait', params: {} })],
    ['both texts', planOf({ operation: 'posts.create', params: { ...post, text: 'Un' } })],
    ['an unknown platform', planOf({ operation: 'posts.create', params: { ...post, platforms: ['facebok'] } })],
    ['a number as date', planOf({ operation: 'posts.create', params: { ...post, scheduled_at: 1 } })],
    ['null', planOf({ operation: 'posts.create', params: { ...post, image_url: null } })],
    ['a combined report on one', planOf({ operation: 'reports.create', params: { ...october, fiche_ids: ['a'] } })],
    ['dots as id', planOf({ operation: 'posts.delete', params: { post_id: '..' } })],
    ['both sites', planOf({ operation: 'articles.create', params: { ...article, site_id: 1, site_ids: [1] } })],
    ['an SMS without a number', ask({ ...ada, channel: 'sms' })],
    ['an unknown field of a contact', ask({ ...ada, phone: '' })],
  ])('%s', (_, plan) => {
    expect(isValid(plan)).toBe(false);
    expect(problemsOf(plan)).not.toEqual([]);
  });
});

it('the schema has a description for each operation and parameter, for hovers', () => {
  const { operation } = schema.properties.actions.items.properties;
  expect(operation.anyOf.map((one: { const: string }) => one.const)).toEqual(writes.map((write) => write.operation));
  for (const { description } of operation.anyOf) expect(description).toMatch(/\.$/);
  for (const rule of schema.properties.actions.items.allOf) {
    const { properties } = rule.then.properties.params;
    for (const [name, { description }] of Object.entries<{ description?: string }>(properties)) {
      expect([rule.if.properties.operation.const, name, description]).toEqual([
        expect.any(String),
        name,
        expect.any(String),
      ]);
    }
  }
});
