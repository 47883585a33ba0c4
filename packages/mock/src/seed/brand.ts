import { DAY, type Micros } from '../engine/clock.js';
import type { SeedContext } from '../engine/store.js';
import { cycle, slugify } from './prose.js';

const SPHERE: string = 'sph_fournils_augustine';
const OUTSIDE_SPHERE = 'sph_maree_haute';
const ACCOUNT = 'accounts/104829175630284517';

/** Ids of the seed for tests. Some of them are not available through the API. */
export interface MockIds {
  /** The brand of all keys. */
  readonly sphere: string;
  /** The location of `keys.bulle`. */
  readonly bulle: string;
  /** The only listing of `bulle`. */
  readonly fiche: string;
  /** Another location of the brand, outside the scope of `keys.bulle`. */
  readonly otherBulle: string;
  /** A location of the brand without a Google listing. */
  readonly bulleWithoutFiche: string;
  /** The only listing of `otherBulle`. */
  readonly otherFiche: string;
  /** A location without an SEO scan. */
  readonly bulleWithoutSeo: string;
  /** A listing without a visibility scan. */
  readonly ficheWithoutScan: string;
  /** Posts of `bulle`, one in each state. */
  readonly posts: Readonly<Record<'published' | 'error' | 'pending', number>>;
  /** A review of `fiche` without a reply. Its id contains slashes. */
  readonly review: string;
  /** Ids of another brand. Every key of this brand gets a 403 for them. */
  readonly outside: Readonly<Record<'bulle' | 'fiche' | 'review', string> & Record<'article' | 'post', number>>;
}

export const ids = {
  sphere: SPHERE,
  bulle: 'bul_lyon_croix_rousse',
  fiche: `${ACCOUNT}/locations/8837120495561027345`,
  otherBulle: 'bul_bordeaux_saint_michel',
  otherFiche: `${ACCOUNT}/locations/7745102938475610293`,
  bulleWithoutFiche: 'bul_annecy_vieille_ville',
  bulleWithoutSeo: 'bul_montpellier_beaux_arts',
  ficheWithoutScan: `${ACCOUNT}/locations/7561029384756102938`,
  posts: { published: 1, error: 14, pending: 131 },
  review: `${ACCOUNT}/locations/8837120495561027345/reviews/AbFvOqkR4Zt7cWmPx0`,
  outside: {
    sphere: OUTSIDE_SPHERE,
    bulle: 'bul_la_rochelle_vieux_port',
    fiche: 'accounts/118203746529104438/locations/2298471036655910284',
    article: 901,
    post: 901,
    review: 'AbFvOqnLm8Xe21sTq7',
  },
} as const;

export const nameOf = (city: string, district: string): string => `Les Fournils d'Augustine – ${city} ${district}`;

/** Id, city, district, address, number of the Google listing, and a tone and a language if they differ from the brand. */
function placeOf(row: string) {
  const [id = '', city = '', district = '', address = '', location, tone, language] = row.split('|');
  const name = nameOf(city, district);
  const fiche = location ? `${ACCOUNT}/locations/${location}` : null;
  return { id, name, city, address, district, fiche, tone: tone || null, language: language || null };
}
export type Place = ReturnType<typeof placeOf>;

// The location without a listing opened last.
export const PLACES: readonly Place[] = [
  'bul_lyon_croix_rousse|Lyon|Croix-Rousse|14 rue du Mail, 69004 Lyon|8837120495561027345',
  'bul_paris_batignolles|Paris|Batignolles|52 rue des Dames, 75017 Paris|5120938847561203394|élégant',
  'bul_bordeaux_saint_michel|Bordeaux|Saint-Michel|7 rue des Faures, 33800 Bordeaux|7745102938475610293',
  'bul_marseille_vauban|Marseille|Vauban|88 boulevard Vauban, 13006 Marseille|3391827465019283746|familier',
  'bul_lille_wazemmes|Lille|Wazemmes|23 rue des Sarrazins, 59000 Lille|6610293847561029384',
  'bul_nantes_talensac|Nantes|Talensac|5 rue Talensac, 44000 Nantes|1920384756102938475',
  'bul_strasbourg_krutenau|Strasbourg|Krutenau|31 rue de Zurich, 67000 Strasbourg|4475610293847561029||de',
  'bul_toulouse_carmes|Toulouse|Carmes|18 rue des Filatiers, 31000 Toulouse|8203847561029384756',
  'bul_rennes_lices|Rennes|Les Lices|9 rue Saint-Louis, 35000 Rennes|2938475610293847561',
  'bul_montpellier_beaux_arts|Montpellier|Beaux-Arts|42 rue Proudhon, 34090 Montpellier|5610293847561029384',
  'bul_dijon_les_halles|Dijon|Les Halles|3 rue Bannelier, 21000 Dijon|9384756102938475610',
  'bul_grenoble_championnet|Grenoble|Championnet|27 rue Lakanal, 38000 Grenoble|7561029384756102938|chaleureux',
  'bul_annecy_vieille_ville|Annecy|Vieille Ville|11 rue Sainte-Claire, 74000 Annecy',
].map(placeOf);

