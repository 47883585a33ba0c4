import { ok, type Reply } from '../http.js';
import type { Fiche } from '../model/brand.js';
import { analyse, type Breakdown, listingOf, listingsSlice, scoreOf } from '../model/listings.js';
import { targetFiche } from '../scope.js';
import { seedMetrics } from '../seed/metrics.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';
import { bodyTarget, queryInteger, queryTarget, readDryRun, requiredObjects, requiredText } from '../validate.js';

function metrics({ service, key, query }: Exchange): Reply {
  const period_days = queryInteger(query, 'period_days', { min: 1, max: 90 }) ?? 30;
  const { id, name } = targetFiche(service.store, key, queryTarget(query, 'fiche_id'));
  return ok({ fiche_id: id, fiche_name: name, period_days, ...seedMetrics(id, period_days, service.clock.now()) });
}

const scored = ({ id, name, address }: Fiche, breakdown: Breakdown) => ({
  kind: 'gmb',
  fiche_id: id,
  fiche_name: name,
  display_name: `${name} (${address})`,
  score: scoreOf(breakdown),
  breakdown,
});

/** GET /gmb/optimizer: what the last audit has left. */
function score({ service, key, query }: Exchange): Reply {
  const fiche = targetFiche(service.store, key, queryTarget(query, 'fiche_id'));
  const { breakdown, scored_at } = listingOf(service.store, fiche.id);
  return ok({ ...scored(fiche, breakdown), scored_at: formatInstant(scored_at) });
}

/** POST /gmb/optimizer/audit: looks at the listing and its reviews as they are now. */
function audit({ service, key, body }: Exchange): Reply {
  const dryRun = readDryRun(body);
  const fiche = targetFiche(service.store, key, bodyTarget(body, 'fiche_id'));
  if (dryRun) {
    return ok({
      dry_run: true,
      fiche_id: fiche.id,
      fiche_name: fiche.name,
      would_audit: true,
      would_analyse: ['profile', 'rating', 'replies'],
    });
  }
  const { breakdown, suggestions, review_count, avg_rating } = analyse(service.store, fiche.id);
  const listing = listingOf(service.store, fiche.id);
  listing.breakdown = breakdown;
  listing.scored_at = service.clock.stamp();
  const analyzed_at = formatInstant(listing.scored_at);
  return ok({ ...scored(fiche, breakdown), suggestions, review_count, avg_rating, analyzed_at });
}

/** POST /gmb/optimizer/apply: `name` and `address` show everywhere, any other field in the next audit. */
function apply({ service, key, body }: Exchange): Reply {
  const changes = requiredObjects(body, 'changes').map((change, index) => ({
    field: requiredText(change, `changes[${index}].field`, { min: 1 }),
    value: requiredText(change, `changes[${index}].value`, { min: 1 }),
  }));
  const dryRun = readDryRun(body);
  const fiche = targetFiche(service.store, key, bodyTarget(body, 'fiche_id'));
  const fields = [...new Set(changes.map(({ field }) => field))];
  const preview = { fiche_id: fiche.id, fiche_name: fiche.name, changes, fields };
  if (dryRun) return ok({ dry_run: true, ...preview });
  const { profile } = listingOf(service.store, fiche.id);
  for (const { field, value } of changes) {
    if (field === 'name' || field === 'address') fiche[field] = value;
    else profile[field] = value;
  }
  return ok({ applied: true, ...preview, fiche_name: fiche.name });
}

export const gmb: Resource = {
  slices: [listingsSlice],
  routes: [
    { method: 'GET', path: '/gmb/metrics', permission: 'read', operation: 'gmb.metrics', handle: metrics },
    { method: 'GET', path: '/gmb/optimizer', permission: 'read', operation: 'gmb.optimizer.score', handle: score },
    {
      method: 'POST',
      path: '/gmb/optimizer/audit',
      permission: 'publish',
      operation: 'gmb.optimizer.audit',
      handle: audit,
    },
    {
      method: 'POST',
      path: '/gmb/optimizer/apply',
      permission: 'publish',
      operation: 'gmb.optimizer.apply',
      handle: apply,
    },
  ],
};
