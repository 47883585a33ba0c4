import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@multilocal/client/resources/endpoints';
import type { ClientOptions } from 'multilocal';
import { createMockApi, type MockControl } from 'multilocal/mock/server';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../src/words.js';
import { temporaryFolder } from '../support.js';
import { connect, ERAS, EVERY_WRITE, idsOf, LYON, postOf, readAll, writesOf } from './support.js';

const POST = postOf('Ouvert dimanche');

/** A contract check of the mock has seen the previews honoured. */
function honoured({ baseUrl }: MockControl): string {
  const file = join(temporaryFolder(), 'contract.json');
  const dry_run = { 'posts.create': 'honoured', 'posts.publish': 'honoured', 'social.publish': 'honoured' };
  const address = sha256(`${baseUrl}/api/v2`);
  writeFileSync(file, JSON.stringify({ client: '', address, checked_at: '', operations: {}, facts: {}, dry_run }));
  return file;
}

describe.each(ERAS)('the tools of %s', (era) => {
  it('are five, true to their hints, and within 1 000 tokens', async () => {
    const { client } = await connect({ era, writes: EVERY_WRITE });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['overview', { readOnlyHint: true, openWorldHint: true }],
      ['operations', { readOnlyHint: true, openWorldHint: false }],
      ['read', { readOnlyHint: true, openWorldHint: true }],
      ['rehearse', { readOnlyHint: true, idempotentHint: true, openWorldHint: true }],
      ['carry_out', { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }],
    ]);
    expect(JSON.stringify(tools).length / 4).toBeLessThanOrEqual(1_000);
    const { client: other } = await connect({ era });
    expect((await other.listTools()).tools.map(({ name }) => name)).toEqual([
      'overview',
      'operations',
      'read',
      'rehearse',
    ]);
  });

  it('parameters are read as their operation takes them, but for a number that would lose digits', async () => {
    const { api, call } = await connect({ era });
    const { plan } = await call('rehearse', { actions: [POST] });
    const params = { ...POST.params, platforms: '["facebook"]', publish_now: null };
    expect(await call('rehearse', { actions: [{ ...POST, params }] })).toMatchObject({ ok: true, plan });
    const asked = { limit: '2', offset: null, bulle_id: LYON };
    expect(await call('read', { operation: 'posts.list', params: asked })).toMatchObject({ isError: false });
    expect(api.requests.map(({ query }) => query)).toContainEqual({ limit: '2', bulle_id: LYON });
    const long = await call('read', { operation: 'posts.get', params: { post_id: '9007199254740993' } });
    expect(long.error.message).toContain('`post_id`');
  });

  it('unknown arguments are ignored, and named; `"5"` is 5; wrong ones are an answer', async () => {
    const { client } = await connect({ era });
    const args = { operation: 'posts.list', status: 'error', limit: '5', fields: null };
    const { content, isError } = await client.callTool({ name: 'read', arguments: args });
    const [data, remark] = content as { text: string }[];
    expect([isError, JSON.parse(data?.text ?? '').data.length]).toEqual([undefined, 5]);
    expect(remark?.text).toBe(
      'Unknown arguments were ignored: status. read takes operation, params, fields, limit, next.',
    );
    const { tools } = await client.listTools();
    expect(tools.every(({ inputSchema }) => inputSchema.additionalProperties === false)).toBe(true);
    const wrong = await client.callTool({ name: 'read', arguments: { ...args, limit: 0 } });
    expect([wrong.isError, wrong.content]).toEqual([true, [{ type: 'text', text: expect.stringContaining('limit') }]]);
  });
});

