import { describe, expect, it } from 'vitest';
import { type Client, InvalidRequestError, type TemporalMoment } from '../../src/index.js';
import { caught, makeClient } from '../support/clients.js';
import { PUBLICATION } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

/** An object of a polyfill, or of a runtime that has `Temporal`. */
const temporal = (type: string, date: string) =>
  Object.defineProperty({ epochMilliseconds: Date.parse(date) }, Symbol.toStringTag, { value: `Temporal.${type}` });

const NINE = '2026-12-24T09:00:00+01:00';

async function sent(call: (client: Client) => PromiseLike<unknown>): Promise<unknown> {
  const fetch = stubFetch(json(PUBLICATION));
  await call(makeClient({ fetch, validation: 'off' }));
  return JSON.parse(fetch.calls[0]?.body ?? '');
}

const post = { content: 'Pain', platforms: ['gmb'], bulle_id: 'b' } as const;

describe('when to publish', () => {
  it.each<[string, string | Date | TemporalMoment, string]>([
    ['an instant', temporal('Instant', NINE), '2026-12-24T08:00:00.000Z'],
    ['a date-time with a zone', temporal('ZonedDateTime', NINE), '2026-12-24T08:00:00.000Z'],
    ['the string of one', `${NINE}[Europe/Paris]`, NINE],
    ['in summer', '2026-07-14T09:00:00+02:00[Europe/Paris]', '2026-07-14T09:00:00+02:00'],
    ['with nanoseconds', '2026-12-24T09:00:00.123456789+01:00[Europe/Paris]', '2026-12-24T09:00:00.123456789+01:00'],
    ['the first of two equal hours', '2026-10-25T02:30:00+02:00[Europe/Paris]', '2026-10-25T02:30:00+02:00'],
    ['the second of two equal hours', '2026-10-25T02:30:00+01:00[Europe/Paris]', '2026-10-25T02:30:00+01:00'],
    ['west of Greenwich', '2026-12-24T09:00-03:30[America/St_Johns]', '2026-12-24T09:00-03:30'],
    ['in UTC', '2026-12-24T09:00:00+00:00[UTC]', '2026-12-24T09:00:00+00:00'],
    ['in a zone that is an offset', `${NINE}[+01:00]`, NINE],
    ['a string without a zone, unchanged', '2026-12-24T09:00:00.5+0100', '2026-12-24T09:00:00.5+0100'],
    ['a Date', new Date(NINE), '2026-12-24T08:00:00.000Z'],
  ])('%s', async (_, scheduled_at, written) => {
    const scheduled = { scheduled_at: written };
    expect(await sent(({ posts }) => posts.create({ ...post, scheduled_at }))).toEqual({ ...post, ...scheduled });
    expect(await sent(({ posts }) => posts.create({ ...post, scheduled_gmb: scheduled_at }))).toEqual({
      ...post,
      scheduled_gmb: written,
    });
    expect(await sent(({ posts }) => posts.update(1, { scheduled_at }))).toEqual(scheduled);
    expect(await sent(({ articles }) => articles.publish(42, { scheduled_at }))).toEqual(scheduled);
    const social = { text: 'Pain', platforms: ['gmb'], bulle_id: 'b' } as const;
    expect(await sent((client) => client.social.publish({ ...social, scheduled_at }))).toEqual({
      ...social,
      ...scheduled,
    });
  });

  it.each<[string, unknown]>([
    ['a day that no calendar has', '2027-02-30T09:00:00+01:00'],
    ['a day that no calendar has, with a zone', '2027-02-30T09:00:00+01:00[Europe/Paris]'],
    ['an offset that the zone does not have then', '2026-12-24T09:00:00+02:00[Europe/Paris]'],
    ['Z in a zone with another offset', '2026-12-24T09:00:00Z[Europe/Paris]'],
    ['another offset than the zone is', `${NINE}[+02:00]`],
    ['a zone that nobody knows', `${NINE}[Europe/Lyon]`],
    ['a zone without an offset', '2026-12-24T09:00:00[Europe/Paris]'],
    ['two zones', `${NINE}[Europe/Paris][Europe/Paris]`],
    ['a date without a zone', temporal('PlainDateTime', NINE)],
    ['an instant that is none', temporal('Instant', 'demain')],
    ['what only looks like an instant', { epochMilliseconds: Date.parse(NINE) }],
  ])('refuses %s', async (_, scheduled_at) => {
    const fetch = stubFetch(json({}));
    const call = makeClient({ fetch }).posts.create({ ...post, scheduled_at: scheduled_at as Date });
    const { issues } = await caught(call, InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual([['scheduled_at']]);
    expect(fetch.calls).toHaveLength(0);
  });
});
