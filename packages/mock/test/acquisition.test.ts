import { describe, expect, test } from 'vitest';
import { api, call, DAY, freshApi } from './helpers.js';

freshApi({ quotas: { sms: 2, email: 3 } });

const LEA = { customer_name: 'Léa', channel: 'sms', customer_phone: '+33600000000' };
const PAUL = {
  customer_name: 'Paul',
  channel: 'email',
  customer_email: 'paul@mail.example',
  custom_message: 'Bonjour !',
};
const ask = (contacts: unknown, more: Record<string, unknown> = {}, key = api.keys.bulle) =>
  call(api, 'POST /acquisition/review-requests', { key, body: { contacts, ...more } });
const stats = async () => {
  const { body } = await call(api, 'GET /acquisition/stats', { key: api.keys.bulle });
  return body as unknown as Record<'by_channel' | 'by_status', Record<string, number>> &
    Record<'total_requests' | 'last_30_days', number>;
};

test('the statistics add up', async () => {
  const { total_requests, by_channel, by_status, last_30_days, ...rest } = await stats();
  expect(rest).toEqual({ fiche_id: api.ids.fiche });
  expect(total_requests).toBeGreaterThan(last_30_days);
  expect(last_30_days).toBeGreaterThan(0);
  for (const parts of [by_channel, by_status]) {
    expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(total_requests);
  }
});

describe('POST /acquisition/review-requests', () => {
  test('queues each contact: 202; the statistics follow, and the requests are sent by the clock', async () => {
    const before = await stats();
    const { status, body } = await ask([LEA, PAUL]);
    expect(status).toBe(202);
    expect(body).toEqual({
      ...{ queued: true, queued_count: 2, batch_id: expect.any(String) },
      contacts: [
        { customer_name: 'Léa', channel: 'sms', contact: '+33600000000' },
        { customer_name: 'Paul', channel: 'email', contact: 'paul@mail.example' },
      ],
      fiche_name: expect.stringContaining('Croix-Rousse'),
    });
    const after = await stats();
    expect(after.total_requests).toBe(before.total_requests + 2);
    expect(after.last_30_days).toBe(before.last_30_days + 2);
    expect(after.by_channel.sms).toBe((before.by_channel.sms ?? 0) + 1);
    expect(after.by_status.queued).toBe(2);
    api.advance(60_000);
    expect((await stats()).by_status).toMatchObject({ queued: 0, sent: (before.by_status.sent ?? 0) + 2 });
    api.advance(40 * DAY);
    expect((await stats()).last_30_days).toBe(0);
  });

  test('two quotas: all contacts or none', async () => {
    const before = api.snapshot();
    const quota = expect.objectContaining({ limit: 2, used: 0, remaining: 2 });
    const body = { detail: "Quota mensuel de demandes d'avis par SMS dépassé (0/2).", quota };
    expect(await ask([LEA, LEA, LEA, PAUL])).toEqual({ status: 429, body });
    expect((await ask([LEA, PAUL, PAUL, PAUL, PAUL])).body.detail).toContain('par e-mail');
    expect(api.snapshot()).toEqual(before);
    expect((await ask([LEA, LEA, PAUL])).status).toBe(202);
    expect((await ask([LEA])).status).toBe(429);
    expect((await ask([PAUL, PAUL])).status).toBe(202);
  });
});
