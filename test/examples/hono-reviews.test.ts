import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from 'multilocal';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../../examples/hono-reviews/app.js';
import { environmentOf, example } from './run.js';

const TOKEN = 'staff-token';
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

let server: MockServer;
let app: ReturnType<typeof createApp>;
beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  server = await startMockServer();
  app = createApp(await Client.connect({ apiKey: server.api.keys.sphere, baseUrl: server.url }), TOKEN);
  return () => server.close();
});

const reply = (text = 'Merci !') => ({ fiche_id: server.api.ids.fiche, review_id: server.api.ids.review, text });
const post = (path: string, body: object) => app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
const sent = () =>
  server.api.requests.filter(({ operation, body }) => operation === 'reviews.reply' && !Object(body).dry_run);

it('shows a stranger nothing but articles', async () => {
  for (const path of ['/reviews/unanswered', '/reviews/preview', '/reviews/reply']) {
    expect((await app.request(path)).status).toBe(401);
    expect((await app.request(path, { headers: { authorization: 'Bearer another' } })).status).toBe(401);
  }
  expect((await app.request('/content/api/v2/articles')).status).toBe(200);
});

it('lists what is unanswered', async () => {
  const { review_id } = server.api.reviews.add({ customer_name: 'Paul' });
  const fiche_id = encodeURIComponent(server.api.ids.fiche);
  const response = await app.request(`/reviews/unanswered?fiche_id=${fiche_id}`, { headers });
  const { reviews, total } = await response.json();
  expect(reviews[0].review_id).toBe(review_id);
  expect(reviews).toHaveLength(total);
});

it('previews without posting', async () => {
  const before = server.api.snapshot();
  const response = await post('/reviews/preview', reply('Essai'));
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ dry_run: true, would_post: true });
  expect(server.api.snapshot()).toEqual(before);
  expect(sent()).toEqual([]);
});

describe('a reply', () => {
  it('is posted once, however often and however many at once ask', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post('/reviews/reply', reply())));
    for (const answer of answers) expect(await answer.json()).toMatchObject({ posted: true });
    expect(await (await post('/reviews/reply', reply())).json()).toMatchObject({ posted: false });
    expect(sent()).toHaveLength(1);
    expect(server.api.reviews.get(server.api.ids.review).response_text).toBe('Merci !');
  });

  it('never replaces another', async () => {
    const texts = ['Un', 'Deux'];
    const answers = await Promise.all(texts.map((text) => post('/reviews/reply', reply(text))));
    const statuses = answers.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 409]);
    expect((await post('/reviews/reply', reply('Trois'))).status).toBe(409);
    expect(server.api.reviews.get(server.api.ids.review).response_text).toBe(texts[statuses.indexOf(200)]);
  });

  it('that arrived counts as posted, although its answer was lost', async () => {
    server.api.fail({ operation: 'reviews.reply', network: true, applied: true });
    const response = await post('/reviews/reply', reply());
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ posted: true });
    expect(sent()).toHaveLength(1);
  });

  it('that cannot be found is said to be unknown, and asking again is safe', async () => {
    server.api.fail({ operation: 'reviews.reply', status: 502 });
    const response = await post('/reviews/reply', reply());
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ code: 'bad_gateway', outcome: 'unknown' });
    expect(sent()).toHaveLength(1);

    expect(await (await post('/reviews/reply', reply())).json()).toMatchObject({ posted: true });
    expect(sent()).toHaveLength(2);
  });

  it.each([
    ['a review that nobody wrote', { review_id: 'none' }, 404, 'refused'],
    ['no text', { text: ' ' }, 422, 'invalid_request'],
  ])('to %s is refused', async (_, fields, status, code) => {
    const response = await post('/reviews/reply', { ...reply(), ...fields });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });

  it('waits for the budget elsewhere: 503 with Retry-After', async () => {
    server.api.fail({ operation: 'reviews.list', status: 429, headers: { 'retry-after': '120' } });
    const response = await post('/reviews/reply', reply());
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '120']);
  });
});

it('runs on Node, reviews and articles, and ends when it is told to', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'main.ts'], {
    cwd: example('hono-reviews'),
    env: { ...process.env, ...environmentOf(server), STAFF_TOKEN: TOKEN, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  const url = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));

  const body = JSON.stringify(reply());
  const answer = await fetch(`${url}/reviews/reply`, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({ posted: true });

  const list = await fetch(`${url}/content/api/v2/articles`);
  const { articles } = (await list.json()) as { articles: { id: number }[] };
  const confirmed = await fetch(`${url}/content/api/v2/articles/${articles[0]?.id}/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(confirmed.status).toBe(200);
  expect(server.api.articles.confirmation(articles[0]?.id ?? 0)).toBeDefined();

  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
