import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type MockServer, startMockServer } from '../../src/mock/server.js';
import { environmentOf, example, type Run, run } from './run.js';

const cwd = example('ci-dry-run-gate');
const TIMEOUT = 60_000;

let server: MockServer;
let folder: string;
beforeEach(async () => {
  server = await startMockServer();
  folder = await mkdtemp(join(tmpdir(), 'multilocal-gate-'));
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
});

/** Run the gate on a plan, and see that the service is as it was: no post, no reply, no quota spent. */
async function gate(plan: object | string, key?: string): Promise<Run> {
  const file = join(folder, 'plan.json');
  await writeFile(file, typeof plan === 'string' ? plan : JSON.stringify(plan));
  const before = server.api.snapshot();
  const result = await run(process.execPath, ['gate.mjs', file], { cwd, env: environmentOf(server, key) });
  expect(server.api.snapshot()).toEqual(before);
  const writes = server.api.requests.filter(({ method }) => method !== 'GET');
  expect(writes.every(({ body }) => Object(body).dry_run === true)).toBe(true);
  return result;
}

const post = (bulle_id: string, fields: object = {}) => ({
  bulle_id,
  platforms: ['facebook', 'gmb'],
  content: 'La brioche du dimanche',
  scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
  ...fields,
});

it('passes the plan that lies beside it', { timeout: TIMEOUT }, async () => {
  const { code, output } = await run(process.execPath, ['gate.mjs'], { cwd, env: environmentOf(server) });
  expect(output).toContain('3 rehearsed, 0 would be refused.');
  expect(code).toBe(0);
  const operations = server.api.requests.map(({ operation }) => operation);
  expect(operations.filter((operation) => operation === 'platforms.limits')).toHaveLength(1);
  expect(operations.filter((operation) => operation === 'posts.create')).toHaveLength(2);
  expect(operations.filter((operation) => operation === 'reviews.reply')).toHaveLength(1);
});

it('reports all that would be refused, each with its reason', { timeout: TIMEOUT }, async () => {
  const { ids, reviews } = server.api;
  const { review_id } = reviews.add({ customer_name: 'Paul' });
  reviews.removeAtGoogle(review_id);
  const { code, output } = await gate({
    posts: [
      post(ids.bulle),
      post(ids.bulle, { content: 'x'.repeat(1501), platforms: ['gmb'] }),
      post(ids.otherBulle),
      post(ids.outside.bulle, { platforms: ['gmb'] }),
      post(ids.bulle, { scheduled_at: '2030-01-01T09:00:00' }),
      { content: 'Sans établissement', platforms: ['gmb'] },
    ],
    replies: [
      { review_id: ids.review, fiche_id: ids.fiche, text: 'Merci !' },
      { review_id, fiche_id: ids.fiche, text: 'Trop tard' },
    ],
  });
  const marks = output.match(/^[✓✗] (post|reply)/gm);
  expect(marks).toEqual(['✓ post', '✗ post', '✗ post', '✗ post', '✗ post', '✗ post', '✓ reply', '✗ reply']);
  expect(output).toContain('1501 characters, but at most 1500 are allowed');
  expect(output).toContain('must be connected again');
  expect(output).toContain("n'appartient pas à votre périmètre");
  expect(output).toMatch(/✗ post {3}facebook, gmb: La brioche du dimanche\n {4}.*scheduled_at/);
  expect(output).toContain("Cet avis n'existe plus sur Google");
  expect(output).toContain('8 rehearsed, 6 would be refused.');
  expect(code).toBe(1);
});

it('says that it replaces a reply', { timeout: TIMEOUT }, async () => {
  const { ids, reviews } = server.api;
  const answered = reviews.all().find(({ responded }) => responded);
  const reply = { review_id: answered?.review_id, fiche_id: ids.fiche, text: 'Merci encore !' };
  const { code, output } = await gate({ replies: [reply] });
  expect(output).toMatch(/✓ reply {2}Merci encore !\n {4}replaces the reply “.+”/);
  expect(code).toBe(0);
});

it.each([
  ['a plan that is no JSON', '{', undefined, /JSON/],
  ['a key that is refused', { posts: [] }, 'a-wrong-but-secret-key', /authentication: /],
  ['a key that may not publish', 'plan', 'readOnly', /missing_permission: /],
] as const)('ends with 2 for %s', { timeout: TIMEOUT }, async (_, plan, key, message) => {
  const { api } = server;
  const { code, output } = await gate(
    plan === 'plan' ? { posts: [post(api.ids.bulle)] } : plan,
    key === 'readOnly' ? api.keys.readOnly : key,
  );
  expect(output).toMatch(message);
  expect(output).not.toContain('secret');
  expect(code).toBe(2);
});

it('stops and warns when the service creates a post in spite of the dry run', { timeout: TIMEOUT }, async () => {
  const { api } = server;
  api.fail({
    operation: 'posts.create',
    status: 201,
    body: { id: 7, content: '', platforms: ['gmb'], status: 'scheduled' },
  });
  const { code, output } = await gate({ posts: [post(api.ids.bulle), post(api.ids.bulle)] });
  expect(output).toContain('dry_run_not_honored: ');
  expect(output).toContain('EXECUTED');
  expect(api.requests.filter(({ operation }) => operation === 'posts.create')).toHaveLength(1);
  expect(code).toBe(2);
});
