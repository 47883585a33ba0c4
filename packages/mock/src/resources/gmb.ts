import * as z from 'zod/mini';
import { DAY, formatDay, formatInstant, type Micros } from '../engine/clock.js';
import { ok, type Reply } from '../engine/http.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { bodyTarget, dryRun, integerText, objects, readBody, readQuery, target, text } from '../engine/schema.js';
import { targetFiche } from '../engine/scope.js';
import type { SeedContext, Slice, Store } from '../engine/store.js';
import { type Fiche, ficheIdsOf, nameOf, type Place, placesOf } from '../seed/brand.js';
import { saltOf, scatter } from '../seed/scatter.js';
import { countReviews, reviewsOf } from './reviews/review.js';

/** The parts of a score, 0 to 100 each. */
interface Breakdown {
  readonly profile: number;
  readonly rating: number;
  readonly replies: number;
}

/** The data of a Google listing in addition to its name and address. */
interface Listing {
  readonly profile: Record<string, string>;
  /** The result of the last audit. */
  breakdown: Breakdown;
  scored_at: Micros;
}

/** The fields that the owner of a listing has filled in. Some listings lack the last two, so that audits suggest them. */
export function seedListing(place: Place, index: number, now: Micros): Listing {
  const phone = String(10_000_000 + scatter(index, 41, 89_999_999)).replace(/(..)(?=.)/g, '$1 ');
  return {
    profile: {
      phone: `+33 4 ${phone}`,
      category: 'Boulangerie',
      website: `https://www.fournils-augustine.example/${place.city.toLowerCase()}`,
      ...(index % 3 === 0 ? {} : { hours: 'Mo-Sa 07:00-19:30, Su 07:00-13:00' }),
      ...(index % 2 === 0 ? {} : { description: `${nameOf(place)}, boulangerie artisanale : levain, blés de pays.` }),
    },
    breakdown: {
      profile: 35 + scatter(index, 42, 40),
      rating: 60 + scatter(index, 43, 35),
      replies: 20 + scatter(index, 44, 60),
    },
    scored_at: now - (6 + scatter(index, 45, 30)) * DAY,
  };
}

function seedListings({ now, bulles }: SeedContext): Record<string, Listing> {
  const places = placesOf(bulles).filter(({ location }) => location !== null);
  const listings = places.map((place, index) => seedListing(place, index, now));
  return Object.fromEntries(ficheIdsOf(places).map((id, index) => [id, listings[index] as Listing]));
}

export const listingsSlice: Slice<Record<string, Listing>> = { name: 'listings', seed: seedListings };

function listingOf(store: Store, ficheId: string): Listing {
  const listing = store.get(listingsSlice)[ficheId];
  if (listing === undefined) throw new Error(`the seed has no listing ${ficheId}`);
  return listing;
}

const scoreOf = ({ profile, rating, replies }: Breakdown): number =>
  Math.round(0.5 * profile + 0.25 * rating + 0.25 * replies);

/** The fields of a good listing, with the reason and the suggested value of an audit. */
const WANTED: readonly { readonly field: string; readonly reason: string; readonly suggested_value?: string }[] = [
  { field: 'phone', reason: 'Sans numéro, personne ne peut appeler depuis la fiche.' },
  { field: 'category', reason: 'La catégorie décide des recherches où la fiche apparaît.' },
  { field: 'website', reason: 'Un lien vers le site rassure les clients et Google.' },
  {
    field: 'hours',
    reason: 'Les horaires manquent : la fiche est écartée des recherches « ouvert maintenant ».',
    suggested_value: 'Mo-Sa 07:00-19:30, Su 07:00-13:00',
  },
  {
    field: 'description',
    reason: 'La description est vide : 750 caractères sont disponibles.',
    suggested_value: 'Boulangerie artisanale : pains au levain, viennoiseries pur beurre et galettes de saison.',
  },
];

/** Audits a listing. The handler of the route stores the result. */
function analyse(store: Store, ficheId: string) {
  const { profile } = listingOf(store, ficheId);
  const { average_rating, total_reviews, status_counts } = countReviews(reviewsOf(store, ficheId));
  const missing = WANTED.filter(({ field }) => !profile[field]);
  const breakdown = {
    profile: Math.round((100 * (WANTED.length - missing.length)) / WANTED.length),
    rating: Math.round(20 * average_rating),
    replies: total_reviews === 0 ? 0 : Math.round((100 * status_counts.responded) / total_reviews),
  };
  const waiting = total_reviews - status_counts.responded;
  const suggestions = [
    ...missing,
    ...(waiting === 0 ? [] : [{ field: 'reviews', reason: `${waiting} avis attendent une réponse.` }]),
  ];
  return { breakdown, suggestions, review_count: total_reviews, avg_rating: average_rating };
}

