import { Client } from '@multilocal/client/client';
import { AuthenticationError, ConfigurationError, ServiceUnavailableError } from '@multilocal/client/core/errors/index';
import { caught, rejection, thrown } from '@multilocal/test/support/clients';
import { expectNoKey } from '@multilocal/test/support/render';
import { createMockApi, type MockApi } from 'multilocal/mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { multilocalLoader } from '../../src/astro/index.js';
import { build, type Collection, collectionOf, connectionTo, sanitize } from './support.js';

let api: MockApi;
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
/** The service, with other bodies. */
const edited =
  (edit: (text: string) => string): typeof fetch =>
  async (input, init) =>
    new Response(edit(await (await api.handle(input, init)).text()));
const onlineIds = () => online().map(({ id }) => id);

describe('multilocalLoader', () => {
  it('stores every published article under its id, typed and with the digest `updated_at`', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    await build(loader, collection, api);
    expect(ids()).toEqual(onlineIds());
    const { id, title, slug, updated_at } = first();
    expect(entry(id)).toMatchObject({ id: String(id), digest: updated_at, data: { id, title, slug, updated_at } });
    for (const { data } of collection.store.values()) expect(loader.schema.parse(data)).toEqual(data);
  });

  it('sanitises `content_html` and `rendered.html`', async () => {
    api.articles.touch(first().id, { content_html: '<p>Un</p><script>track()</script>' });
    await build(multilocalLoader({ connection, sanitize: async (html) => sanitize(html) }), collection, api);
    expect(entry(first().id)).toMatchObject({ data: { content_html: '<p>Un</p>' }, rendered: { html: '<p>Un</p>' } });
    for (const stored of collection.store.values()) expect(JSON.stringify(stored)).not.toContain('<script');
  });

  it('stores the HTML unchanged with `unsafeHtml: true`', async () => {
    const html = '<p>Un</p><script>track()</script>';
    api.articles.touch(first().id, { content_html: html });
    await build(multilocalLoader({ connection, unsafeHtml: true }), collection, api);
    expect(entry(first().id)).toMatchObject({ data: { content_html: html }, rendered: { html } });
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

  it('gives each of several articles with one slug its own, whatever was built before', async () => {
    const [one, two, three] = online().map(({ id }) => id) as [number, number, number];
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
    const loader = multilocalLoader({ connection: { ...connection, fetch: wire }, sanitize });
    const { log } = await build(loader, collection, api);
    const own = ['Levain', `levain-${two}-${two}`, `levain-${two}`];
    expect(slugs()).toEqual(own);
    expect(log).toContain(`Articles ${one} and ${two} have one slug. That of article ${two} is now \`${own[1]}\`.`);
    // Also after a correction, and in a second build without changes.
    api.articles.touch(two, { title: 'Corrigé' });
    for (let round = 0; round < 2; round++) {
      await build(loader, collection, api);
      expect(slugs()).toEqual(own);
    }
    api.articles.unpublish(one);
    await build(loader, collection, api);
    expect(slugs()).toEqual([undefined, 'levain', `levain-${two}`]);
  });

  it('gives every article a slug: of the service, of the option, else the id', async () => {
    const { id, slug } = first();
    const without = { ...connection, fetch: edited((text) => text.replaceAll(`"slug":"${slug}"`, '"slug":null')) };
    await build(multilocalLoader({ connection: without, sanitize }), collection, api);
    expect(entry(id)?.data.slug).toBe(String(id));
    const other = collectionOf();
    await build(multilocalLoader({ connection: without, sanitize, slug: (article) => `a-${article.id}` }), other, api);
    expect(other.store.get(String(id))?.data.slug).toBe(`a-${id}`);
    expect(other.store.get(String(online()[1]?.id))?.data.slug).toBe(online()[1]?.slug);
  });

  it('keeps fields that are newer than this version', async () => {
    const { id } = first();
    const connected = { ...connection, fetch: edited((text) => text.replaceAll('"title":', '"mood":"gai","title":')) };
    const loader = multilocalLoader({ connection: connected, sanitize });
    await build(loader, collection, api);
    expect(loader.schema.parse(entry(id)?.data)).toMatchObject({ id, mood: 'gai' });
  });

  it('takes a client, and only the articles of one location', async () => {
    const client = new Client(connection);
    const bulle_id = api.ids.bulle;
    await build(multilocalLoader({ client, sanitize, bulle_id }), collection, api);
    const expected = online().filter((article) => article.bulle_id === bulle_id);
    expect(ids()).toEqual(expected.map(({ id }) => id));
    expect(ids().length).toBeGreaterThan(0);
  });

  it('stores what the schema of the user returns', async () => {
    collection.parse = async ({ data }) => ({ ...data, title: 'Autre titre' });
    await build(multilocalLoader({ connection, sanitize }), collection, api);
    expect(entry(first().id)?.data.title).toBe('Autre titre');
  });

  it('fails if an article does not match the schema, and reads it again in the next build', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    await build(loader, collection, api);
    const [broken, other] = online().slice(-2);
    for (const article of [broken, other]) api.articles.touch(article?.id ?? 0, { title: 'Nouveau' });
    const { parse } = collection;
    collection.parse = ({ id }) => Promise.reject(new Error(`articles → ${id}: bad category`));
    expect(String(await rejection(build(loader, collection, api)))).toContain(`articles → ${broken?.id}`);
    collection.parse = parse;
    await build(loader, collection, api);
    for (const article of [broken, other]) expect(entry(article?.id ?? 0)?.data.title).toBe('Nouveau');
  });
});

