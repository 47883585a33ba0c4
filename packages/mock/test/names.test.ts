// What a test misspells is refused, not ignored: else it would test something else.

import { ConfigurationError } from '@multilocal/client/core/errors/index';
import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { startMockServer } from '../src/server.js';
import { NOW } from './helpers.js';

const api = createMockApi({ now: NOW });
const { ids } = api;

/** Options as JavaScript gives them: nobody has looked at their names. */
const plain = (options: object): object => options;

describe('unknown names', () => {
  test.each<[message: string, act: () => unknown]>([
    ['createMockApi: `latencyMs` is an unknown option; known:', () => createMockApi(plain({ latencyMs: 5 }))],
    ['createMockApi: `port` is an unknown option; known: baseUrl, now,', () => createMockApi(plain({ port: 5 }))],
    [
      'rateLimit: `perMinutes` is an unknown option; known: perMinute, perDay',
      () => createMockApi({ rateLimit: { perMinute: 1, perDay: 1, ...plain({ perMinutes: 5 }) } }),
    ],
    ['quotas: `seo` is an unknown option; known:', () => createMockApi({ quotas: plain({ seo: 5 }) })],
    ['fail: `statusCode` is an unknown option; known:', () => api.fail(plain({ statusCode: 503 }))],
    ['fail: `op` is an unknown option; known:', () => api.fail(plain({ op: 'posts.create' }))],
    ['fail: `constructor` is an unknown option; known: operation, method,', () => api.fail(plain({ constructor: 1 }))],
    ['addKey: `permission` is an unknown option; known:', () => api.addKey(plain({ permission: ['read'] }))],
    ['bulles.add: `town` is an unknown option; known: id, name, city,', () => api.bulles.add(plain({ town: 'Nice' }))],
    ['articles.add: `titel` is an unknown option; known:', () => api.articles.add(plain({ titel: 'Pain' }))],
    ['articles.touch: `id` is an unknown option; known: title,', () => api.articles.touch(5, plain({ id: 6 }))],
    [
      'articles.unpublish: `updatedAt` is an unknown option; known:',
      () => api.articles.unpublish(5, plain({ updatedAt: NOW })),
    ],
    ['posts.add: `text` is an unknown option; known: content,', () => api.posts.add(plain({ text: 'Bonjour' }))],
    [
      'posts.failPlatform: `time` is an unknown option; known:',
      () => api.posts.failPlatform('facebook', plain({ time: 2 })),
    ],
    ['reviews.add: `stars` is an unknown option; known: fiche_id,', () => api.reviews.add(plain({ stars: 1 }))],
    [
      'reports.add: `name` is an unknown option; known: fiche_id, report_name',
      () => api.reports.add(plain({ name: 'Mai' })),
    ],
    [
      'connections.change: `conected` is an unknown option; known:',
      () => api.connections.change(ids.bulle, 'facebook', plain({ conected: false })),
    ],
  ])('%s', (message, act) => {
    const before = api.snapshot();
    expect(act).toThrow(ConfigurationError);
    expect(act).toThrow(message);
    expect(api.snapshot()).toEqual(before);
  });

  test('of the server: its own and those of the mock are known', async () => {
    await expect(startMockServer(plain({ prot: 5 }))).rejects.toThrow(
      'startMockServer: `prot` is an unknown option; known: port, host, baseUrl, now,',
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
    // @ts-expect-error there is no such deviation
    ['unknown deviation html-error; known: default-limit,', () => createMockApi({ crooked: ['html-error'] })],
    [
      'crooked must be true or a list of deviations: default-limit,',
      () => createMockApi({ crooked: 'html-errors' as never }),
    ],
    ['city must not be empty', () => api.bulles.add({ city: '' })],
    ['unknown platform facebok; known: facebook,', () => api.posts.add({ platforms: ['facebok' as never] })],
    ['unknown platform fax; known: facebook,', () => api.posts.failPlatform('fax' as never)],
  ])('%s', (message, act) => {
    const before = api.snapshot();
    expect(act).toThrow(ConfigurationError);
    expect(act).toThrow(message);
    expect(api.snapshot()).toEqual(before);
  });
});
