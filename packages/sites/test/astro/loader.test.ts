import { Client } from '@multilocal/client/client';
import { ConfigurationError, ServiceUnavailableError } from '@multilocal/client/core/errors/index';
import { caught, rejection, thrown } from '@multilocal/test/support/clients';
import { expectNoKey } from '@multilocal/test/support/render';
import { createMockApi, type MockControl } from 'multilocal/mock/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { type MultilocalLoaderOptions, multilocalLoader } from '../../src/astro/index.js';
import { build, type Collection, collectionOf, connectionTo, sanitize } from './support.js';

const FOREVER = Number.POSITIVE_INFINITY;
const HTML = '<p>Un</p><script>track()</script>';

let api: MockControl;
let collection: Collection;
let connection: ReturnType<typeof connectionTo>;

beforeEach(() => {
  api = createMockApi();
  collection = collectionOf();
  connection = connectionTo(api);
});

const online = () => api.articles.all().filter(({ status }) => status === 'published');
const first = () => online()[0] ?? expect.unreachable();
const entry = (id: number) => collection.store.get(String(id));
const ids = () =>
  collection.store
    .keys()
    .map(Number)
    .sort((a, b) => a - b);
const onlineIds = () => online().map(({ id }) => id);

/** The service, with other bodies. */
const edited =
  (edit: (text: string) => string): typeof fetch =>
  async (input, init) =>
    new Response(edit(await (await api.handle(input, init)).text()));

function loaderWith(more: Partial<MultilocalLoaderOptions> = {}) {
  return multilocalLoader({ connection, sanitize, ...more } as MultilocalLoaderOptions);
}

/** Builds a site whose loader has these options. */
const built = (more: Partial<MultilocalLoaderOptions> = {}, into = collection) => build(loaderWith(more), into, api);

