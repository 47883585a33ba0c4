import { describe, expect, it } from 'vitest';
import { Client } from '../../src/index.js';
import { createMockApi, type MockFault } from '../../src/mock/index.js';
import { spec } from '../spec/endpoints.js';

const dates = { date_start: '2026-10-01', date_end: '2026-10-31' } as const;

function setUp() {
  const api = createMockApi();
  const client = new Client({
    apiKey: api.keys.sphere,
    baseUrl: api.baseUrl,
    rateLimit: false,
    fetch: (input, init) => api.handle(new Request(input, init)),
  });
  const { bulle: bulle_id, fiche: fiche_id, posts, review } = api.ids;
  const draft = api.articles.all().find(({ status, content_html }) => status === 'draft' && content_html)?.id as number;
  const contacts = [{ customer_name: 'Zoé', channel: 'sms', customer_phone: '+33600000000' }] as const;
  const post = { content: 'Bonjour', platforms: ['facebook'], bulle_id } as const;
  const changes = [{ field: 'description', value: 'Pain' }];
  const report = { type: 'fiche', fiche_ids: [fiche_id], ...dates } as const;

  /** Each operation twice: on `client.dryRun`, and with `dry_run: true`. */
  const previews: Record<string, [() => PromiseLike<unknown>, () => PromiseLike<unknown>]> = {
    'posts.create': [() => client.dryRun.posts.create(post), () => client.posts.create({ ...post, dry_run: true })],
    'posts.publish': [
      () => client.dryRun.posts.publish(posts.pending),
      () => client.posts.publish(posts.pending, { dry_run: true }),
    ],
    'social.publish': [
      () => client.dryRun.social.publish({ platforms: ['facebook'], text: 'Ouvert', bulle_id }),
      () => client.social.publish({ platforms: ['facebook'], text: 'Ouvert', bulle_id, dry_run: true }),
    ],
    'articles.publish': [
      () => client.dryRun.articles.publish(draft),
      () => client.articles.publish(draft, { dry_run: true }),
    ],
    'reviews.reply': [
      () => client.dryRun.reviews.reply(review, { text: 'Merci', fiche_id }),
      () => client.reviews.reply(review, { text: 'Merci', fiche_id, dry_run: true }),
    ],
    'acquisition.requestReviews': [
      () => client.dryRun.acquisition.requestReviews({ contacts: [...contacts], fiche_id }),
      () => client.acquisition.requestReviews({ contacts: [...contacts], fiche_id, dry_run: true }),
    ],
    'gmb.optimizer.audit': [
      () => client.dryRun.gmb.optimizer.audit({ fiche_id }),
      () => client.gmb.optimizer.audit({ fiche_id, dry_run: true }),
    ],
    'gmb.optimizer.apply': [
      () => client.dryRun.gmb.optimizer.apply({ changes, fiche_id }),
      () => client.gmb.optimizer.apply({ changes, fiche_id, dry_run: true }),
    ],
    'seo.scan': [() => client.dryRun.seo.scan({ bulle_id }), () => client.seo.scan({ bulle_id, dry_run: true })],
    'seo.keywordLookup': [
      () => client.dryRun.seo.keywordLookup({ keyword: 'pain', bulle_id }),
      () => client.seo.keywordLookup({ keyword: 'pain', bulle_id, dry_run: true }),
    ],
    'reports.create': [
      () => client.dryRun.reports.create({ ...report, fiche_ids: [fiche_id] }),
      () => client.reports.create({ ...report, fiche_ids: [fiche_id], dry_run: true }),
    ],
  };
  return { api, client, previews, report };
}

const operations = spec.filter(({ dry_run }) => dry_run).map(({ operation }) => operation);

describe('the eleven operations with a preview', () => {
  it('are these', () => {
    expect(Object.keys(setUp().previews).sort()).toEqual([...operations].sort());
    expect(operations).toHaveLength(11);
  });

  it.each(operations)('%s previews, and nothing of the service changes', async (operation) => {
    const { api, previews } = setUp();
    const before = api.snapshot();
    for (const preview of previews[operation] ?? []) {
      expect(await preview()).toMatchObject({ dry_run: true });
      expect(api.requests.at(-1)).toMatchObject({ operation, body: { dry_run: true } });
    }
    expect(api.snapshot()).toEqual(before);
  });

  it.each(operations)('%s: an answer that shows no preview is taken for the operation itself', async (operation) => {
    const { api, previews } = setUp();
    for (const preview of previews[operation] ?? []) {
      api.fail({ operation, status: 200, body: { posted: true } } as MockFault);
      await expect(preview()).rejects.toMatchObject({
        code: 'dry_run_not_honored',
        outcome: 'applied',
        body: { posted: true },
      });
    }
  });
});

describe('client.dryRun', () => {
  it('refuses every other write, and sends nothing', async () => {
    const { api, client, report } = setUp();
    const refused = client.dryRun as unknown as Client;
    const count = api.requests.length;
    for (const call of [
      () => refused.posts.update(1, { content: 'x' }),
      () => refused.posts.delete(1),
      () => refused.articles.create({ title: 'abc', target_keyword: 'ab' }),
      () => refused.articles.update(1, {}),
      () => refused.articles.confirm(1),
      () => refused.seo.trackedKeywords.create({ keyword: 'pain' }),
      () => refused.qrCodes.create({ target_url: 'https://www.example.com', name: 'x' }),
      () => refused.images.upload({ url: 'https://www.example.com/x.png' }),
      () => refused.images.upload({ file: new Uint8Array([0x47, 0x49, 0x46, 0x38, 0x39, 0x61]) }),
      () => refused.images.generate({ prompt: 'x' }),
      () => refused.reports.createAndWait({ ...report, fiche_ids: [...report.fiche_ids] }),
      () => refused.request({ method: 'DELETE', path: '/posts/1' }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'dry_run_unsupported', outcome: 'not_applied', attempts: 0 });
    }
    expect(api.requests).toHaveLength(count);
  });

  it('reads and syncs as ever', async () => {
    const { client } = setUp();
    expect((await client.dryRun.posts.list({ limit: 1 })).length).toBe(1);
    let events = 0;
    for await (const _ of client.dryRun.articles.sync()) events++;
    expect(events).toBeGreaterThan(200);
  });
});
