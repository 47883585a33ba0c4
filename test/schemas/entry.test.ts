import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import ky from 'ky';
import { describe, expect, it } from 'vitest';
import * as classic from 'zod';
import * as z from 'zod/mini';
import { endpoints } from '../../src/resources/endpoints.js';
import * as schemas from '../../src/schemas.js';
import { validFor } from '../fuzz/arbitrary.js';
import { ARTICLE } from '../support/fixtures.js';

const all: [name: string, schema: z.ZodMiniType][] = Object.entries(schemas);
const params = all.filter(([name]) => /(Params|Target)Schema$/.test(name));
const responses = all.filter(([name]) => !/(Params|Target)Schema$/.test(name));

describe('the schemas of the entry', () => {
  const sources = ['src/index.ts', 'src/articles.ts', 'src/resources/types.ts'].map((path) =>
    readFileSync(path, 'utf8'),
  );
  const types = new Set(sources.join('\n').match(/\b[A-Z]\w+\b/g));
  const exported = new Set<unknown>(Object.values(schemas));

  it.each(all)('%s has an exported type of its name', (name) => {
    expect(types).toContain(`${name[0]?.toUpperCase()}${name.slice(1, -'Schema'.length)}`);
  });

  it('hold every exported type of parameters', () => {
    const missing = [...types].filter(
      (type) => type.endsWith('Params') && !(`${type[0]?.toLowerCase()}${type.slice(1)}Schema` in schemas),
    );
    expect(missing).toEqual([]);
  });

  it('hold what every operation resolves to', () => {
    const parts = (schema: z.core.SomeType): z.core.SomeType[] => {
      const { def } = (schema as z.core.$ZodTypes)._zod;
      return def.type === 'array'
        ? parts(def.element)
        : def.type === 'union' && !exported.has(schema)
          ? def.options.flatMap(parts)
          : [schema];
    };
    for (const { operation, response } of endpoints) {
      if (response)
        expect(
          parts(response).every((schema) => exported.has(schema)),
          operation,
        ).toBe(true);
    }
  });

  it('hold the parameters of every operation, but for those that its method fills in', () => {
    const inline = endpoints.filter((endpoint) => endpoint.params && !exported.has(endpoint.params));
    // `kind` is the name of the method, and a `file` goes as `image_base64`.
    expect(inline.map(({ operation }) => operation)).toEqual(['seo.snapshot', 'seo.competitors', 'images.upload']);
  });
});

describe('schemas of parameters', () => {
  it.each(params)('%s refuses an unknown field by its name', (_, schema) => {
    const { error } = z.safeParse(schema, { zzzz: 1 });
    expect(error?.issues.map(({ message }) => message).join()).toContain('`zzzz` is an unknown parameter.');
  });

  const dates: [name: string, valid: Record<string, unknown>, field: string][] = [
    ['postCreateParamsSchema', { content: 'Pain', platforms: ['gmb'] }, 'scheduled_at'],
    ['postUpdateParamsSchema', {}, 'scheduled_at'],
    ['postFindParamsSchema', { content: 'Pain' }, 'since'],
    ['articleListParamsSchema', {}, 'updated_since'],
    ['reviewListParamsSchema', {}, 'date_from'],
  ];

  it.each(dates)('%s %j takes a Date or a string as %s, and hands it on', (name, valid, field) => {
    const schema = new Map(all).get(name) as z.ZodMiniType;
    for (const at of [new Date('2026-12-01T08:00:00Z'), '2026-12-01T09:00:00+01:00']) {
      expect(z.parse(schema, { ...valid, [field]: at })).toEqual({ ...valid, [field]: at });
    }
    expect(z.safeParse(schema, { ...valid, [field]: new Date(Number.NaN) }).success).toBe(false);
  });

  it('takes a file', () => {
    expect(z.safeParse(schemas.imageUploadParamsSchema, { file: new Uint8Array(3) }).success).toBe(true);
    expect(z.safeParse(schemas.imageUploadParamsSchema, { file: 'x' }).error?.issues[0]?.message).toBe(
      'must be a Blob, ArrayBuffer or Uint8Array; received a string',
    );
  });
});

describe('schemas of responses', () => {
  it.each(responses)('%s keeps unknown fields', (_, schema) => {
    fc.assert(
      fc.property(validFor(schema), (valid) => {
        // A JSON Schema cannot say that a preview needs one of two marks.
        fc.pre(schema !== schemas.dryRunPreviewSchema || Object.hasOwn(Object(valid), 'dry_run'));
        const more = { ...Object(valid), new_field: { deep: [1] } };
        expect(z.parse(schema, more)).toEqual(more);
      }),
      { numRuns: 20 },
    );
  });

  it('a preview has a mark', () => {
    const accepts = (value: unknown) => z.safeParse(schemas.dryRunPreviewSchema, value).success;
    expect([{ dry_run: true }, { would_publish: true }, {}, { id: 1 }].map(accepts)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(responses)('%s has a JSON Schema', (_, schema) => {
    expect(z.toJSONSchema(schema)).toMatchObject({ $schema: expect.any(String) });
    expect(classic.toJSONSchema(schema)).toEqual(z.toJSONSchema(schema));
  });
});

describe('in schemas of the app', () => {
  it.each([
    ['classic', classic],
    ['mini', z],
  ] as const)('of zod %s', (_, { array, object, optional, safeParse, parse }) => {
    expect(parse(array(schemas.articleSchema), [ARTICLE])).toEqual([ARTICLE]);
    const feed = object({ article: schemas.articleSchema, next: optional(schemas.articleSchema) });
    expect(parse(feed, { article: ARTICLE })).toEqual({ article: ARTICLE });
    const { error } = safeParse(feed, { article: { ...ARTICLE, id: 'x' } });
    expect(error?.issues).toMatchObject([
      { path: ['article', 'id'], message: 'must be an integer; received a string' },
    ]);
  });

  it('as a Standard Schema', async () => {
    const result = await schemas.articleSchema['~standard'].validate({ ...ARTICLE, title: 1 });
    expect(result.issues).toMatchObject([{ path: ['title'], message: 'must be a string; received a number' }]);
  });

  it("in ky's json()", async () => {
    const api = (body: unknown) => ky.create({ retry: 0, fetch: async () => Response.json(body) });
    const article = await api(ARTICLE).get('https://service.test/articles/1').json(schemas.articleSchema);
    expect(article.title).toBe(ARTICLE.title);
    await expect(api({}).get('https://service.test/articles/1').json(schemas.articleSchema)).rejects.toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ message: 'is required and must be an integer' })]),
    });
  });
});