describe('multilocalLoader', () => {
  it('stores every published article under its id, typed and with the digest `updated_at`', async () => {
    const loader = loaderWith();
    await build(loader, collection, api);
    expect(ids()).toEqual(onlineIds());
    const { id, title, slug, updated_at } = first();
    expect(entry(id)).toMatchObject({ id: String(id), digest: updated_at, data: { id, title, slug, updated_at } });
    for (const { data } of collection.store.values()) expect(loader.schema.parse(data)).toEqual(data);
  });

  it.each<[string, object, string]>([
    ['sanitised', { sanitize: async (html: string) => sanitize(html) }, '<p>Un</p>'],
    ['unchanged with `unsafeHtml: true`', { sanitize: undefined, unsafeHtml: true }, HTML],
  ])('stores the HTML %s', async (_, options, html) => {
    const { id } = api.articles.touch(first().id, { content_html: HTML });
    await built(options);
    expect(entry(id)).toMatchObject({ data: { content_html: html }, rendered: { html } });
  });

  it('refuses to work without a sanitiser, and names both ways', async () => {
    // @ts-expect-error: either `sanitize` or `unsafeHtml` is required.
    const { message } = thrown(() => multilocalLoader({ connection }), ConfigurationError);
    expect(message).toContain('`sanitize:');
    expect(message).toContain('`unsafeHtml: true`');
    // @ts-expect-error: `false` decides nothing.
    thrown(() => multilocalLoader({ connection, unsafeHtml: false }), ConfigurationError);
    // @ts-expect-error: both contradict each other.
    multilocalLoader({ connection, sanitize, unsafeHtml: true });
    // @ts-expect-error: a sanitiser that returns nothing would empty the pages.
    const lost = multilocalLoader({ connection, sanitize: () => {} });
    expect((await caught(build(lost, collection, api), ConfigurationError)).message).toMatch(/article \d+/);
  });

  it('gives each of several articles with one slug its own, which no page ever loses', { tags: 'long' }, async () => {
    const [one, two, three] = onlineIds() as [number, number, number];
    const slugs = () => [one, two, three].map((id) => entry(id)?.data.slug);
    // The service makes no slug unique among the locations of a brand.
    const wire = edited((text) => {
      const page = JSON.parse(text);
      for (const article of page.articles ?? []) {
        if (article.id === one || article.id === two) article.slug = article.id === one ? 'Levain' : 'levain';
        if (article.id === three) article.slug = `levain-${two}`;
      }
      return JSON.stringify(page);
    });
    connection = { ...connection, fetch: wire };
    const { log } = await built();
    const own = ['Levain', `levain-${two}-${two}`, `levain-${two}`];
    expect(slugs()).toEqual(own);
    expect(log).toContain(`Articles ${one} and ${two} have one slug. That of article ${two} is now \`${own[1]}\`.`);
    // Also after a correction, and in a second build without changes.
    api.articles.touch(two, { title: 'Corrigé' });
    for (let round = 0; round < 2; round++) {
      await built();
      expect(slugs()).toEqual(own);
    }
    // The address of an article that went offline leads to no other one, and another sanitiser moves none.
    api.articles.unpublish(one);
    await built();
    await built({ sanitize: (html) => `${html}<hr>` });
    expect(slugs()).toEqual([undefined, ...own.slice(1)]);
    // Nothing is remembered: the first publication decides, whatever the ids.
    const published = { [one]: '2026-03-01T00:00:00Z', [two]: '2026-02-01T00:00:00Z' };
    for (const id of [one, two]) api.articles.touch(id, { status: 'published', published_at: published[id] ?? null });
    const again = collectionOf();
    await built({}, again);
    expect([one, two].map((id) => again.store.get(String(id))?.data.slug)).toEqual([`Levain-${one}`, 'levain']);
    // The pages of the first collection stay, and the one that was offline is where it was.
    await built();
    expect(slugs()).toEqual(own);
  });

  it('gives every article a slug: of the service, of the option, else the id', async () => {
    const [{ id, slug } = expect.unreachable(), other] = online();
    connection = { ...connection, fetch: edited((text) => text.replaceAll(`"slug":"${slug}"`, '"slug":null')) };
    await built();
    expect(entry(id)?.data.slug).toBe(String(id));
    await built({ slug: (article) => `a-${article.id}` });
    expect([entry(id)?.data.slug, entry(other?.id ?? 0)?.data.slug]).toEqual([`a-${id}`, other?.slug]);
  });

  it('has drafts only in a build that asks for them, and takes no address from a page for them', async () => {
    const [{ id, slug }, other] = [first(), online()[1] ?? expect.unreachable()];
    const draft = api.articles.add({ status: 'draft', published_at: null, slug });
    await built();
    const before = ids();
    expect(entry(draft.id)).toBeUndefined();
    for (let round = 0; round < 2; round++) {
      await built({ drafts: true, url: () => 'https://a.example/' });
      expect(entry(draft.id)?.data).toMatchObject({ status: 'draft', slug: `${slug}-${draft.id}` });
    }
    expect(collection.log.join()).not.toContain('noted for confirmPages');
    const { requests } = await built();
    expect([requests, ids(), entry(id)?.data.slug]).toEqual([1, before, slug]);
    // What a page owned stays its own while it is a draft again.
    api.articles.unpublish(other.id);
    await built({ drafts: true });
    expect(entry(other.id)?.data).toMatchObject({ status: 'draft', slug: other.slug });
  });

  it('keeps fields that are newer than this version', async () => {
    connection = { ...connection, fetch: edited((text) => text.replaceAll('"title":', '"mood":"gai","title":')) };
    const loader = loaderWith();
    await build(loader, collection, api);
    expect(loader.schema.parse(entry(first().id)?.data)).toMatchObject({ id: first().id, mood: 'gai' });
  });

  it('takes a client, and only the articles of one location', async () => {
    const bulle_id = api.ids.bulle;
    await built({ client: new Client(connection), connection: undefined, bulle_id });
    const expected = online().filter((article) => article.bulle_id === bulle_id);
    expect(ids()).toEqual(expected.map(({ id }) => id));
    expect(ids().length).toBeGreaterThan(0);
  });

  it('stores what the schema of the user returns; one that fails ends the build, and the next one reads on', async () => {
    await built();
    const changed = onlineIds().slice(-2);
    const titles = () => changed.map((id) => entry(id)?.data.title);
    for (const id of changed) api.articles.touch(id, { title: 'Nouveau' });
    collection.parse = ({ id }) => Promise.reject(new Error(`articles → ${id}: bad category`));
    expect(String(await rejection(built()))).toContain(`articles → ${changed[0]}`);
    collection.parse = async ({ data }) => ({ ...data, title: 'Autre titre' });
    await built();
    expect(titles()).toEqual(['Autre titre', 'Autre titre']);
  });
});

