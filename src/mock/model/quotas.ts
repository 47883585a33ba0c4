import { quotaExceeded } from '../http.js';
import type { Service } from '../service.js';
import type { Slice } from '../store.js';
import { formatInstant, formatMonth } from '../timestamps.js';
import type { MockQuota, MockQuotaName } from '../types.js';

/** What each monthly quota is called in a refusal. */
const LABELS: Readonly<Record<MockQuotaName, string>> = {
  articles: "de création d'articles",
  social: 'de publications sociales',
  sms: "de demandes d'avis par SMS",
  email: "de demandes d'avis par e-mail",
  seo_scans: "d'analyses SEO",
};

/** Uses by `name:owner:month`; the owner is a sphere or a location, as the quota is counted. */
export const quotasSlice: Slice<Record<string, number>> = { name: 'quotas', seed: () => ({}) };

const counter = (service: Service, name: MockQuotaName, owner: string): string =>
  `${name}:${owner}:${formatMonth(service.clock.now())}`;

export function quotaOf(service: Service, name: MockQuotaName, owner: string): MockQuota {
  const limit = service.settings.quotas[name];
  const used = service.store.get(quotasSlice)[counter(service, name, owner)] ?? 0;
  return { limit, used, remaining: Math.max(0, limit - used), resets_at: formatInstant(nextMonth(service)) };
}

/** Refuse with 429 when fewer than `uses` are left; nothing is used up. */
export function checkQuota(service: Service, name: MockQuotaName, owner: string, uses: number): MockQuota {
  const quota = quotaOf(service, name, owner);
  if (uses > quota.remaining) {
    throw quotaExceeded(`Quota mensuel ${LABELS[name]} dépassé (${quota.used}/${quota.limit}).`, quota);
  }
  return quota;
}

export function useQuota(service: Service, name: MockQuotaName, owner: string, uses: number): MockQuota {
  checkQuota(service, name, owner, uses);
  const counts = service.store.get(quotasSlice);
  const key = counter(service, name, owner);
  // A use of none leaves no trace: the state after it is the state before.
  if (uses > 0) counts[key] = (counts[key] ?? 0) + uses;
  return quotaOf(service, name, owner);
}

function nextMonth(service: Service): number {
  const now = new Date(service.clock.now() / 1000);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) * 1000;
}
