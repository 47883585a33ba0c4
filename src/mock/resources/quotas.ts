import { formatInstant, formatMonth } from '../engine/clock.js';
import { HttpError } from '../engine/http.js';
import type { Resource } from '../engine/router.js';
import type { Service, Slice } from '../engine/store.js';
import type { MockQuotaName } from '../settings.js';

/** A monthly quota, as refusals (429) and previews show it. */
export interface MockQuota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the count starts again: the first instant of the next month (UTC). */
  readonly resets_at: string;
}

/** What each monthly quota is called in a refusal. */
const LABELS: Readonly<Record<MockQuotaName, string>> = {
  articles: "de création d'articles",
  social: 'de publications sociales',
  sms: "de demandes d'avis par SMS",
  email: "de demandes d'avis par e-mail",
  seo_scans: "d'analyses SEO",
};

/** Uses by `name:owner:month`; the owner is a sphere or a location, as the quota is counted. */
const quotasSlice: Slice<Record<string, number>> = { name: 'quotas', seed: () => ({}) };

const counter = (service: Service, name: MockQuotaName, owner: string): string =>
  `${name}:${owner}:${formatMonth(service.clock.now())}`;

export function quotaOf(service: Service, name: MockQuotaName, owner: string): MockQuota {
  const limit = service.settings.quotas[name];
  const used = service.store.get(quotasSlice)[counter(service, name, owner)] ?? 0;
  return { limit, used, remaining: Math.max(0, limit - used), resets_at: formatInstant(nextMonth(service)) };
}

/** Refuses with 429 if fewer than `uses` are left. Nothing is used up. */
export function checkQuota(service: Service, name: MockQuotaName, owner: string, uses: number): MockQuota {
  const quota = quotaOf(service, name, owner);
  if (uses > quota.remaining) {
    // No `Retry-After`: a monthly quota does not come back within a useful time.
    throw new HttpError(429, `Quota mensuel ${LABELS[name]} dépassé (${quota.used}/${quota.limit}).`, {
      fields: { quota },
    });
  }
  return quota;
}

export function useQuota(service: Service, name: MockQuotaName, owner: string, uses: number): MockQuota {
  checkQuota(service, name, owner, uses);
  const counts = service.store.get(quotasSlice);
  const key = counter(service, name, owner);
  // Zero uses leave the state as it was.
  if (uses > 0) counts[key] = (counts[key] ?? 0) + uses;
  return quotaOf(service, name, owner);
}

function nextMonth(service: Service): number {
  const now = new Date(service.clock.now() / 1000);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) * 1000;
}

/** Several resources count their uses here. Only GET /social/quota shows a count. */
export const quotas: Resource<never> = { routes: [], slices: [quotasSlice] };