describe('a rebuild', () => {
  it('costs one request if nothing changed', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    expect((await build(loader, collection, api)).requests).toBe(5);
    const { requests, log } = await build(loader, collection, api);
    expect(requests).toBe(1);
    expect(log).toBe('info: 0 articles new or changed, 0 gone. Requests: 1.');
  });

  it('follows what changed and what went offline, with one request', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    await build(loader, collection, api);
    const [changed, offline] = onlineIds() as [number, number];
    const added = api.articles.add({ title: 'Tout neuf' });
    api.articles.touch(changed, { title: 'Nouveau titre' });
    api.articles.unpublish(offline);
    const { requests, log } = await build(loader, collection, api);
    expect(requests).toBe(1);
    expect(log).toContain('2 articles new or changed, 1 gone');
    expect(entry(changed)?.data.title).toBe('Nouveau titre');
    expect(entry(offline)).toBeUndefined();
    expect(entry(added.id)?.data.title).toBe('Tout neuf');
  });

  it('looks for deleted articles if the last time was more than a day ago', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const loader = multilocalLoader({ connection, sanitize });
      await build(loader, collection, api);
      const { id } = first();
      api.articles.remove(id);
      vi.setSystemTime(Date.now() + 23 * 3_600_000);
      expect((await build(loader, collection, api)).requests).toBe(1);
      expect(entry(id)).toBeDefined();
      vi.setSystemTime(Date.now() + 2 * 3_600_000);
      expect((await build(loader, collection, api)).requests).toBeGreaterThan(4);
      expect(entry(id)).toBeUndefined();
      expect((await build(loader, collection, api)).requests).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('looks for deleted articles in each build, or in none, if `reconcile` says so', async () => {
    await build(multilocalLoader({ connection, sanitize }), collection, api);
    collection.notes.set('reconciled', 'yesterday');
    const { id } = first();
    api.articles.remove(id);
    expect((await build(multilocalLoader({ connection, sanitize, reconcile: false }), collection, api)).requests).toBe(
      1,
    );
    await build(multilocalLoader({ connection, sanitize, reconcile: true }), collection, api);
    expect(entry(id)).toBeUndefined();
  });

  it('looks for deleted articles if the last time is in the future', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    await build(loader, collection, api);
    collection.notes.set('reconciled', '2999-01-01T00:00:00.000Z');
    const { id } = first();
    api.articles.remove(id);
    await build(loader, collection, api);
    expect(entry(id)).toBeUndefined();
  });

  it('loads everything again if entries are missing', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    for (const lose of [1, online().length]) {
      await build(loader, collection, api);
      for (const id of ids().slice(0, lose)) collection.store.delete(String(id));
      const restore = api.fail({ status: 503, times: Number.POSITIVE_INFINITY });
      await caught(build(loader, collection, api), ServiceUnavailableError);
      restore();
      await build(loader, collection, api);
      expect(ids()).toEqual(onlineIds());
      expect((await build(loader, collection, api)).requests).toBe(1);
    }
  });

  it('starts again with another text of `sanitize` or `slug`', async () => {
    await build(multilocalLoader({ connection, sanitize }), collection, api);
    const other = multilocalLoader({ connection, sanitize: (html) => `${sanitize(html)}<hr>` });
    await build(other, collection, api);
    for (const { data } of collection.store.values()) expect(data.content_html).toMatch(/<hr>$/);
    expect((await build(other, collection, api)).requests).toBe(1);
  });

  it('starts again with another key, address or location, and stores no key', async () => {
    const of = (more: object, bulle_id?: string) =>
      multilocalLoader({ connection: { ...connection, ...more }, sanitize, bulle_id });
    await build(of({}), collection, api);
    for (const other of [
      of({ apiKey: api.keys.readOnly }),
      of({ apiKey: api.keys.readOnly, baseUrl: 'https://api.other.test' }),
      of({ apiKey: api.keys.readOnly, baseUrl: 'https://api.other.test' }, api.ids.bulle),
      multilocalLoader({ client: new Client(connection).forBulle(api.ids.bulle), sanitize }),
    ]) {
      collection.store.set({ id: '999999999', data: {}, digest: 'x' });
      expect((await build(other, collection, api)).requests).toBeGreaterThan(0);
      expect(entry(999_999_999)).toBeUndefined();
      expect(ids().length).toBeGreaterThan(0);
      expect((await build(other, collection, api)).requests).toBe(1);
    }
    for (const key of Object.values(api.keys)) expectNoKey([...collection.notes.values()], key);
  });
});

