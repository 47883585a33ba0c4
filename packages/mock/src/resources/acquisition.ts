import * as z from 'zod/mini';
import { DAY, HOUR, MINUTE, type Micros } from '../engine/clock.js';
import { accepted, ok } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import { dryRun, objects, required, text } from '../engine/schema.js';
import { none, on, reading, writing } from '../engine/scope.js';
import { type SeedContext, type Service, schedule } from '../engine/store.js';
import { FICHE_IDS } from '../seed/brand.js';
import { cycle, letters, scatter } from '../seed/prose.js';
import { previewed, quotaOf, useQuota } from './quotas.js';

const CHANNELS = ['sms', 'email'] as const;
const STATES = ['queued', 'sent', 'opened', 'reviewed', 'failed'] as const;

/** A review request to one customer. */
const newRequest = (batch_id: string, fiche_id: string, channel: (typeof CHANNELS)[number], created_at: Micros) => {
  return { batch_id, fiche_id, channel, status: STATES[0] as (typeof STATES)[number], created_at };
};
type StoredRequest = ReturnType<typeof newRequest>;

/** Requests of the last two months: fewer at the listings that opened last. */
function seedRequests({ now }: SeedContext): StoredRequest[] {
  return FICHE_IDS.flatMap((fiche_id, at) =>
    Array.from({ length: 18 - at }, (_, index) => {
      const number = at * 100 + index;
      const channel = scatter(number, 31, 3) === 0 ? 'sms' : 'email';
      const created_at = now - index * 4 * DAY - (1 + scatter(number, 33, 20)) * HOUR;
      const status = cycle(['sent', 'opened', 'reviewed', 'sent', 'failed'] as const, scatter(number, 32, 5));
      return { ...newRequest(`batch_${letters(number, 10)}`, fiche_id, channel, created_at), status };
    }),
  );
}

const requestsSlice = { name: 'acquisition', seed: seedRequests };

const SEND_JOB = 'acquisition.send';

const stats = reading(on.fiche, none, ({ store, clock }, _, fiche) => {
  const requests = store.get(requestsSlice).filter(({ fiche_id }) => fiche_id === fiche.id);
  const count = (matches: (request: StoredRequest) => boolean) => requests.filter(matches).length;
  const since = clock.now() - 30 * DAY;
  return ok({
    fiche_id: fiche.id,
    total_requests: requests.length,
    by_channel: { sms: count(({ channel }) => channel === 'sms'), email: count(({ channel }) => channel === 'email') },
    by_status: Object.fromEntries(STATES.map((state) => [state, count(({ status }) => status === state)])),
    last_30_days: count(({ created_at }) => created_at > since),
  });
});

const contact = z
  .object({
    customer_name: text({ min: 1 }),
    channel: z.enum(CHANNELS),
    customer_phone: z.optional(text({ min: 1 })),
    customer_email: z.optional(text({ min: 1 })),
    custom_message: z.optional(z.string()),
  })
  .check(
    z.refine((to) => to.channel !== 'sms' || to.customer_phone !== undefined, required('customer_phone')),
    z.refine((to) => to.channel !== 'email' || to.customer_email !== undefined, required('customer_email')),
  );

const reviewRequests = z.object({ contacts: objects(contact), dry_run: dryRun });

/** POST /acquisition/review-requests: all contacts, or none if one of the two quotas is too small for them. */
const requestReviews = writing(
  on.fiche,
  reviewRequests,
  (exchange, sent, { id: fiche_id, name: fiche_name, bulle_id }) => {
    const contacts = sent.contacts.map(({ customer_name, channel, customer_phone, customer_email }) => ({
      customer_name,
      channel,
      contact: channel === 'sms' ? customer_phone : customer_email,
    }));
    const uses = (wanted: string) => contacts.filter(({ channel }) => channel === wanted).length;
    const quota = {
      sms: quotaOf(exchange, 'sms', bulle_id, uses('sms')),
      email: quotaOf(exchange, 'email', bulle_id, uses('email')),
    };
    const queued_count = contacts.length;
    if (sent.dry_run) {
      return previewed({ fiche_id, fiche_name, would_queue: queued_count, would_contact: contacts }, quota);
    }
    for (const channel of CHANNELS) useQuota(exchange, channel, bulle_id, uses(channel));
    const { store, clock } = exchange;
    const requests = store.get(requestsSlice);
    const batch_id = `batch_${letters(50_000 + requests.length, 10)}`;
    const created_at = clock.stamp();
    for (const { channel } of contacts) requests.push(newRequest(batch_id, fiche_id, channel, created_at));
    schedule(store, { kind: SEND_JOB, id: batch_id, at: clock.now() + MINUTE });
    return accepted({ queued: true, queued_count, batch_id, contacts, fiche_name });
  },
);

function markSent({ store }: Service, batch: number | string): void {
  for (const request of store.get(requestsSlice)) {
    if (request.batch_id === batch) request.status = 'sent';
  }
}

export const acquisition = defineResource({
  slices: [requestsSlice],
  jobs: { [SEND_JOB]: markSent },
  routes: [
    route('GET /acquisition/stats', 'read', 'acquisition.stats', stats),
    route('POST /acquisition/review-requests', 'publish', 'acquisition.requestReviews', requestReviews),
  ],
});
