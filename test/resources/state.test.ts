// A client in the state of a framework: private fields do not work through its proxies.
import { describe, expect, it } from 'vitest';
import { isReactive, reactive, ref } from 'vue';
import { makeClient, makePage } from '../support/clients.js';
import { ARTICLE, LIST } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

describe('a client in the state of Vue', () => {
  const client = makeClient({ fetch: stubFetch(json(ARTICLE)) });

  it.each([
    ['Client', client],
    ['a view', client.forBulle('b-1')],
    ['a view of other options', client.withOptions({ maxRetries: 0 }).forFiche('f-1')],
    ['dryRun', client.dryRun],
  ])('%s works in `reactive` and `ref`', async (_, one) => {
    expect(await reactive({ one }).one.articles.get(42)).toEqual(ARTICLE);
    expect(await ref(one).value.articles.get(42)).toEqual(ARTICLE);
    expect(reactive({ one }).one.identity).toBeUndefined();
  });

  it('ArticlesClient works in `reactive` and `ref`', async () => {
    const page = makePage({ fetch: stubFetch(json(LIST)) });
    expect(await reactive({ page }).page.list()).toEqual(LIST);
    expect(await ref(page).value.list()).toEqual(LIST);
  });

  it('so do the namespaces, and those within them', () => {
    const { constructor: _, ...namespaces } = client;
    const inner = Object.values(namespaces).flatMap((namespace) => Object.values(namespace));
    expect(inner.length).toBeGreaterThan(1);
    for (const namespace of [...Object.values(namespaces), ...inner]) {
      expect(isReactive(reactive({ namespace }).namespace), namespace.constructor.name).toBe(false);
    }
  });
});
