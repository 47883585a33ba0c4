// What a test misspells is refused, not ignored: else it would test something else.
import { describe, expect, test } from 'vitest';
import { createMockApi } from '../../src/mock/index.js';
import { startMockServer } from '../../src/mock/server.js';
import { NOW } from './helpers.js';

const api = createMockApi({ now: NOW });
const { ids } = api;

/** Options as JavaScript gives them: nobody has looked at their names. */
const plain = (options: object): object => options;

describe('unknown names', () => {
  test.each<[message: string, act: () => unknown]>([
    ['createMockApi: unknown name latencyMs; known:', () => createMockApi(plain({ latencyMs: 5 }))],
    ['createMockApi: unknown name port; known: baseUrl, now,', () => createMockApi(plain({ port: 5 }))],
    [
      'rateLimit: unknown name perMinutes; known: perMinute, perDay',
      () => createMockApi({ rateLimit: { perMinute: 1, perDay: 1, ...plain({ perMinutes: 5 }) } }),
    ],
    ['quotas: unknown name seo; known:', () => createMockApi({ quotas: plain({ seo: 5 }) })],
    ['fail: unknown name statusCode; known:', () => api.fail(plain({ statusCode: 503 }))],
    ['fail: unknown name op; known:', () => api.fail(plain({ op: 'posts.create' }))],
    ['fail: unknown name constructor; known: operation, method,', () => api.fail(plain({ constructor: 1 }))],
    ['addKey: unknown name permission; known:', () => api.addKey(plain({ permission: ['read'] }))],
    ['articles.add: unknown name titel; known:', () => api.articles.add(plain({ titel: 'Pain' }))],
    ['articles.touch: unknown name id; known: title,', () => api.articles.touch(5, plain({ id: 6 }))],
    ['articles.unpublish: unknown name updatedAt;', () => api.articles.unpublish(5, plain({ updatedAt: NOW }))],
    ['posts.add: unknown name text; known: content,', () => api.posts.add(plain({ text: 'Bonjour' }))],
    ['posts.failPlatform: unknown name time; known:', () => api.posts.failPlatform('facebook', plain({ time: 2 }))],
    ['reviews.add: unknown name stars; known: fiche_id,', () => api.reviews.add(plain({ stars: 1 }))],
    ['reports.add: unknown name name; known: fiche_id, report_name', () => api.reports.add(plain({ name: 'Mai' }))],
    [
      'connections.change: unknown name conected; known:',
      () => api.connections.change(ids.bulle, 'facebook', plain({ conected: false })),
    ],
  ])('%s', (message, act) => {
    const before = api.snapshot();
    expect(act).toThrow(RangeError);
    expect(act).toThrow(message);
    expect(api.snapshot()).toEqual(before);
  });

  test('of the server: its own and those of the mock are known', async () => {
    await expect(startMockServer(plain({ prot: 5 }))).rejects.toThrow(
      'startMockServer: unknown name prot; known: port, host, baseUrl, now,',
    );
  });
});

describe('invalid values', () => {
  test.each<[message: string, act: () => unknown]>([
    ['unknown operation post.create; known:', () => api.fail({ operation: 'post.create' })],
    [
      'unknown permission write; known: read, schedule, publish, delete',
      () => api.addKey({ permissions: ['write' as never] }),
    ],
    ['unknown platform facebok; known: facebook,', () => api.posts.add({ platforms: ['facebok' as never] })],
    ['unknown platform fax; known: facebook,', () => api.posts.failPlatform('fax' as never)],
  ])('%s', (message, act) => {
    const before = api.snapshot();
    expect(act).toThrow(RangeError);
    expect(act).toThrow(message);
    expect(api.snapshot()).toEqual(before);
  });
});
