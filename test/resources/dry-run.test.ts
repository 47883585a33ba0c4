// The eleven operations with a preview, and every other write on client.dryRun.
import { describe, expect, it } from 'vitest';
import { type Client, DryRunNotHonoredError, DryRunUnsupportedError, InvalidRequestError } from '../../src/index.js';
import { BODIES } from '../spec/bodies.js';
import { CALLS, type SampleCall } from '../spec/calls.js';
import { callByName } from '../spec/endpoints.js';
import { caught, makeClient } from '../support/clients.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

type Dry = { dry_run: true };

/** The client of previews, as JavaScript sees it. */
const dryRunOf = (client: Client) => client.dryRun as unknown as Client;

const previews = CALLS.filter(({ row }) => row.dry_run).map(
  ({ operation, args }) =>
    [operation, (client: Client, dry: Dry) => callByName(client, operation, withDryRun(args, dry))] as const,
);

function withDryRun(args: readonly unknown[], dry: Dry): unknown[] {
  const last = args.at(-1);
  return typeof last === 'object' ? [...args.slice(0, -1), { ...last, ...dry }] : [...args, dry];
}

describe.each(previews)('%s', (operation, call) => {
  it.each([{ dry_run: true }, { would_publish: {}, quota: { left: 3 } }])(
    'gives the preview as it came: %j',
    async (body) => {
      const fetch = stubFetch(json(body));
      expect(await call(makeClient({ fetch }), { dry_run: true })).toEqual(body);
      expect(JSON.parse(fetch.calls[0]?.body ?? '')).toMatchObject({ dry_run: true });
    },
  );

  it('is a preview on client.dryRun', async () => {
    for (const dry of [{}, { dry_run: undefined }, { dry_run: true }] as unknown as Dry[]) {
      const fetch = stubFetch(json({ dry_run: true }));
      expect(await call(dryRunOf(makeClient({ fetch })), dry)).toEqual({ dry_run: true });
      expect(JSON.parse(fetch.calls[0]?.body ?? '')).toMatchObject({ dry_run: true });
    }
  });

  it('is refused on client.dryRun if the call asks to execute', async () => {
    const fetch = stubFetch(json({ dry_run: true }));
    const error = await caught(call(dryRunOf(makeClient({ fetch })), { dry_run: false } as never), InvalidRequestError);
    expect(error.issues).toEqual([
      { path: ['dry_run'], message: expect.stringContaining('client.dryRun only previews') },
    ]);
    expect(fetch.calls).toHaveLength(0);
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

  it('refuses images.upload before it looks at the file', async () => {
    const upload = dryRunOf(makeClient()).images.upload({ file: new Uint8Array([1]) });
    expect(await caught(upload, DryRunUnsupportedError)).toMatchObject({ operation: 'images.upload' });
  });

  it.each(named(CALLS.filter(isRead)))('reads with %s', async (operation, { args }) => {
    const fetch = stubFetch(json(BODIES[operation]));
    expect(await callByName(dryRunOf(makeClient({ fetch })), operation, args)).toEqual(BODIES[operation]);
    expect(fetch.calls[0]?.url.searchParams.has('dry_run')).toBe(false);
  });
});
