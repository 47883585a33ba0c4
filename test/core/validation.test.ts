import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuesOf } from '../../src/core/issues.js';
import type { Schema } from '../../src/core/schema.js';
import { type Client, type ClientEvent, InvalidResponseError } from '../../src/index.js';
import { articleListSchema } from '../../src/resources/articles-reads-schema.js';
import { articleCreationSchema } from '../../src/resources/articles-schema.js';
import { identitySchema } from '../../src/resources/me-schema.js';
import { BODIES, CONNECTION } from '../spec/bodies.js';
import { caught, makeArticles, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, CONFIRMATION, CREATION, LIST, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, raw, stubFetch } from '../support/stub-fetch.js';

describe('values that this version does not know', () => {
  it('of an enum are accepted', async () => {
    const article = { ...ARTICLE, status: 'archived' };
    expect(await makeClient({ fetch: stubFetch(json(article)) }).articles.get(42)).toEqual(article);
    const confirmation = { ...CONFIRMATION, confirmation_source: 'crawler' };
    expect(await makeClient({ fetch: stubFetch(json(confirmation)) }).articles.confirm(42)).toEqual(confirmation);
    const identity = {
      ...SPHERE_IDENTITY,
      permissions: ['read', 'admin'],
      connected_platforms: ['threads'],
      api_version: '2.7',
    };
    expect(await makeClient({ fetch: stubFetch(json(identity)) }).me()).toEqual(identity);
    const connection = { ...CONNECTION, platform: 'threads' };
    expect(await makeClient({ fetch: stubFetch(json([connection])) }).connections.list()).toEqual([connection]);
    const creation = {
      created: [{ id: 1, kind: 'shopify', site_id: 3 }],
      skipped: [{ site_id: 4, reason: 'quota' }],
      count: 1,
      generating: true,
    };
    expect(
      await makeClient({ fetch: stubFetch(json(creation)) }).articles.create({ title: 'abc', target_keyword: 'abc' }),
    ).toEqual(creation);
  });
});

describe('absent and null', () => {
  it.each([
    'excerpt',
    'content_html',
    'featured_image_url',
    'meta_title',
    'meta_description',
    'category',
    'published_at',
    'slug',
    'bulle_id',
    'bulle_name',
    'title',
  ])('an article whose %s is absent or null is returned unchanged', async (name) => {
    const empty = { ...ARTICLE, [name]: null };
    expect(await makeClient({ fetch: stubFetch(json(empty)) }).articles.get(42)).toEqual(empty);
    const { [name as 'slug']: _, ...absent } = ARTICLE;
    const got = await makeClient({ fetch: stubFetch(json(absent)) }).articles.get(42);
    expect(Object.keys(got)).not.toContain(name);
  });

  it.each(['id', 'status', 'updated_at', 'created_at'])('an article without %s is refused', async (name) => {
    for (const body of [
      { ...ARTICLE, [name]: null },
      { ...ARTICLE, [name]: undefined },
    ]) {
      const error = await caught(makeClient({ fetch: stubFetch(json(body)) }).articles.get(42), InvalidResponseError);
      expect(error.issues.map(({ path }) => path)).toEqual([[name]]);
      expect(error.message).toContain(name);
    }
  });

  it('creations on a CMS site, on a Wix site and on a custom site, and one without articles, are valid', async () => {
    for (const creation of [
      { created: [{ id: 1, title: 'x', site_id: 3 }], count: 1, generating: true },
      { created: [{ id: 1, title: 'x', wix_site_id: 3 }], skipped: null, count: 1, generating: false },
      CREATION,
      { created: [], skipped: [{ wix_site_id: 3, reason: 'already_exists' }], count: 0, generating: false },
    ]) {
      const client = makeClient({ fetch: stubFetch(json(creation, { status: 201 })) });
      expect(await client.articles.create({ title: 'abc', target_keyword: 'abc' })).toEqual(creation);
    }
  });
});

describe('a response of the wrong shape', () => {
  const drifted = { ...ARTICLE, id: 'forty-two', title: 7, slug: ['x'] };

  it('throw: an InvalidResponseError with every issue, the body and the status', async () => {
    const error = await caught(makeArticles({ fetch: stubFetch(json(drifted)) }).get(42), InvalidResponseError);
    expect(error).toMatchObject({
      code: 'invalid_response',
      status: 200,
      body: drifted,
      attempts: 1,
      outcome: 'not_applied',
    });
    expect(error.issues.map(({ path }) => path[0])).toEqual(['id', 'title', 'slug']);
  });

  it('throw: names the invalid places, with indexes', async () => {
    const list = { ...LIST, articles: [ARTICLE, ARTICLE, { ...ARTICLE, id: '3' }] };
    const error = await caught(makeArticles({ fetch: stubFetch(json(list)) }).list(), InvalidResponseError);
    expect(error.issues.map(({ path }) => path)).toEqual([['articles', 2, 'id']]);
    expect(error.message).toContain('articles[2].id');
  });

  it('warn: the unchanged body, and a drift event', async () => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => void events.push(event);
    const api = makeArticles({ fetch: stubFetch(json(drifted)), validation: 'warn', onEvent });
    expect(await api.get(42)).toEqual(drifted);
    const drift = events.filter(({ type }) => type === 'drift');
    expect(drift).toEqual([
      {
        type: 'drift',
        call: expect.any(Number),
        operation: 'articles.get',
        method: 'GET',
        path: '/articles/42',
        attempt: 1,
        issues: expect.any(Array),
      },
    ]);
    expect(JSON.stringify(drift)).not.toContain('forty-two');
  });

  it('warn: no event for a valid body', async () => {
    const events: string[] = [];
    await makeArticles({
      fetch: stubFetch(json(ARTICLE)),
      validation: 'warn',
      onEvent: ({ type }) => void events.push(type),
    }).get(42);
    expect(events).not.toContain('drift');
  });

  it('off: the unchanged body, and no event', async () => {
    const events: string[] = [];
    const api = makeArticles({
      fetch: stubFetch(json(drifted)),
      validation: 'off',
      onEvent: ({ type }) => void events.push(type),
    });
    expect(await api.get(42)).toEqual(drifted);
    expect(events).not.toContain('drift');
  });

  it('the option of a call overrides that of the client', async () => {
    const strict = makeArticles({ fetch: stubFetch(json(drifted)) });
    expect(await strict.get(42, { validation: 'off' })).toEqual(drifted);
    await caught(strict.get(42), InvalidResponseError);
    const loose = makeArticles({ fetch: stubFetch(json(drifted)), validation: 'off' });
    await caught(loose.get(42, { validation: 'throw' }), InvalidResponseError);
  });

  it('a body that is not JSON is refused if validation throws', async () => {
    await caught(makeArticles({ fetch: stubFetch(raw('<html>')) }).get(42), InvalidResponseError);
  });
});