/** Towns of the locations beyond those, with their postcodes. */
const TOWNS = `Angers 49000|Avignon 84000|Besançon 25000|Brest 29200|Caen 14000|Chambéry 73000|Clermont-Ferrand 63000
|Colmar 68000|Le Havre 76600|Le Mans 72000|Limoges 87000|Metz 57000|Mulhouse 68100|Nancy 54000|Nice 06000|Nîmes 30000
|Orléans 45000|Pau 64000|Perpignan 66000|Poitiers 86000|Quimper 29000|Reims 51100|Rouen 76000|Saint-Étienne 42000
|Toulon 83000|Tours 37000|Vannes 56000`.split(/\n?\|/);

/** The first locations of the brand, so many. */
export function placesOf(count: number): readonly Place[] {
  const more = Array.from({ length: Math.max(0, count - PLACES.length) }, (_, index) => {
    const [, town = '', postcode] = /(.+) (\d+)/.exec(cycle(TOWNS, index)) ?? [];
    const round = Math.floor(index / TOWNS.length) + 1;
    const id = `bul_${slugify(town).replaceAll('-', '_')}_${round}`;
    const location = `4${String(index * 7_919_123_457 + 100_000_000_000_000).padStart(18, '0')}`;
    const address = `${index + 2} rue de la République, ${postcode} ${town}`;
    return placeOf(`${id}|${town}|Centre${round === 1 ? '' : ` ${round}`}|${address}|${location}`);
  });
  return [...PLACES, ...more];
}

/** The listings of the first locations. */
export const FICHE_IDS = PLACES.flatMap(({ fiche }) => fiche ?? []);

export const bulleOf = ({ address: _, district: _sign, fiche: _listing, ...row }: Place, created_at: Micros) => {
  return { ...row, sphere_id: SPHERE, created_at };
};
export type Bulle = ReturnType<typeof bulleOf>;

/** The Google listing of a location. None or one, as a list. */
export function fichesOfPlace({ id, name, city, address, fiche }: Place, index: number) {
  if (fiche === null) return [];
  // Grenoble delivers to restaurants around: a listing with a service area.
  const service_area = city === 'Grenoble';
  const place_id = `ChIJ${fiche.split('/').at(-1)?.slice(0, 9)}mOcK${String(index).padStart(2, '0')}`;
  return [{ id: fiche, name, address, service_area, place_id, bulle_id: id }];
}
export type Fiche = ReturnType<typeof fichesOfPlace>[number];

const DEFAULTS = { default_language: 'fr', default_tone: 'professional' };
/** The age is in days. */
const SPHERES = [
  { id: SPHERE, name: "Les Fournils d'Augustine", slug: 'les-fournils-d-augustine', ...DEFAULTS, created_at: 910 },
  { id: OUTSIDE_SPHERE, name: 'Marée Haute', slug: 'maree-haute', ...DEFAULTS, created_at: 400 },
];

/** The brand of the keys, a bakery chain, and a fishmonger's that no key covers. */
export function seedBrand({ now, bulles: count }: SeedContext) {
  const places = placesOf(count);
  const bulles = places.map((place, index) =>
    bulleOf(place, now - Math.max(1, 900 - index * 60) * DAY - index * 7_919_123),
  );
  const { bulle, fiche } = ids.outside;
  const address = '2 quai Duperré, 17000 La Rochelle';
  const outside = {
    ...placeOf(`${bulle}|La Rochelle||${address}|${fiche.split('/').at(-1)}`),
    name: 'Marée Haute – La Rochelle Vieux Port',
    fiche,
  };
  return {
    spheres: SPHERES.map((sphere) => ({ ...sphere, created_at: now - sphere.created_at * DAY })),
    bulles: [...bulles, { ...bulleOf(outside, now - 395 * DAY), sphere_id: OUTSIDE_SPHERE }],
    fiches: [...places.flatMap(fichesOfPlace), ...fichesOfPlace(outside, 90)],
  };
}