/** A bakery's week, Sunday first: how the interest of a day compares to the average. */
const WEEK = [1.35, 0.6, 0.85, 0.9, 0.95, 1.1, 1.5];

interface Day {
  readonly label: string;
  readonly search: number;
  readonly maps: number;
  readonly calls: number;
  readonly website: number;
  readonly directions: number;
  readonly messages: number;
  readonly bookings: number;
}

/** The figures of a listing for one day. They are always the same for the same listing and day. */
export function figuresOf(ficheId: string, at: Micros): Day {
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

/** Listing metrics of the last `days` days, the current one included. */
function metricsOf(ficheId: string, days: number, now: Micros) {
  const figures = Array.from({ length: days }, (_, index) => figuresOf(ficheId, now - (days - 1 - index) * DAY));
  const sum = (name: Exclude<keyof Day, 'label'>) => figures.reduce((total, day) => total + day[name], 0);
  const kpis = {
    views_total: sum('search') + sum('maps'),
    views_search: sum('search'),
    views_maps: sum('maps'),
    calls: sum('calls'),
    website: sum('website'),
    directions: sum('directions'),
    messages: sum('messages'),
    bookings: sum('bookings'),
  };
  const mobile = Math.round(0.71 * kpis.views_total);
  return {
    kpis,
    timeseries: figures.map(({ label, search, maps, calls, website, directions, messages, bookings }) => ({
      label,
      vues: search + maps,
      interactions: calls + website + directions + messages + bookings,
    })),
    breakdown: { views_mobile: mobile, views_desktop: kpis.views_total - mobile },
  };
}

const metricsQuery = z.object({ period_days: z._default(integerText({ min: 1, max: 90 }), 30), fiche_id: target });

function metrics({ service, key, query }: Exchange): Reply {
  const { period_days, fiche_id } = readQuery(metricsQuery, query);
  const { id, name } = targetFiche(service.store, key, fiche_id);
  return ok({ fiche_id: id, fiche_name: name, period_days, ...metricsOf(id, period_days, service.clock.now()) });
}

const scored = ({ id, name, address }: Fiche, breakdown: Breakdown) => ({
  kind: 'gmb',
  fiche_id: id,
  fiche_name: name,
  display_name: `${name} (${address})`,
  score: scoreOf(breakdown),
  breakdown,
});

const scoreQuery = z.object({ fiche_id: target });

/** GET /gmb/optimizer: the result of the last audit. */
function score({ service, key, query }: Exchange): Reply {
  const fiche = targetFiche(service.store, key, readQuery(scoreQuery, query).fiche_id);
  const { breakdown, scored_at } = listingOf(service.store, fiche.id);
  return ok({ ...scored(fiche, breakdown), scored_at: formatInstant(scored_at) });
}

const auditOrder = z.object({ dry_run: dryRun, fiche_id: bodyTarget });

/** POST /gmb/optimizer/audit: audits the listing with its current reviews. */
function audit({ service, key, body }: Exchange): Reply {
  const { dry_run, fiche_id } = readBody(auditOrder, body);
  const fiche = targetFiche(service.store, key, fiche_id);
  if (dry_run) {
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

const applyOrder = z.object({
  changes: objects(z.object({ field: text({ min: 1 }), value: text({ min: 1 }) })),
  dry_run: dryRun,
  fiche_id: bodyTarget,
});

/** POST /gmb/optimizer/apply: `name` and `address` change everywhere, any other field only in the next audit. */
function apply({ service, key, body }: Exchange): Reply {
  const { changes, dry_run, fiche_id } = readBody(applyOrder, body);
  const fiche = targetFiche(service.store, key, fiche_id);
  const fields = [...new Set(changes.map(({ field }) => field))];
  const preview = { fiche_id: fiche.id, fiche_name: fiche.name, changes, fields };
  if (dry_run) return ok({ dry_run: true, ...preview });
  const { profile } = listingOf(service.store, fiche.id);
  for (const { field, value } of changes) {
    if (field === 'name' || field === 'address') fiche[field] = value;
    else profile[field] = value;
  }
  return ok({ applied: true, ...preview, fiche_name: fiche.name });
}

export const gmb = defineResource({
  slices: [listingsSlice],
  routes: [
    route('GET /gmb/metrics', 'read', 'gmb.metrics', metrics),
    route('GET /gmb/optimizer', 'read', 'gmb.optimizer.score', score),
    route('POST /gmb/optimizer/audit', 'publish', 'gmb.optimizer.audit', audit),
    route('POST /gmb/optimizer/apply', 'publish', 'gmb.optimizer.apply', apply),
  ],
});