describe('names of properties of every object', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s in a response changes no prototype',
    async (name) => {
      const text = `{"${name}": {"polluted": true}, ${JSON.stringify(ARTICLE).slice(1)}`;
      const article = await makeClient({ fetch: stubFetch(raw(text)) }).articles.get(42);
      expect(article).toMatchObject({ id: 42, title: ARTICLE.title });
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect((article as { polluted?: boolean }).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(article)).toBe(Object.prototype);
      expect(Object.hasOwn(article, name)).toBe(true);
    },
  );

  it('__proto__ in the names of a map and in the body of an error', async () => {
    const { character_limits: _, ...media } = Object(BODIES['platforms.limits']);
    const limits = `{"character_limits": {"__proto__": 5, "facebook": 1}, ${JSON.stringify(media).slice(1)}`;
    const got = await makeClient({ fetch: stubFetch(raw(limits)) }).platforms.limits();
    expect(got.character_limits.facebook).toBe(1);
    expect(({} as { facebook?: number }).facebook).toBeUndefined();

    const refusal =
      '{"__proto__": {"detail": "polluted", "polluted": true}, "detail": {"__proto__": {"message": "polluted"}}}';
    const error = await rejection(makeClient({ fetch: stubFetch(raw(refusal, { status: 400 })) }).articles.get(42));
    expect(error).toMatchObject({ code: 'bad_request', detail: '{"__proto__":{"message":"polluted"}}' });
    expect((error as { polluted?: boolean }).polluted).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('the text of an error', () => {
  const MARK = 'VALUE_7f3a';
  /** Values that carry a mark, in every type and place. */
  const marked = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string().map((text) => `${MARK}${text}`),
      fc.constant(73_377_337),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('id', 'title', 'site_id', 'kind', 'reason', 'other'), tie('value'), { maxKeys: 4 }),
    ),
  })).value;

  it('never contains a value of the response', async () => {
    const list = fc.record({
      articles: fc.oneof(
        marked,
        fc.array(fc.record({ id: marked, title: marked, status: marked, updated_at: marked, slug: marked })),
      ),
      total: marked,
      limit: marked,
      offset: marked,
    });
    const creation = fc.record({
      created: fc.oneof(marked, fc.array(marked)),
      skipped: fc.oneof(marked, fc.array(marked)),
      count: marked,
      generating: marked,
    });
    const cases: [fc.Arbitrary<unknown>, Schema, (client: Client) => PromiseLike<unknown>][] = [
      [list, articleListSchema, (client) => client.articles.list()],
      [creation, articleCreationSchema, (client) => client.articles.create({ title: 'abc', target_keyword: 'abc' })],
      [
        fc.record({ bulle: marked, sphere: marked, permissions: marked, rate_limits: marked }),
        identitySchema,
        (client) => client.me(),
      ],
    ];
    for (const [body, schema, call] of cases) {
      await fc.assert(
        fc.asyncProperty(body, async (answer) => {
          const client = makeClient({ fetch: stubFetch(json(answer)), rateLimit: false });
          // An empty list whose numbers are marks is a valid answer.
          fc.pre(issuesOf(schema, answer) !== undefined);
          const error = await caught(call(client), InvalidResponseError);
          for (const text of [error.message, String(error.stack), JSON.stringify(error.issues)]) {
            expect(text).not.toContain(MARK);
            expect(text).not.toContain('73377337');
          }
        }),
        { numRuns: 100 },
      );
    }
  });

  it('never contains a value of a parameter', async () => {
    const client = makeClient({ fetch: stubFetch(json({})), rateLimit: false });
    const params = fc.record({
      title: fc.oneof(marked, fc.constant('')),
      target_keyword: fc.constantFrom('', 7, null, `${MARK}`.slice(0, 1)),
      site_id: marked,
      site_ids: marked,
      category: fc.string({ minLength: 80 }).map((text) => `${MARK}${text}`),
      generate_image: fc.string().map((text) => `${MARK}${text}`),
    });
    await fc.assert(
      fc.asyncProperty(params, async (given) => {
        const error = (await rejection(client.articles.create(given as never))) as Error & { issues: unknown };
        expect(error).toMatchObject({ code: 'invalid_request' });
        for (const text of [error.message, String(error.stack), JSON.stringify(error.issues), JSON.stringify(error)]) {
          expect(text).not.toContain(MARK);
          expect(text).not.toContain('73377337');
        }
      }),
      { numRuns: 150 },
    );
  });
});
