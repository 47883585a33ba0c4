import { accepted, ok, type Reply } from '../http.js';
import { schedule } from '../jobs.js';
import { requestsSlice, type StoredRequest } from '../model/acquisition.js';
import { checkQuota, useQuota } from '../model/quotas.js';
import { targetFiche } from '../scope.js';
import { letters } from '../seed/scatter.js';
import type { Exchange, Resource, Service } from '../service.js';
import { DAY, MINUTE } from '../timestamps.js';
import {
  bodyTarget,
  type Fields,
  optionalText,
  queryTarget,
  readDryRun,
  requiredChoice,
  requiredObjects,
  requiredText,
} from '../validate.js';

const SEND_JOB = 'acquisition.send';
const CHANNELS = ['sms', 'email'] as const;

function stats({ service, key, query }: Exchange): Reply {
  const fiche = targetFiche(service.store, key, queryTarget(query, 'fiche_id'));
  const requests = service.store.get(requestsSlice).filter(({ fiche_id }) => fiche_id === fiche.id);
  const count = (matches: (request: StoredRequest) => boolean) => requests.filter(matches).length;
  const since = service.clock.now() - 30 * DAY;
  const states = ['queued', 'sent', 'opened', 'reviewed', 'failed'] as const;
  return ok({
    fiche_id: fiche.id,
    total_requests: requests.length,
    by_channel: { sms: count(({ channel }) => channel === 'sms'), email: count(({ channel }) => channel === 'email') },
    by_status: Object.fromEntries(states.map((state) => [state, count(({ status }) => status === state)])),
    last_30_days: count(({ created_at }) => created_at > since),
  });
}

/** POST /acquisition/review-requests: all contacts, or none when one of the two quotas does not hold for them. */
function requestReviews({ service, key, body }: Exchange): Reply {
  const contacts = requiredObjects(body, 'contacts').map(readContact);
  const dryRun = readDryRun(body);
  const fiche = targetFiche(service.store, key, bodyTarget(body, 'fiche_id'));
  const { bulle_id } = fiche;
  const uses = (wanted: string) => contacts.filter(({ channel }) => channel === wanted).length;
  const quota = {
    sms: checkQuota(service, 'sms', bulle_id, uses('sms')),
    email: checkQuota(service, 'email', bulle_id, uses('email')),
  };
  if (dryRun) {
    return ok({
      dry_run: true,
      fiche_id: fiche.id,
      fiche_name: fiche.name,
      would_queue: contacts.length,
      would_contact: contacts,
      quota,
    });
  }
  for (const channel of CHANNELS) useQuota(service, channel, bulle_id, uses(channel));
  const requests = service.store.get(requestsSlice);
  const batch_id = `batch_${letters(50_000 + requests.length, 10)}`;
  const created_at = service.clock.stamp();
  for (const { channel } of contacts) {
    requests.push({ batch_id, fiche_id: fiche.id, channel, status: 'queued', created_at });
  }
  schedule(service.store, { kind: SEND_JOB, id: batch_id, at: service.clock.now() + MINUTE });
  return accepted({
    queued: true,
    queued_count: contacts.length,
    batch_id,
    contacts,
    fiche_name: fiche.name,
  });
}

/** A contact as `requiredObjects` names its fields: which one is missing depends on the channel. */
function readContact(fields: Fields, index: number) {
  const at = `contacts[${index}]`;
  const customer_name = requiredText(fields, `${at}.customer_name`, { min: 1 });
  const channel = requiredChoice(fields, `${at}.channel`, CHANNELS);
  const read = (name: string, wanted: string) =>
    (channel === wanted ? requiredText : optionalText)(fields, `${at}.${name}`, { min: 1 });
  const phone = read('customer_phone', 'sms');
  const email = read('customer_email', 'email');
  optionalText(fields, `${at}.custom_message`);
  return { customer_name, channel, contact: channel === 'sms' ? phone : email };
}

function markSent({ store }: Service, batch: number | string): void {
  for (const request of store.get(requestsSlice)) {
    if (request.batch_id === batch) request.status = 'sent';
  }
}

export const acquisition: Resource = {
  slices: [requestsSlice],
  jobs: { [SEND_JOB]: markSent },
  routes: [
    {
      method: 'GET',
      path: '/acquisition/stats',
      permission: 'read',
      operation: 'acquisition.stats',
      handle: stats,
    },
    {
      method: 'POST',
      path: '/acquisition/review-requests',
      permission: 'publish',
      operation: 'acquisition.requestReviews',
      handle: requestReviews,
    },
  ],
};