describe('a service that fails', () => {
  const OUTAGES = [
    { network: true },
    { status: 500 },
    { status: 503 },
    { status: 502, body: '<h1>Bad gateway</h1>' },
    { status: 429, headers: { 'Retry-After': '86400' } },
    { status: 408 },
    { status: 425 },
    { status: 200, body: '<h1>Maintenance</h1>' },
    { status: 302, headers: { Location: 'https://maintenance.test/' } },
    { delay: Number.POSITIVE_INFINITY },
  ];

  it.each(OUTAGES)('keeps the articles and warns: %j', async (fault) => {
    const loader = multilocalLoader({ connection: { ...connection, timeout: 200 }, sanitize });
    await build(loader, collection, api);
    const before = ids();
    const cursor = collection.notes.get('cursor');
    api.articles.touch(first().id, { title: 'Plus tard' });
    const restore = api.fail({ ...fault, times: Number.POSITIVE_INFINITY });
    const { log } = await build(loader, collection, api);
    expect(log).toMatch(/^warn: The articles of the last build were kept/);
    expect(ids()).toEqual(before);
    expect(collection.notes.get('cursor')).toBe(cursor);
    restore();
    await build(loader, collection, api);
    expect(entry(first().id)?.data.title).toBe('Plus tard');
  });

  it('fails the build if no sync was ever complete, and continues in the next one', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    const restore = api.fail({ status: 503, times: Number.POSITIVE_INFINITY });
    await caught(build(loader, collection, api), ServiceUnavailableError);
    expect(collection.log.join()).toContain('No build has loaded all articles yet');
    restore();
    // A page comes, the next one does not.
    api.fail({ delay: 0.1, times: 1 });
    api.fail({ status: 503, times: 1 });
    await caught(build(loader, collection, api), ServiceUnavailableError);
    expect(ids().length).toBeGreaterThan(0);
    expect(ids().length).toBeLessThan(online().length);
    api.fail({ status: 503, times: 1 });
    await caught(build(loader, collection, api), ServiceUnavailableError);
    await build(loader, collection, api);
    expect(ids()).toEqual(onlineIds());
  });

  it('fails the build if the key is refused', async () => {
    const loader = multilocalLoader({ connection, sanitize });
    await build(loader, collection, api);
    const before = ids();
    api.revokeKey(api.keys.sphere);
    await caught(build(loader, collection, api), AuthenticationError);
    expect(ids()).toEqual(before);
    for (const status of [403, 404, 400]) {
      api.fail({ status });
      await rejection(build(loader, collection, api));
    }
  });

  it('fails the build if the options are invalid', async () => {
    for (const [misspelt, hint] of [
      [{ bulleId: 'b-lyon' }, 'Did you mean `bulle_id`?'],
      [{ allowMassDeletions: true }, 'Did you mean `allowMassDeletion`?'],
      [{ apiKey: 'secret' }, 'Pass it in `connection`'],
      [{ bulle_id: '' }, '`bulle_id` must'],
    ] as const) {
      const { message } = thrown(() => multilocalLoader({ connection, sanitize, ...misspelt }), ConfigurationError);
      expect(message).toContain(hint);
      expect(message).not.toContain('secret');
    }
    await caught(
      build(multilocalLoader({ connection: { ...connection, apiKey: '' }, sanitize }), collection, api),
      ConfigurationError,
    );
  });
});

describe('a mass deletion', () => {
  beforeEach(async () => {
    await build(multilocalLoader({ connection, sanitize }), collection, api);
    for (const id of onlineIds().slice(20)) api.articles.remove(id);
  });

  it('keeps every article, and the log says how to allow it', async () => {
    const before = ids();
    const loader = multilocalLoader({ connection, sanitize, reconcile: true });
    const { log } = await build(loader, collection, api);
    expect(log).toMatch(/^error: 205 of 225 articles are gone .* All were kept\. .*`allowMassDeletion: true`/);
    expect(ids()).toEqual(before);
  });

  it('removes the articles with `allowMassDeletion`', async () => {
    await build(multilocalLoader({ connection, sanitize, reconcile: true, allowMassDeletion: true }), collection, api);
    expect(ids()).toEqual(onlineIds());
  });
});