describe('a rebuild', () => {
  it('costs one request, and follows what changed and what went offline', async () => {
    expect((await built()).requests).toBe(5);
    expect(await built()).toEqual({ requests: 1, log: 'info: 0 articles new or changed, 0 gone. Requests: 1.' });
    const [changed, offline] = onlineIds() as [number, number];
    const added = api.articles.add({ title: 'Tout neuf' });
    api.articles.touch(changed, { title: 'Nouveau titre' });
    api.articles.unpublish(offline);
    expect(await built()).toEqual({ requests: 1, log: 'info: 2 articles new or changed, 1 gone. Requests: 1.' });
    expect([changed, offline, added.id].map((id) => entry(id)?.data.title)).toEqual([
      'Nouveau titre',
      undefined,
      'Tout neuf',
    ]);
  });

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  it.each<[string, string, object, boolean]>([
    ['if the last time was more than a day ago', hoursAgo(25), {}, true],
    ['if the last time is in the future', hoursAgo(-9999), {}, true],
    ['if the last time cannot be read', 'yesterday', {}, true],
    ['not within a day', hoursAgo(23), {}, false],
    ['in each build with `reconcile: true`', hoursAgo(0), { reconcile: true }, true],
    ['in no build with `reconcile: false`', hoursAgo(25), { reconcile: false }, false],
  ])('looks for deleted articles %s', async (_, reconciled, options, isFound) => {
    await built();
    collection.notes.set('reconciled', reconciled);
    const { id } = first();
    api.articles.remove(id);
    const { requests } = await built(options);
    expect([entry(id) === undefined, requests > 4]).toEqual([isFound, isFound]);
    if (!('reconcile' in options)) expect((await built()).requests).toBe(1);
  });

  it('loads everything again if entries are missing', async () => {
    for (const lose of [1, online().length]) {
      await built();
      for (const id of ids().slice(0, lose)) collection.store.delete(String(id));
      const restore = api.fail({ status: 503, times: FOREVER });
      await caught(built(), ServiceUnavailableError);
      restore();
      await built();
      expect(ids()).toEqual(onlineIds());
      expect((await built()).requests).toBe(1);
    }
  });

  it('starts again with another `sanitize`, `slug`, key, address or location, and stores no key', async () => {
    const apiKey = api.keys.readOnly;
    let options: Partial<MultilocalLoaderOptions> = {};
    await built();
    for (const change of [
      { sanitize: (html: string) => `${sanitize(html)}<hr>` },
      { slug: () => 'a' },
      { connection: { ...connection, apiKey } },
      { connection: { ...connection, apiKey, baseUrl: 'https://api.other.test' } },
      { bulle_id: api.ids.bulle },
      { client: new Client(connection).forBulle(api.ids.bulle), connection: undefined, bulle_id: undefined },
    ]) {
      options = { ...options, ...change } as typeof options;
      collection.store.set({ id: '999999999', data: {}, digest: 'x' });
      expect((await built(options)).requests).toBeGreaterThan(0);
      expect([entry(999_999_999), ids().length > 0]).toEqual([undefined, true]);
      for (const { data } of collection.store.values()) expect(data.content_html).toMatch(/<hr>$/);
      expect((await built(options)).requests).toBe(1);
    }
    for (const key of Object.values(api.keys)) expectNoKey([...collection.notes.values()], key);
  });
});

describe('a service that fails', () => {
  it.each([
    { network: true },
    { status: 500 },
    { status: 502, body: '<h1>Bad gateway</h1>' },
    { status: 429, headers: { 'Retry-After': '86400' } },
    { status: 408 },
    { status: 425 },
    { status: 200, body: '<h1>Maintenance</h1>' },
    { status: 302, headers: { Location: 'https://maintenance.test/' } },
    { delay: FOREVER },
  ])('keeps the articles and warns: %j', async (fault) => {
    connection = { ...connection, timeout: 200 };
    await built();
    const before = [ids(), collection.notes.get('cursor')];
    api.articles.touch(first().id, { title: 'Plus tard' });
    const restore = api.fail({ ...fault, times: FOREVER });
    expect((await built()).log).toMatch(/^warn: The articles of the last build were kept/);
    expect([ids(), collection.notes.get('cursor')]).toEqual(before);
    restore();
    await built();
    expect(entry(first().id)?.data.title).toBe('Plus tard');
  });

  it('fails the build if no sync was ever complete, and continues in the next one', async () => {
    const restore = api.fail({ status: 503, times: FOREVER });
    await caught(built(), ServiceUnavailableError);
    expect(collection.log.join()).toContain('No build has loaded all articles yet');
    restore();
    // A page comes, the next one does not.
    api.fail({ delay: 0.1, times: 1 });
    api.fail({ status: 503, times: 1 });
    await caught(built(), ServiceUnavailableError);
    expect(ids().length).toBeGreaterThan(0);
    expect(ids().length).toBeLessThan(online().length);
    api.fail({ status: 503, times: 1 });
    await caught(built(), ServiceUnavailableError);
    await built();
    expect(ids()).toEqual(onlineIds());
  });

  it.each([401, 403, 404, 400])('fails the build if the key or the request is refused: %i', async (status) => {
    await built();
    api.fail({ status });
    expect(await rejection(built())).toMatchObject({ status });
    expect(ids()).toEqual(onlineIds());
  });

  it.each<[object, string]>([
    [{ bulleId: 'b-lyon' }, 'Did you mean `bulle_id`?'],
    [{ sanitize: undefined, sanitise: String }, 'Did you mean `sanitize`?'],
    [{ allowMassDeletions: true }, 'Did you mean `allowMassDeletion`?'],
    [{ apiKey: 'secret' }, '`apiKey` is an unknown option. Pass it in `connection`'],
    [{ bulle_id: '' }, '`bulle_id` must'],
    [{ url: '/blog/' }, '`url` must be a function'],
  ])('refuses the options %j', (options, hint) => {
    const { message } = thrown(() => loaderWith(options), ConfigurationError);
    expect(message).toContain(hint);
    expect(message).not.toContain('secret');
  });

  it('fails the build without a key', async () => {
    await caught(built({ connection: { ...connection, apiKey: '' } }), ConfigurationError);
  });

  it('keeps every article in a mass deletion, unless it is allowed', async () => {
    await built();
    const before = ids();
    for (const id of onlineIds().slice(20)) api.articles.remove(id);
    const { log } = await built({ reconcile: true });
    expect(log).toMatch(/^error: 205 of 225 articles are gone .* All were kept\. .*`allowMassDeletion: true`/);
    expect(ids()).toEqual(before);
    await built({ reconcile: true, allowMassDeletion: true });
    expect(ids()).toEqual(onlineIds());
  });
});
