import { formatDay, formatInstant, fromMillis, toMillis } from '../engine/clock.js';
import { HttpError, ok } from '../engine/http.js';
import type { Service, Slice } from '../engine/store.js';
import type { MockQuotaName } from '../settings.js';

/** The French name of each monthly quota in refusals. */
const LABELS: Readonly<Record<MockQuotaName, string>> = {
  articles: "de création d'articles",
  social: 'de publications sociales',
  sms: "de demandes d'avis par SMS",
  email: "de demandes d'avis par e-mail",
  seo_scans: "d'analyses SEO",
};

/** Uses by `name:owner:month`, which several resources count. The owner is a sphere or a location, depending on the quota. */
export const quotasSlice: Slice<Record<string, number>> = { name: 'quotas', seed: () => ({}) };

const counter = ({ clock }: Service, name: MockQuotaName, owner: string): string =>
  `${name}:${owner}:${formatDay(clock.now()).slice(0, 7)}`;

/** A monthly quota. Refuses with 429 if fewer than `uses` are left. Nothing is used up. */
export function quotaOf(service: Service, name: MockQuotaName, owner: string, uses = 0) {
  const now = new Date(toMillis(service.clock.now()));
  const resets_at = formatInstant(fromMillis(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));
  const limit = service.settings.quotas[name];
  const used = service.store.get(quotasSlice)[counter(service, name, owner)] ?? 0;
  const quota = { limit, used, remaining: Math.max(0, limit - used), resets_at };
  if (uses <= quota.remaining) return quota;
  // No `Retry-After`, because the wait until the next month is too long for a retry.
  throw new HttpError(429, `Quota mensuel ${LABELS[name]} dépassé (${used}/${limit}).`, { quota });
}

const UNKNOWN = { limit: null, used: null, remaining: null, resets_at: null };

/** The response to `dry_run`: each has the current quota. For operations without one in the specification, nothing is known of it. */
export const previewed = (would: object, quota: object = UNKNOWN) => ok({ dry_run: true, ...would, quota });

export function useQuota(service: Service, name: MockQuotaName, owner: string, uses: number) {
  const { used } = quotaOf(service, name, owner, uses);
  // Zero uses leave the state as it was.
  if (uses > 0) service.store.get(quotasSlice)[counter(service, name, owner)] = used + uses;
  return quotaOf(service, name, owner);
}
