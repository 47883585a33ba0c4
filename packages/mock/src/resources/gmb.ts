import * as z from 'zod/mini';
import { DAY, formatDay, HOUR, type Micros, served } from '../engine/clock.js';
import { ok } from '../engine/http.js';
import { found } from '../engine/options.js';
import { defineResource, route } from '../engine/router.js';
import { dryRun, integerText, objects, text } from '../engine/schema.js';
import { none, on, reading, writing } from '../engine/scope.js';
import type { SeedContext, Store } from '../engine/store.js';
import { FICHE_IDS, type Fiche, ids, type Place, placesOf } from '../seed/brand.js';
import { letters, saltOf, scatter } from '../seed/prose.js';
import { previewed } from './quotas.js';
import { countReviews, reviewsOf } from './reviews.js';

const HOURS = 'Mo-Sa 07:00-19:30, Su 07:00-13:00';

/** A listing: its profile, and the result of the last audit. Some profiles lack the last two fields, so that audits suggest them. */
export function seedListing(place: Place, index: number, now: Micros) {
  const phone = String(10_000_000 + scatter(index, 41, 89_999_999)).replace(/(..)(?=.)/g, '$1 ');
  const profile: Record<string, string> = {
    phone: `+33 4 ${phone}`,
    category: 'Boulangerie',
    website: `https://www.fournils-augustine.example/${place.city.toLowerCase()}`,
    ...(index % 3 === 0 ? {} : { hours: HOURS }),
    ...(index % 2 === 0 ? {} : { description: `${place.name}, boulangerie artisanale : levain, blés de pays.` }),
  };
  const [rating, replies] = [60 + scatter(index, 43, 35), 20 + scatter(index, 44, 60)];
  const breakdown = { profile: 35 + scatter(index, 42, 40), rating, replies };
  return { profile, breakdown, scored_at: now - (6 + scatter(index, 45, 30)) * DAY };
}

type Listing = ReturnType<typeof seedListing>;

function seedListings({ now, bulles }: SeedContext): Record<string, Listing> {
  const places = placesOf(bulles).filter(({ fiche }) => fiche !== null);
  return Object.fromEntries(places.map((place, index) => [place.fiche, seedListing(place, index, now)]));
}

export const listingsSlice = { name: 'listings', seed: seedListings };

const listingOf = (store: Store, ficheId: string): Listing =>
  found(store.get(listingsSlice)[ficheId], `the seed has no listing ${ficheId}`);

/** The fields of a good listing, with the reason and the suggested value of an audit. */
const WANTED: readonly { readonly field: string; readonly reason: string; readonly suggested_value?: string }[] = [
  { field: 'phone', reason: 'Sans numéro, personne ne peut appeler depuis la fiche.' },
  { field: 'category', reason: 'La catégorie décide des recherches où la fiche apparaît.' },
  { field: 'website', reason: 'Un lien vers le site rassure les clients et Google.' },
  {
    field: 'hours',
    reason: 'Les horaires manquent : la fiche est écartée des recherches « ouvert maintenant ».',
    suggested_value: HOURS,
  },
  {
    field: 'description',
    reason: 'La description est vide : 750 caractères sont disponibles.',
    suggested_value: 'Boulangerie artisanale : pains au levain, viennoiseries pur beurre et galettes de saison.',
  },
];

/** A bakery's week, Sunday first: how the interest of a day compares to the average. */
const WEEK = [1.35, 0.6, 0.85, 0.9, 0.95, 1.1, 1.5];

/** The figures of a listing for one day. They are always the same for the same listing and day. */
export function figuresOf(ficheId: string, at: Micros) {
  const day = Math.floor(at / DAY);
  const salt = saltOf(ficheId);
  // Day 0 was a Thursday.
  const weekday = WEEK[(((day + 4) % 7) + 7) % 7] ?? 1;
  const views = Math.round((90 + (salt % 160)) * weekday * (0.8 + scatter(day, salt, 41) / 100));
  const maps = Math.round(views * (0.55 + scatter(day, salt + 1, 15) / 100));
  const share = (step: number, percent: number) => Math.round((views * (percent + scatter(day, salt + step, 4))) / 100);
  return {
    label: formatDay(at),
    search: views - maps,
    maps,
    calls: share(2, 2),
    website: share(3, 3),
    directions: share(4, 6),
    messages: scatter(day, salt + 5, 3),
    bookings: scatter(day, salt + 6, 2),
  };
}

const ACTIONS = ['calls', 'website', 'directions', 'messages', 'bookings'] as const;

const metricsQuery = z.object({ period_days: z._default(integerText({ min: 1, max: 90 }), 30) });

