import type { Listing, VisibilityScan } from '../model/listings.js';
import type { SeedContext } from '../store.js';
import { DAY, HOUR } from '../timestamps.js';
import { FICHE_IDS, ids, nameOf, PLACES } from './brand.js';
import { letters, saltOf, scatter } from './scatter.js';

/** What the owner of a listing can fill in. The last two are missing at some, so that audits have something to say. */
export function seedListings({ now }: SeedContext): Record<string, Listing> {
  return Object.fromEntries(
    FICHE_IDS.map((id, index) => {
      const place = PLACES[index];
      const profile = {
        phone: `+33 4 ${String(10_000_000 + scatter(index, 41, 89_999_999)).replace(/(..)(?=.)/g, '$1 ')}`,
        category: 'Boulangerie',
        website: `https://www.fournils-augustine.example/${place?.city.toLowerCase() ?? ''}`,
        ...(index % 3 === 0 ? {} : { hours: 'Mo-Sa 07:00-19:30, Su 07:00-13:00' }),
        ...(index % 2 === 0
          ? {}
          : {
              description: `${place === undefined ? '' : nameOf(place)}, boulangerie artisanale : levain, blés de pays.`,
            }),
      };
      const breakdown = {
        profile: 35 + scatter(index, 42, 40),
        rating: 60 + scatter(index, 43, 35),
        replies: 20 + scatter(index, 44, 60),
      };
      return [id, { profile, breakdown, scored_at: now - (6 + scatter(index, 45, 30)) * DAY }];
    }),
  );
}

export function seedScans({ now }: SeedContext): Record<string, VisibilityScan> {
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
