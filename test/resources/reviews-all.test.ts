import { describe, expect, it, vi } from 'vitest';
import {
  AuthenticationError,
  type Client,
  type ClientOptions,
  ConnectionError,
  type Identity,
  InvalidRequestError,
  MissingFicheIdError,
  MissingPermissionError,
  RateLimitError,
  RedirectError,
} from '../../src/index.js';
import { aReview, aReviewPage, BODIES } from '../spec/bodies.js';
import { caught, makeClient } from '../support/clients.js';
import { BULLE_IDENTITY, SPHERE_IDENTITY, TEXTS } from '../support/fixtures.js';
import { hang, json, type Reply, refuse, type Seen, type StubFetch, stubFetch } from '../support/stub-fetch.js';

const FICHES = ['accounts/1/locations/1', 'accounts/1/locations/2', 'accounts/1/locations/3'];
const BRAND: Identity = {
  ...SPHERE_IDENTITY,
  gmb_fiches: FICHES.map((id) => ({ id, name: id.slice(-1), address: null, service_area: false })),
};

const fiche = ({ url }: Seen) => url.searchParams.get('fiche_id') ?? '';

/** A brand whose listings have three reviews each, on two pages. `failing` answers instead, by listing. */
function brand(failing: Partial<Record<string, Reply>> = {}, options: ClientOptions = {}) {
  const fetch = stubFetch((seen, index) => {
    const other = failing[fiche(seen)];
    if (other) return other(seen, index);
    if (seen.url.pathname.endsWith('/me')) return json(BRAND)(seen, index);
    if (seen.url.pathname.endsWith('/summary')) return json(BODIES['reviews.summary'])(seen, index);
    const page = Number(seen.url.searchParams.get('page') ?? 1);
    const ids = [1, 2, 3].slice((page - 1) * 2, page * 2).map((id) => `${fiche(seen).slice(-1)}-${id}`);
    const reviews = ids.map((id) => aReview(id));
    return json(aReviewPage(reviews, { page, total_pages: 2, filtered_count: 3 }))(seen, index);
  });
  return { fetch, client: makeClient({ fetch, identity: BRAND, maxRetries: 0, ...options }) };
}

async function collect<T>(items: AsyncIterable<T>, seen: T[] = []): Promise<T[]> {
  for await (const item of items) seen.push(item);
  return seen;
}

const asked = ({ calls }: StubFetch) => calls.map(({ url }) => url.pathname.slice('/api/v2'.length) + url.search);
const idsOf = (items: readonly { review_id: string }[]) => items.map(({ review_id }) => review_id);
const ALL = ['1-1', '1-2', '1-3', '2-1', '2-2', '2-3', '3-1', '3-2', '3-3'];

