import { quotaExceeded } from '../http.js';
import type { Service } from '../service.js';
import type { Slice } from '../store.js';
import { formatInstant, formatMonth } from '../timestamps.js';
import type { MockQuota } from '../types.js';

/** The monthly quotas that the specification names without values: what each is called in a refusal, and how much. */
const QUOTAS = {
  articles: { label: "de création d'articles", limit: 30 },
  social: { label: 'de publications sociales', limit: 60 },
  sms: { label: "de demandes d'avis par SMS", limit: 50 },
  email: { label: "de demandes d'avis par e-mail", limit: 200 },
  seo_scans: { label: "d'analyses SEO", limit: 8 },
} as const;
export type QuotaName = keyof typeof QUOTAS;

/** Uses by `name:owner:month`; the owner is a sphere or a location, as the quota is counted. */
export const quotasSlice: Slice<Record<string, number>> = { name: 'quotas', seed: () => ({}) };

const counter = (service: Service, name: QuotaName, owner: string): string =>
  `${name}:${owner}:${formatMonth(service.clock.now())}`;

export function quotaOf(service: Service, name: QuotaName, owner: string): MockQuota {
  const { limit } = QUOTAS[name];
  const used = service.store.get(quotasSlice)[counter(service, name, owner)] ?? 0;
  return { limit, used, remaining: Math.max(0, limit - used), resets_at: formatInstant(nextMonth(service)) };
}

/** Refuse with 429 when fewer than `uses` are left; nothing is used up. */
export function checkQuota(service: Service, name: QuotaName, owner: string, uses: number): MockQuota {
  const quota = quotaOf(service, name, owner);
  if (uses > quota.remaining) {
    throw quotaExceeded(`Quota mensuel ${QUOTAS[name].label} dépassé (${quota.used}/${quota.limit}).`, quota);
  }
  return quota;
}

export function useQuota(service: Service, name: QuotaName, owner: string, uses: number): MockQuota {
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
