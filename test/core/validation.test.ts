import { describe, expect, it } from 'vitest';
import { type ClientEvent, InvalidResponseError } from '../../src/index.js';
import { BODIES, CONNECTION } from '../spec/bodies.js';
import { caught, makeArticles, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, CONFIRMATION, CREATION, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, raw, stubFetch } from '../support/stub-fetch.js';

describe('values that this version does not know', () => {
  const answering = (body: unknown) => makeClient({ fetch: stubFetch(json(body)) });
  it('of an enum are accepted', async () => {
    const article = { ...ARTICLE, status: 'archived' };
    expect(await answering(article).articles.get(42)).toEqual(article);
    const confirmation = { ...CONFIRMATION, confirmation_source: 'crawler' };
    expect(await answering(confirmation).articles.confirm(42)).toEqual(confirmation);
    const news = { permissions: ['read', 'admin'], connected_platforms: ['threads'], api_version: '2.7' };
    expect(await answering({ ...SPHERE_IDENTITY, ...news }).me()).toEqual({ ...SPHERE_IDENTITY, ...news });
    const connection = { ...CONNECTION, platform: 'threads' };
    expect(await answering([connection]).connections.list()).toEqual([connection]);
  });
});

describe('values that are absent', () => {
  it('creations on a CMS site, on a Wix site and on a custom site, and one without articles, are valid', async () => {
    for (const creation of [
      { created: [{ id: 1, title: 'x', site_id: 3 }], count: 1, generating: true },
      { created: [{ id: 1, title: 'x', wix_site_id: 3 }], skipped: null, count: 1, generating: false },
      CREATION,
      { created: [], skipped: [{ wix_site_id: 3, reason: 'a_new_one' }], count: 0, generating: false },
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
    const expected = { code: 'invalid_response', status: 200, body: drifted, attempts: 1, outcome: 'not_applied' };
    expect(error).toMatchObject(expected);
    expect(error.issues.map(({ path }) => path[0])).toEqual(['id', 'title', 'slug']);
  });

  it.each<['warn' | 'off', body: object, drifts: number]>([
    ['warn', drifted, 1],
    ['warn', ARTICLE, 0],
    ['off', drifted, 0],
  ])('%s: the unchanged body, and a drift event under `warn`: %#', async (validation, body, drifts) => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => void events.push(event);
    expect(await makeArticles({ fetch: stubFetch(json(body)), validation, onEvent }).get(42)).toEqual(body);
    const found = events.filter(({ type }) => type === 'drift');
    const common = { operation: 'articles.get', method: 'GET', path: '/articles/42', attempt: 1 };
    const drift = { type: 'drift', call: expect.any(Number), ...common, issues: expect.any(Array) };
    expect(found).toEqual(Array(drifts).fill(drift));
    expect(JSON.stringify(found)).not.toContain('forty-two');
  });

  it('the option of a call overrides that of the client', async () => {
    const strict = makeArticles({ fetch: stubFetch(json(drifted)) });
    expect(await strict.get(42, { validation: 'off' })).toEqual(drifted);
    await caught(strict.get(42), InvalidResponseError);
    const loose = makeArticles({ fetch: stubFetch(json(drifted)), validation: 'off' });
    await caught(loose.get(42, { validation: 'throw' }), InvalidResponseError);
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