/** GET /gmb/metrics: the last `period_days` days, the current one included. */
const metrics = reading(on.fiche, metricsQuery, ({ clock }, { period_days }, { id, name }) => {
  const now = clock.now();
  const figures = Array.from({ length: period_days }, (_, index) => figuresOf(id, now - index * DAY)).reverse();
  const sum = (figure: (typeof ACTIONS)[number] | 'search' | 'maps') =>
    figures.reduce((total, day) => total + day[figure], 0);
  const [views_search, views_maps] = [sum('search'), sum('maps')];
  const views_total = views_search + views_maps;
  const views_mobile = Math.round(0.71 * views_total);
  return ok({
    fiche_id: id,
    fiche_name: name,
    period_days,
    kpis: { views_total, views_search, views_maps, ...Object.fromEntries(ACTIONS.map((name) => [name, sum(name)])) },
    timeseries: figures.map(({ label, search, maps, ...actions }) => ({
      label,
      vues: search + maps,
      interactions: ACTIONS.reduce((total, figure) => total + actions[figure], 0),
    })),
    breakdown: { views_mobile, views_desktop: views_total - views_mobile },
  });
});

const scored = ({ id, name, address }: Fiche, breakdown: Listing['breakdown']) => {
  const score = Math.round(0.5 * breakdown.profile + 0.25 * breakdown.rating + 0.25 * breakdown.replies);
  return { kind: 'gmb', fiche_id: id, fiche_name: name, display_name: `${name} (${address})`, score, breakdown };
};

const score = reading(on.fiche, none, ({ store }, _, fiche) => {
  const { breakdown, scored_at } = listingOf(store, fiche.id);
  return ok({ ...scored(fiche, breakdown), ...served({ scored_at }) });
});

const auditOrder = z.object({ dry_run: dryRun });

/** POST /gmb/optimizer/audit: audits the listing with its current reviews. */
const audit = writing(on.fiche, auditOrder, ({ store, clock }, { dry_run }, fiche) => {
  if (dry_run) {
    const would_analyse = ['profile', 'rating', 'replies'];
    return previewed({ fiche_id: fiche.id, fiche_name: fiche.name, would_audit: true, would_analyse });
  }
  const listing = listingOf(store, fiche.id);
  const { average_rating, total_reviews, status_counts } = countReviews(reviewsOf(store, fiche.id));
  const missing = WANTED.filter(({ field }) => !listing.profile[field]);
  const waiting = total_reviews - status_counts.responded;
  listing.scored_at = clock.stamp();
  listing.breakdown = {
    profile: Math.round((100 * (WANTED.length - missing.length)) / WANTED.length),
    rating: Math.round(20 * average_rating),
    replies: total_reviews === 0 ? 0 : Math.round((100 * status_counts.responded) / total_reviews),
  };
  const unanswered = { field: 'reviews', reason: `${waiting} avis attendent une réponse.` };
  return ok({
    ...scored(fiche, listing.breakdown),
    suggestions: waiting === 0 ? missing : [...missing, unanswered],
    review_count: total_reviews,
    avg_rating: average_rating,
    ...served({ analyzed_at: listing.scored_at }),
  });
});

const applyOrder = z.object({
  changes: objects(z.object({ field: text({ min: 1 }), value: z.string() })),
  dry_run: dryRun,
});

/** POST /gmb/optimizer/apply: `name` and `address` change everywhere, any other field only in the next audit. */
const apply = writing(on.fiche, applyOrder, ({ store }, { changes, dry_run }, fiche) => {
  const fields = [...new Set(changes.map(({ field }) => field))];
  const preview = { fiche_id: fiche.id, fiche_name: fiche.name, changes, fields };
  if (dry_run) return ok({ dry_run: true, ...preview });
  const { profile } = listingOf(store, fiche.id);
  for (const { field, value } of changes) {
    if (field === 'name' || field === 'address') fiche[field] = value;
    else profile[field] = value;
  }
  return ok({ applied: true, ...preview, fiche_name: fiche.name });
});

function seedScans({ now }: SeedContext): Record<string, object> {
  return Object.fromEntries(
    FICHE_IDS.filter((id) => id !== ids.ficheWithoutScan).map((id, index) => [
      id,
      {
        snapshot_id: `vis_${letters(saltOf(id), 14)}`,
        visibility_score: 38 + scatter(index, 46, 55),
        scanned_at: now - (2 + scatter(index, 47, 9)) * DAY - scatter(index, 48, 20) * HOUR,
      },
    ]),
  );
}

/** The latest scan of each listing that has one. */
const visibilitySlice = { name: 'visibility', seed: seedScans };

/** GET /visibility/scan: the flat form with a scan, `snapshot: null` without one. */
const scan = reading(on.fiche, none, ({ store }, _, { id: fiche_id }) => {
  const found = store.get(visibilitySlice)[fiche_id];
  return ok(found === undefined ? { fiche_id, snapshot: null } : { fiche_id, ...served(found) });
});

/** Listings: figures, optimizer and visibility. */
export const gmb = defineResource({
  slices: [listingsSlice, visibilitySlice],
  routes: [
    route('GET /gmb/metrics', 'read', 'gmb.metrics', metrics),
    route('GET /gmb/optimizer', 'read', 'gmb.optimizer.score', score),
    route('POST /gmb/optimizer/audit', 'publish', 'gmb.optimizer.audit', audit),
    route('POST /gmb/optimizer/apply', 'publish', 'gmb.optimizer.apply', apply),
    route('GET /visibility/scan', 'read', 'visibility.scan', scan),
  ],
});
