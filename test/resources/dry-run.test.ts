// The eleven operations with a preview, and every other write on client.dryRun.
import { describe, expect, it } from 'vitest';
import {
  type Client,
  DryRunNotHonoredError,
  DryRunUnsupportedError,
  type Identity,
  InvalidRequestError,
  MissingBulleIdError,
  MissingFicheIdError,
} from '../../src/index.js';
import { endpoints } from '../../src/resources/index.js';
import { BODIES } from '../spec/bodies.js';
import { CALLS, type SampleCall } from '../spec/calls.js';
import { callByName, spec, specOf } from '../spec/endpoints.js';
import { caught, makeClient } from '../support/clients.js';
import { SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const FICHE = 'accounts/1/locations/2';
const days = { date_start: '2026-10-01', date_end: '2026-10-31' };
const post = { content: 'a', platforms: ['gmb'] } as const;
const contacts = [{ customer_name: 'A', channel: 'sms', customer_phone: '1' }] as const;
const changes = [{ field: 'a', value: 'b' }];
type Dry = { dry_run: true };

const known: [string, (client: Client, dry: Dry) => PromiseLike<unknown>][] = [
  ['posts.create', (client, dry) => client.posts.create({ ...post, ...dry })],
  ['posts.publish', (client, dry) => client.posts.publish(1, dry)],
  ['social.publish', (client, dry) => client.social.publish({ text: 'a', platforms: ['gmb'], ...dry })],
  ['articles.publish', (client, dry) => client.articles.publish(1, dry)],
  ['reviews.reply', (client, dry) => client.reviews.reply('r', { text: 'a', ...dry })],
  ['acquisition.requestReviews', (client, dry) => client.acquisition.requestReviews({ contacts, ...dry })],
  ['gmb.optimizer.audit', (client, dry) => client.gmb.optimizer.audit(dry)],
  ['gmb.optimizer.apply', (client, dry) => client.gmb.optimizer.apply({ changes, ...dry })],
  ['seo.scan', (client, dry) => client.seo.scan(dry)],
  ['seo.keywordLookup', (client, dry) => client.seo.keywordLookup({ keyword: 'a', ...dry })],
  ['reports.create', (client, dry) => client.reports.create({ type: 'fiche', fiche_ids: [FICHE], ...days, ...dry })],
];

/** The client of previews, as JavaScript sees it. */
const dryRunOf = (client: Client) => client.dryRun as unknown as Client;

/** Those without a call above are called with the sample of the table. */
const others = endpoints
  .filter(({ operation, dryRun }) => dryRun && known.every(([name]) => name !== operation))
  .map(({ operation }): (typeof known)[number] => [
    operation,
    (client, dry) => callByName(client, operation, withDryRun(specOf(operation)?.sample ?? [], dry)),
  ]);

const previews = [...known, ...others];

function withDryRun(args: readonly unknown[], dry: Dry): unknown[] {
  const last = args.at(-1);
  return typeof last === 'object' ? [...args.slice(0, -1), { ...last, ...dry }] : [...args, dry];
}

it('match the specification', () => {
  expect(previews.map(([operation]) => operation).sort()).toEqual(
    spec.flatMap(({ operation, dry_run }) => (dry_run ? [operation] : [])).sort(),
  );
});

describe.each(previews)('%s', (operation, call) => {
  it.each([{ dry_run: true }, { would_publish: {}, quota: { left: 3 } }])(
    'gives the preview as it came: %j',
    async (body) => {
      const fetch = stubFetch(json(body));
      expect(await call(makeClient({ fetch }), { dry_run: true })).toEqual(body);
      expect(JSON.parse(fetch.calls[0]?.body ?? '')).toMatchObject({ dry_run: true });
    },
  );

  it('is a preview on client.dryRun, whatever the call says', async () => {
    for (const dry of [{}, { dry_run: undefined }, { dry_run: false }] as unknown as Dry[]) {
      const fetch = stubFetch(json({ dry_run: true }));
      expect(await call(dryRunOf(makeClient({ fetch })), dry)).toEqual({ dry_run: true });
      expect(JSON.parse(fetch.calls[0]?.body ?? '')).toMatchObject({ dry_run: true });
    }
  });

  it('reports a response that is not a preview: the operation was executed', async () => {
    const body = BODIES[operation] ?? { done: true };
    for (const client of [
      makeClient({ fetch: stubFetch(json(body)) }),
      dryRunOf(makeClient({ fetch: stubFetch(json(body)) })),
    ]) {
      const error = await caught(call(client, { dry_run: true }), DryRunNotHonoredError);
      expect(error).toMatchObject({ operation, outcome: 'applied', body });
    }
  });

  it('is retried only once a preview has shown that the service honours dry_run', async () => {
    const busy = refuse(503, 'non', { 'retry-after': '0' });
    const fetch = stubFetch(busy, json({ dry_run: true }), busy, json({ dry_run: true }));
    const client = makeClient({ fetch });
    const first = await caught(call(client, { dry_run: true }), Error);
    expect(first).toMatchObject({ outcome: 'unknown', attempts: 1 });
    await call(client, { dry_run: true });
    await call(client, { dry_run: true });
    expect(fetch.calls).toHaveLength(4);
    const real = stubFetch(busy);
    const error = await caught(call(makeClient({ fetch: real }), {} as Dry), Error);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  it('refuses a dry_run that is neither true nor false', async () => {
    const fetch = stubFetch(json({ dry_run: true }));
    await caught(call(makeClient({ fetch }), { dry_run: 'true' as unknown as true }), InvalidRequestError);
    expect(fetch.calls).toHaveLength(0);
  });
});

describe('client.dryRun', () => {
  const named = (calls: readonly SampleCall[]) => calls.map((sample) => [sample.operation, sample] as const);
  const isRead = ({ row }: SampleCall) => row.method === 'GET';

  it.each(named(CALLS.filter((sample) => !isRead(sample) && !sample.row.dry_run)))(
    'refuses %s',
    async (operation, { args }) => {
      const fetch = stubFetch(json({ dry_run: true }));
      const call = callByName(dryRunOf(makeClient({ fetch })), operation, args);
      expect(await caught(call, DryRunUnsupportedError)).toMatchObject({ operation });
      expect(fetch.calls).toHaveLength(0);
    },
  );

  it.each(named(CALLS.filter(isRead)))('reads with %s', async (operation, { args }) => {
    const fetch = stubFetch(json(BODIES[operation]));
    expect(await callByName(dryRunOf(makeClient({ fetch })), operation, args)).toEqual(BODIES[operation]);
    expect(fetch.calls[0]?.url.searchParams.has('dry_run')).toBe(false);
  });
});

describe('a sphere key without a target', () => {
  const sphere: Identity = SPHERE_IDENTITY;
  const bulle: [string, (client: Client) => PromiseLike<unknown>][] = [
    ['posts.create', (client) => client.posts.create(post)],
    ['social.publish', (client) => client.social.publish({ text: 'a', platforms: ['gmb'] })],
    ['social.quota', (client) => client.social.quota()],
    ['seo.snapshot', (client) => client.seo.snapshot()],
    ['seo.competitors', (client) => client.seo.competitors()],
    ['seo.trackedKeywords.list', (client) => client.seo.trackedKeywords.list()],
    ['seo.trackedKeywords.create', (client) => client.seo.trackedKeywords.create({ keyword: 'a' })],
    ['seo.searchConsole', (client) => client.seo.searchConsole()],
    ['seo.scan', (client) => client.seo.scan()],
    ['seo.keywordLookup', (client) => client.seo.keywordLookup({ keyword: 'a' })],
    ['images.generate', (client) => client.images.generate({ prompt: 'a' })],
  ];
  const fiche: typeof bulle = [
    ['reviews.list', (client) => client.reviews.list()],
    ['reviews.summary', (client) => client.reviews.summary()],
    ['acquisition.stats', (client) => client.acquisition.stats()],
    ['acquisition.requestReviews', (client) => client.acquisition.requestReviews({ contacts })],
    ['gmb.metrics', (client) => client.gmb.metrics()],
    ['gmb.optimizer.score', (client) => client.gmb.optimizer.score()],
    ['gmb.optimizer.audit', (client) => client.gmb.optimizer.audit()],
    ['gmb.optimizer.apply', (client) => client.gmb.optimizer.apply({ changes })],
    ['visibility.scan', (client) => client.visibility.scan()],
  ];
  const free: typeof bulle = [
    ['posts.list', (client) => client.posts.list()],
    ['posts.publish', (client) => client.posts.publish(1)],
    ['reviews.reply', (client) => client.reviews.reply('r', { text: 'a' })],
    ['qrCodes.list', (client) => client.qrCodes.list()],
    ['qrCodes.create', (client) => client.qrCodes.create({ target_url: 'https://x.test', name: 'a' })],
    ['sites.list', (client) => client.sites.list()],
    ['reports.list', (client) => client.reports.list()],
    ['reports.create', (client) => client.reports.create({ type: 'fiche', fiche_ids: [FICHE], ...days })],
    ['images.upload', (client) => client.images.upload({ url: 'https://x.test' })],
    ['images.generate, unaligned', (client) => client.images.generate({ prompt: 'a', align_with_brand: false })],
  ];

  it.each(bulle)('is refused by %s before anything is sent; a view fills it in', async (operation, call) => {
    const fetch = stubFetch(json(BODIES[operation]));
    const client = makeClient({ fetch, identity: sphere });
    expect(await caught(call(client), MissingBulleIdError)).toMatchObject({ operation, origin: 'preflight' });
    expect(fetch.calls).toHaveLength(0);
    await call(client.forBulle('b-lyon'));
    const { url, body } = fetch.calls[0] ?? {};
    expect(url?.searchParams.get('bulle_id') ?? JSON.parse(body ?? '{}').bulle_id).toBe('b-lyon');
  });

  it.each(fiche)(
    'is refused by %s before anything is sent, with the choices; a view fills it in',
    async (operation, call) => {
      const fetch = stubFetch(json(BODIES[operation] ?? null));
      const client = makeClient({ fetch, identity: sphere });
      const error = await caught(call(client), MissingFicheIdError);
      expect(error).toMatchObject({ operation, choices: sphere.gmb_fiches });
      expect(fetch.calls).toHaveLength(0);
      await call(client.forFiche(FICHE));
      const { url, body } = fetch.calls[0] ?? {};
      expect(url?.searchParams.get('fiche_id') ?? JSON.parse(body ?? '{}').fiche_id).toBe(FICHE);
    },
  );

  it.each(fiche)('%s needs none if the brand has one listing', async (operation, call) => {
    const fetch = stubFetch(json(BODIES[operation] ?? null));
    await call(makeClient({ fetch, identity: { ...sphere, gmb_fiches: sphere.gmb_fiches.slice(0, 1) } }));
    expect(fetch.calls).toHaveLength(1);
  });

  it.each(free)('is not refused by %s', async (operation, call) => {
    const fetch = stubFetch(json(BODIES[operation.replace(/,.*/, '')] ?? null));
    await call(makeClient({ fetch, identity: sphere }));
    expect(fetch.calls).toHaveLength(1);
  });
});