describe('reviews.all', () => {
  it('yields the reviews of each listing with its fiche_id, one request a page, and sends the filters', async () => {
    const { client, fetch } = brand();
    const seen = await collect(client.reviews.all({ limit: 2, status: 'unresponded' }));
    expect(idsOf(seen)).toEqual(ALL);
    expect(seen.map(({ fiche_id }) => fiche_id)).toEqual(FICHES.flatMap((id) => [id, id, id]));
    expect(fetch.calls).toHaveLength(6);
    for (const { url } of fetch.calls) expect(url.search).toContain('limit=2&status=unresponded');
  });

  it('sends nothing before it is read, and nothing after break', async () => {
    const { client, fetch } = brand();
    const reviews = client.reviews.all({ limit: 2 });
    expect(fetch.calls).toHaveLength(0);
    for await (const { review_id } of reviews) if (review_id === '2-1') break;
    expect(fetch.calls.map(fiche)).toEqual([FICHES[0], FICHES[0], FICHES[1]]);
  });

  it('asks for an unknown identity once', async () => {
    const { client, fetch } = brand({}, { identity: undefined });
    expect(idsOf(await collect(client.reviews.all({ limit: 100 }, { extra: { lang: 'fr' } })))).toEqual(ALL);
    await collect(client.reviews.summaries());
    expect(asked(fetch).filter((path) => path.startsWith('/me'))).toEqual(['/me']);
  });

  it.each<[string, (client: Client) => AsyncIterable<{ review_id: string }>]>([
    ['a view', (client) => client.forFiche(FICHES[1] as string).reviews.all()],
    ['extra', (client) => client.reviews.all({}, { extra: { fiche_id: FICHES[1] } })],
    ['untyped code', (client) => client.reviews.all({ fiche_id: FICHES[1] } as object)],
  ])('reads only the listing that %s names', async (_, call) => {
    const { client, fetch } = brand({}, { identity: undefined });
    expect(idsOf(await collect(call(client)))).toEqual(['2-1', '2-2', '2-3']);
    expect(fetch.calls.map(fiche)).toEqual([FICHES[1], FICHES[1]]);
  });

  it('reads the listing of a bubble key, also for its location', async () => {
    const { client, fetch } = brand({}, { identity: BULLE_IDENTITY });
    expect(idsOf(await collect(client.forBulle('b-lyon').reviews.all()))).toEqual(['1-1', '1-2', '1-3']);
    expect(new Set(fetch.calls.map(fiche))).toEqual(new Set([FICHES[0]]));
  });

  it('refuses the location of a sphere key, whose listings nobody knows', async () => {
    const { client, fetch } = brand();
    const error = await caught(collect(client.forBulle('b-lyon').reviews.all()), MissingFicheIdError);
    expect(error.choices.map(({ id }) => id)).toEqual(FICHES);
    expect(fetch.calls).toHaveLength(0);
  });

  it.each<[string, object, object?]>([
    ['an unknown parameter', { stars: 1 }],
    ['an unknown option', {}, { onError() {} }],
    ['no function', {}, { onFailure: 1 }],
  ])('refuses %s', async (_, params, options) => {
    const { client, fetch } = brand();
    await caught(collect(client.reviews.all(params, options)), InvalidRequestError);
    expect(fetch.calls).toHaveLength(0);
  });

  it.each(['on the way', 'of its view'])('ends with the signal %s', async (which) => {
    const { client, fetch } = brand();
    const controller = new AbortController();
    const { signal } = controller;
    const isOfView = which === 'of its view';
    const reviews = isOfView ? client.withOptions({ signal }).reviews.all() : client.reviews.all({}, { signal });
    const seen = async () => {
      for await (const { review_id } of reviews) if (review_id === '1-3') controller.abort(new Error('enough'));
    };
    await expect(seen()).rejects.toThrow('enough');
    expect(new Set(fetch.calls.map(fiche))).toEqual(new Set([FICHES[0]]));
  });

  it.each([
    ['out of scope', refuse(403, TEXTS.ficheOutOfScope)],
    ['refused', refuse(403)],
    ['gone', refuse(404, TEXTS.noFiche)],
    ['broken', refuse(502)],
    ['unreadable', json({ reviews: null })],
  ])('goes on if a listing is %s, and says which one and why', async (_, reply) => {
    const { client } = brand({ [FICHES[1] as string]: reply });
    const onFailure = vi.fn();
    const seen = await collect(client.reviews.all({}, { onFailure }));
    expect(idsOf(seen)).toEqual(ALL.filter((id) => !id.startsWith('2')));
    expect(onFailure).toHaveBeenCalledExactlyOnceWith({ fiche_id: FICHES[1], error: expect.any(Error) });

    // Without `onFailure`, nothing is silent, and nothing is lost.
    const kept: { review_id: string }[] = [];
    const error = await caught(collect(client.reviews.all(), kept as never), Error);
    expect(error.message).toBe(onFailure.mock.calls[0]?.[0].error.message);
    expect(kept).toHaveLength(6);
  });

  it.each<[string, Reply, new (...given: never[]) => Error, object?]>([
    ['the key', refuse(401), AuthenticationError],
    ['the permissions, known before', refuse(500), MissingPermissionError, { identity: { ...BRAND, permissions: [] } }],
    ['the limits', refuse(429, 'x', { 'retry-after': '90' }), RateLimitError],
    ['the address', refuse(301, undefined, { location: 'https://x.test' }), RedirectError],
  ])('ends at an error of %s', async (_, reply, kind, options = {}) => {
    const { client, fetch } = brand({ [FICHES[1] as string]: reply }, options);
    const onFailure = vi.fn();
    await caught(collect(client.reviews.all({}, { onFailure })), kind);
    expect(onFailure).not.toHaveBeenCalled();
    expect(fetch.calls.map(fiche)).not.toContain(FICHES[2]);
  });

  const lost: Reply = () => Promise.reject(new TypeError('fetch failed'));
  const READS: [string, (client: Client, options: object) => AsyncIterable<unknown>][] = [
    ['all', (client, options) => client.reviews.all({}, options)],
    ['summaries', (client, options) => client.reviews.summaries(options)],
  ];
  describe.each(READS)('an outage in reviews.%s', (_, read) => {
    it.each<[string, Reply, object?]>([
      ...[408, 500, 501, 502, 503, 504, 520, 529].map((status): [string, Reply] => [`${status}`, refuse(status)]),
      ['no connection', lost],
      ['a timeout', hang, { timeout: 5 }],
    ])('%s ends the iteration at the second listing', async (_, reply, options) => {
      const failing = Object.fromEntries(FICHES.map((id) => [id, reply]));
      const { client, fetch } = brand(failing, options);
      const onFailure = vi.fn();
      const error = await caught(collect(read(client, { onFailure })), Error);
      expect(onFailure).toHaveBeenCalledExactlyOnceWith({ fiche_id: FICHES[0], error: expect.any(Error) });
      expect(onFailure.mock.calls[0]?.[0].error).not.toBe(error);
      expect(fetch.calls.map(fiche)).toEqual(FICHES.slice(0, 2));
    });

    it('a listing that is refused in between ends nothing, and one that is read counts as the end', async () => {
      const [first, second, third] = FICHES as [string, string, string];
      const twice = brand({ [first]: refuse(503), [second]: refuse(404), [third]: lost });
      await caught(collect(read(twice.client, { onFailure() {} })), ConnectionError);
      const once = brand({ [first]: refuse(503), [third]: refuse(503) });
      const onFailure = vi.fn();
      await collect(read(once.client, { onFailure }));
      expect(onFailure.mock.calls.map(([failure]) => failure.fiche_id)).toEqual([first, third]);
    });
  });
});

describe('reviews.summaries', () => {
  it('yields the figures of each listing, one request each, and goes on as all does', async () => {
    const { client, fetch } = brand({ [FICHES[1] as string]: refuse(502) });
    const failures: string[] = [];
    const onFailure = ({ fiche_id }: { fiche_id: string }) => failures.push(fiche_id);
    const seen = await collect(client.reviews.summaries({ onFailure }));
    const figures = Object(BODIES['reviews.summary']);
    expect(seen).toEqual([FICHES[0], FICHES[2]].map((fiche_id) => ({ ...figures, fiche_id })));
    expect(failures).toEqual([FICHES[1]]);
    expect(fetch.calls).toHaveLength(3);
  });
});