// What they do with their arguments knows nothing of the protocol.
describe('the tools', () => {
  it('overview: what the key covers, in three requests', async () => {
    const api = createMockApi({ baseUrl: 'https://mcp.multilocal.test' });
    const { call } = await connect({ api, options: { rateLimit: {} } });
    const { ready, locations, listings, permissions, requests_left, writes, previews } = await call('overview');
    expect({ ready, permissions, writes }).toEqual({
      ready: true,
      permissions: ['read', 'schedule', 'publish', 'delete'],
      writes: 'off: `rehearse` writes a plan, and a person carries it out',
    });
    expect(locations).toContainEqual({
      bulle_id: LYON,
      name: expect.any(String),
      city: 'Lyon',
      platforms: expect.stringContaining('facebook'),
      fiche_id: expect.stringMatching(/^accounts\//),
    });
    expect(listings).toEqual([]);
    expect(requests_left).toEqual({ minute: 57, day: 997 });
    expect(previews).toBe('all but posts.create, posts.publish, social.publish, which `rehearse` only checks');
    expect(api.requests.map(({ path }) => path)).toEqual(['/api/v2/me', '/api/v2/bulles', '/api/v2/connections']);
  });

  it('overview: says each listing once, and those that belong to no location apart, and fits with 400 locations', async () => {
    const api = createMockApi({ bulles: 40 });
    const { call, client, session } = await connect({ api });
    const { gmb_fiches } = (await session.connect()).identity;
    const { locations, listings } = await call('overview');
    const shown = [...locations, ...listings].flatMap(({ fiche_id }) => fiche_id ?? []);
    expect(shown.toSorted()).toEqual(gmb_fiches.map(({ id }) => id).toSorted());
    const { content } = await client.callTool({ name: 'overview', arguments: {} });
    expect((content as { text: string }[])[0]?.text.length).toBeLessThan(10_500);
    const { call: ofMany } = await connect({ api: createMockApi({ bulles: 400 }) });
    expect(await ofMany('overview')).toMatchObject({ ready: true, cut: expect.stringContaining('bulles.list') });
  });

  it('overview says what is missing, and another account is refused', async () => {
    const missing = await connect({ options: { apiKey: '' } });
    expect(await missing.call('overview')).toMatchObject({
      isError: false,
      ready: false,
      error: { message: expect.stringContaining('MULTILOCAL_API_KEY') },
    });
    const other = await connect({ expected: 'sph_other' });
    expect(await other.call('overview')).toMatchObject({ ready: false, error: { code: 'wrong_account' } });
    expect(await other.call('read', { operation: 'posts.list' })).toMatchObject({ isError: true });
    expect(await other.call('rehearse', { actions: [POST] })).toMatchObject({ isError: true });
    expect(other.api.requests.every(({ path }) => path === '/api/v2/me')).toBe(true);
    const { call } = await connect({ expected: 'sph_fournils_augustine' });
    expect(await call('overview')).toMatchObject({ ready: true });
  });

  it('operations: an index, and the parameters of one', async () => {
    const { api, call } = await connect();
    const { operations } = await call('operations');
    expect(operations).toHaveLength(endpoints.length);
    expect(operations).toContain('reviews.list: Lists the reviews of a listing.');
    expect(operations).toContainEqual(expect.stringMatching(/^posts\.create \(write\): /));
    const { operations: chosen } = await call('operations', { name: 'reviews.reply, posts.create' });
    const [{ use, params, example }] = chosen;
    expect(use).toBe('rehearse');
    expect(params).toContainEqual(expect.stringMatching(/^text\*: string /));
    expect(example).toHaveProperty('review_id');
    // What only a user of the library can call is left out.
    for (const { operation: name } of endpoints)
      expect(JSON.stringify(await call('operations', { name }))).not.toMatch(
        /dry_run|findRecent|npx|await|iterat|`[A-Z]+ \//,
      );
    expect(await call('operations', { name: 'reviews.replay' })).toMatchObject({
      isError: true,
      error: { message: expect.stringContaining('Did you mean `reviews.reply`?') },
    });
    expect(api.requests).toEqual([]);
  });

  it('read: `next` reaches the end of a list, and nothing is requested twice', async () => {
    const { api, call } = await connect();
    for (let n = 0; n < 130; n += 1) api.posts.add({ bulle_id: LYON, content: `Pain ${n}` });
    const params = { bulle_id: LYON };
    const first = await call('read', { operation: 'posts.list', params, limit: 40, fields: ['id'] });
    const ids = idsOf(await readAll(call, 'posts.list', first, 40));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(130);
    const pages = api.requests.filter(({ path }) => path === '/api/v2/posts');
    expect(pages).toHaveLength(Math.floor(ids.length / 50) + 1);
  });

  it('read: a repeated `next` gives the same part, and a forgotten one is refused', async () => {
    const { call } = await connect();
    const { next } = await call('read', {
      operation: 'reviews.list',
      params: { fiche_id: await listing(call) },
      limit: 2,
    });
    const once = await call('read', { operation: 'reviews.list', next });
    expect(await call('read', { operation: 'reviews.list', next })).toEqual(once);
    expect(once.left).toBeGreaterThan(0);
    expect(await call('read', { operation: 'posts.list', next })).toMatchObject({ error: { code: 'unknown_next' } });
  });

  it('read: texts only when they are asked for, then whole, in parts if they are long', async () => {
    const { api, call } = await connect();
    const html = `<p>${'Le pain "lève" la nuit. '.repeat(3_000)}</p>`;
    const { id } = api.articles.add({ title: 'Le levain', content_html: html, excerpt: 'e'.repeat(500) });
    const short = await call('read', { operation: 'articles.get', params: { article_id: id } });
    expect(short.data).not.toHaveProperty('content_html');
    expect(short.data.excerpt).toMatch(/^e{400}… \(100 more characters: /);
    const asked = { operation: 'articles.get', params: { article_id: id }, fields: ['content_html'] };
    const parts = await readAll(call, 'articles.get', await call('read', asked));
    expect(JSON.parse(parts.map(({ text }) => text).join(''))).toEqual({ content_html: html });
  });

  it('read: a list that does not fit goes on with the item that was too much', async () => {
    const { api, call } = await connect();
    for (let n = 0; n < 30; n += 1) api.posts.add({ bulle_id: LYON, content: `${n} ${'pain '.repeat(700)}` });
    const params = { bulle_id: LYON };
    const first = await call('read', { operation: 'posts.list', params, limit: 100, fields: ['id', 'content'] });
    const parts = await readAll(call, 'posts.list', first, 100);
    const posts = parts.flatMap(({ data }) => data as object[]);
    expect(posts.filter((post) => Object.keys(post).join() !== 'id,content')).toEqual([]);
    const ids = idsOf(parts);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(30);
  });

  it('read: says which fields there are, and refuses writes', async () => {
    const { api, call } = await connect();
    const said = await call('read', { operation: 'bulles.list', fields: ['name', 'town'] });
    expect(said).toMatchObject({ unknown_fields: ['town'], fields: expect.arrayContaining(['city']) });
    const before = api.requests.length;
    expect(await call('read', { operation: 'posts.delete', params: { post_id: 1 } })).toMatchObject({
      isError: true,
      error: { code: 'not_a_read', hint: 'Pass it to `rehearse` as an action.' },
    });
    expect(api.requests).toHaveLength(before);
  });

  it('rehearse: previews what is safe to preview, changes nothing, and names the command', async () => {
    const { api, call, plans } = await connect();
    const fiche_id = await listing(call);
    const { data } = await call('read', { operation: 'reviews.list', params: { fiche_id, status: 'unresponded' } });
    const [{ review_id }] = data.reviews;
    const reply = { operation: 'reviews.reply', params: { review_id, fiche_id, text: 'Merci, à bientôt.' } };
    const said = await call('rehearse', { actions: [reply, POST] });
    expect(said).toMatchObject({ isError: false, ok: true, actions: [{ state: 'ready' }, { state: 'unpreviewed' }] });
    expect(said.actions[1].details).toEqual([expect.stringContaining('no contract check has seen')]);
    expect(said.advice).toMatch(/`npx multilocal rehearse \S+\.json --run`/);
    expect(readdirSync(plans)).toContainEqual(`${said.plan}.json`);
    const posted = api.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ path, body }) => [path.split('/')[3], body]);
    expect(posted).toEqual([['reviews', expect.objectContaining({ dry_run: true })]]);
    expect((await call('rehearse', { actions: [reply, POST] })).plan).toBe(said.plan);
    // What several actions have in common is said once.
    const several = ['Lundi', 'Mardi'].map((content) => ({ ...POST, params: { ...POST.params, content } }));
    const { notes, actions } = await call('rehearse', { actions: several });
    expect(notes).toContainEqual(expect.stringMatching(/^Every action: .*no contract check has seen/));
    expect(JSON.stringify(actions)).not.toContain('contract check');
  });

  it('rehearse: previews everything after a contract check of this address', async () => {
    const api = createMockApi();
    const { call } = await connect({ api, contract: honoured(api) });
    expect(await call('overview')).toMatchObject({ previews: 'all' });
    expect(await call('rehearse', { actions: [POST] })).toMatchObject({ ok: true, actions: [{ state: 'ready' }] });
    const elsewhere = createMockApi({ baseUrl: 'https://staging.multilocal.test' });
    const other = await connect({ api: elsewhere, contract: honoured(api) });
    expect(await other.call('rehearse', { actions: [POST] })).toMatchObject({ actions: [{ state: 'unpreviewed' }] });
    expect(writesOf(api).concat(writesOf(elsewhere))).toEqual([]);
  });

  it.each([
    ['a wrong parameter', { ...POST, params: { ...POST.params, plateforms: [] } }, 'plateforms'],
    ['no such operation', { operation: 'posts.make' }, 'posts.create'],
    ['a read', { operation: 'posts.list' }, 'operation'],
  ])('rehearse: %s is refused before anything is sent', async (_, action, text) => {
    const { api, call, plans } = await connect();
    const said = await call('rehearse', { actions: [action] });
    expect(said).toMatchObject({ ok: false, actions: [{ state: 'refused' }] });
    expect(JSON.stringify(said)).toContain(text);
    expect([api.requests.length, existsSync(plans), said.plan]).toEqual([0, false, undefined]);
  });

  it('rehearse: keeps no plan that the service refuses, or whose post it already has', async () => {
    const { api, call, plans } = await connect();
    const far = { ...POST, params: { ...POST.params, platforms: ['snapchat'] } };
    expect(await call('rehearse', { actions: [far] })).toMatchObject({ ok: false, actions: [{ state: 'refused' }] });
    const { bulle_id, content, scheduled_at } = POST.params;
    api.posts.add({ bulle_id, content, platforms: ['facebook'], scheduled_at });
    const twin = await call('rehearse', { actions: [POST] });
    expect([twin.ok, twin.plan, readdirSync(plans)]).toEqual([false, undefined, []]);
  });

  it('rehearse: keeps a plan whose command a person has, if its rehearsal is repeated and fails or is cancelled', async () => {
    const { api, call, client, plans } = await connect();
    const args = { actions: [POST] };
    const { plan } = await call('rehearse', args);
    api.fail({ operation: 'connections.list', status: 400, detail: 'non', times: 1 });
    expect((await call('rehearse', args)).ok).not.toBe(true);
    api.fail({ operation: 'connections.list', delay: 100, times: 1 });
    const stop = new AbortController();
    const lost = client.callTool({ name: 'rehearse', arguments: args }, { signal: stop.signal }).catch(String);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    await lost;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(readdirSync(plans)).toEqual([`${plan}.json`]);
    // The first of two calls was cancelled, and the second one goes on.
    const other = { actions: [postOf('Ouvert lundi')] };
    api.fail({ operation: 'connections.list', delay: 100, times: 2 });
    const stopped = AbortSignal.timeout(50);
    const first = client.callTool({ name: 'rehearse', arguments: other }, { signal: stopped }).catch(String);
    const second = await call('rehearse', other);
    await first;
    expect(readdirSync(plans)).toContain(`${second.plan}.json`);
  });

  it('rehearse: refuses the folder of another brand or scope, and says what helps', async () => {
    const { api, call, plans } = await connect({ writes: EVERY_WRITE, isUnattended: true });
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await api.handle(...request);
      return new Response((await response.text()).replaceAll('sph_fournils_augustine', 'sph_two'), response);
    };
    const { call: other } = await connect({ api, plans, writes: EVERY_WRITE, options: { fetch } as never });
    const { call: ofBulle } = await connect({ api, plans, options: { apiKey: api.keys.bulle } as never });
    const { plan: early } = await other('rehearse', { actions: [postOf('Deux')] });
    await call('carry_out', { plan: (await call('rehearse', { actions: [POST] })).plan });
    const refused = {
      error: { code: 'journal_of_another_brand', hint: expect.stringContaining('`--plans <folder>`') },
    };
    for (const one of [other, ofBulle])
      expect(await one('rehearse', { actions: [postOf('Trois')] })).toMatchObject(refused);
    expect(await other('carry_out', { plan: early })).toMatchObject(refused);
  });
});

it('read shows a listing that was never scanned', async () => {
  const { api, call } = await connect();
  const fiche_id = api.ids.ficheWithoutScan;
  expect(await call('read', { operation: 'visibility.scan', params: { fiche_id } })).toMatchObject({
    data: { fiche_id, snapshot: null },
  });
});

describe('read of the reviews of a brand', () => {
  /** Every listing of the brand has a review of one star and one of five. */
  const brand = async (options: ClientOptions = {}) => {
    const api = createMockApi({ baseUrl: `https://brand-${crypto.randomUUID()}.test` });
    const setup = await connect({ api, options });
    const { gmb_fiches } = (await setup.session.connect()).identity;
    const fiches = gmb_fiches.map(({ id }) => id);
    for (const fiche_id of fiches) {
      for (const rating of [1, 5]) api.reviews.add({ fiche_id, rating, text: `${rating} ${fiche_id}` });
    }
    const asked = () => api.requests.filter(({ path }) => path.startsWith('/api/v2/reviews')).length;
    return { ...setup, fiches, asked };
  };
  const WORST = { operation: 'reviews.list', params: { max_stars: 1, keyword: 'accounts/' } };

  it('reads every listing once, with its id and name', async () => {
    const { call, fiches, asked, session } = await brand();
    const { data, next, notes } = await call('read', WORST);
    expect([data.map((review: { fiche_id: string }) => review.fiche_id), next, notes]).toEqual([
      fiches,
      undefined,
      undefined,
    ]);
    expect(asked()).toBe(fiches.length);
    expect(session.seen.get(`review_id ${data[0].review_id}`)).toContain('Lyon');
    const figures = await call('read', { operation: 'reviews.summary', fields: ['fiche_id', 'total_reviews'] });
    expect(figures.data.map(({ fiche_id }: { fiche_id: string }) => fiche_id)).toEqual(fiches);
    const wrong = await call('read', { operation: 'reviews.summary', params: { stars: 1 } });
    expect(wrong).toMatchObject({ isError: true, error: { message: expect.stringContaining('stars') } });
  });

  it('asks once an hour which listings there are', async () => {
    const { api, call, fiches } = await brand();
    const count = async () => (await call('read', { operation: 'reviews.summary', limit: 100 })).data.length;
    const asked = () => api.requests.filter(({ path }) => path === '/api/v2/me').length;
    api.bulles.add({ name: 'Pau', city: 'Pau' });
    expect([await count(), asked()]).toEqual([fiches.length, 1]);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 3_600_001);
    expect([await count(), await count(), asked()]).toEqual([fiches.length + 1, fiches.length + 1, 2]);
  });

  it('asks only the listings whose reviews are shown, and none after a cancellation, which loses nothing', async () => {
    const { api, call, client, fiches, asked } = await brand();
    const first = await call('read', { ...WORST, limit: 1 });
    expect([first.data.length, asked()]).toEqual([1, 2]);
    const more = { operation: 'reviews.list', next: first.next };
    api.fail({ operation: 'reviews.list', delay: 100, times: 1 });
    const stop = new AbortController();
    const lost = client.callTool({ name: 'read', arguments: more }, { signal: stop.signal }).catch(String);
    await expect.poll(asked).toBe(3);
    stop.abort();
    await lost;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(asked()).toBe(3);
    const rest = await call('read', more);
    expect([rest.data.length, rest.next, asked()]).toEqual([fiches.length - 1, undefined, fiches.length + 1]);
  });

  it('goes on when a listing fails, and says which one and why', async () => {
    const { api, call, fiches } = await brand();
    api.fail({ operation: 'reviews.list', status: 404, detail: 'Fiche introuvable', times: 1 });
    const { data, notes, isError } = await call('read', WORST);
    expect([data.length, isError]).toEqual([fiches.length - 1, false]);
    expect(notes).toMatchObject([{ fiche_id: fiches[0], error: { code: 'not_found' } }]);
  });

  it('says first what it costs if that is more than is left, and waits for the reader', async () => {
    const { call, fiches, asked } = await brand({ rateLimit: { perMinute: 5 } });
    const first = await call('read', WORST);
    expect(first).toMatchObject({
      data: [],
      notes: [expect.stringContaining(`All ${fiches.length} listings cost at least ${fiches.length} requests`)],
    });
    expect(asked()).toBe(0);
    const some = await call('read', { operation: 'reviews.list', next: first.next });
    expect(some).toMatchObject({
      notes: [expect.stringMatching(/No request is left in this minute, after \d of \d+/)],
    });
    expect(some.data.map((review: { fiche_id: string }) => review.fiche_id)).toEqual(fiches.slice(0, asked()));
    expect(await call('read', { operation: 'reviews.list', next: first.next })).toEqual(some);
    expect(some.next).toBeDefined();
  });

  it('says so if no request is left at all, and sends none', async () => {
    const { call, asked } = await brand({ rateLimit: { perMinute: 1 } });
    const { next } = await call('read', WORST);
    const still = await call('read', { operation: 'reviews.list', next });
    expect(still).toMatchObject({ data: [], notes: [expect.stringContaining('No request is left')], next });
    expect(asked()).toBe(0);
  });
});

async function listing(call: Awaited<ReturnType<typeof connect>>['call']): Promise<string> {
  const { locations } = await call('overview');
  return locations[0].fiche_id;
}
