import { DAY, type Micros } from '../engine/clock.js';
import type { SeedContext } from '../engine/store.js';

const SPHERE = 'sph_fournils_augustine';
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
  readonly posts: {
    /** A post that is online. */
    readonly published: number;
    /** A post that failed on its platform. */
    readonly error: number;
    /** A post that is due later. */
    readonly pending: number;
  };
  /** A review of `fiche` without a reply. Its id contains slashes. */
  readonly review: string;
  /** Ids of another brand. Every key of this brand gets a 403 for them. */
  readonly outside: {
    /** A location. */
    readonly bulle: string;
    /** A listing. */
    readonly fiche: string;
    /** An article. */
    readonly article: number;
    /** A post. */
    readonly post: number;
    /** A review. Its id contains no slash. */
    readonly review: string;
  };
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

export interface Sphere {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly default_language: string;
  readonly default_tone: string;
  readonly created_at: Micros;
}

export interface Bulle {
  readonly id: string;
  readonly name: string;
  readonly city: string;
  /** `null`: the sphere's. */
  readonly tone: string | null;
  readonly language: string | null;
  readonly sphere_id: string;
  readonly created_at: Micros;
}

/** A Google business listing. */
export interface Fiche {
  readonly id: string;
  name: string;
  address: string;
  readonly service_area: boolean;
  readonly place_id: string;
  readonly bulle_id: string;
}

/** The brand of the keys, and a second one that no key covers. */
export interface Brand {
  readonly spheres: readonly Sphere[];
  readonly bulles: Bulle[];
  readonly fiches: Fiche[];
}

export interface Place {
  readonly id: string;
  readonly city: string;
  /** The district, as on the shop's sign. */
  readonly district: string;
  readonly address: string;
  /** The number of its Google listing. */
  readonly location: string | null;
  readonly tone?: string;
  readonly language?: string;
  /** Default: the name of the brand, the city and the district. */
  readonly name?: string;
}

const place = (
  id: string,
  city: string,
  district: string,
  address: string,
  location: string | null,
  own: { readonly tone?: string; readonly language?: string } = {},
): Place => ({ id, city, district, address, location, ...own });

// The location without a listing opened last. Tones and languages default to the brand's.
export const PLACES: readonly Place[] = [
  place(ids.bulle, 'Lyon', 'Croix-Rousse', '14 rue du Mail, 69004 Lyon', '8837120495561027345'),
  place('bul_paris_batignolles', 'Paris', 'Batignolles', '52 rue des Dames, 75017 Paris', '5120938847561203394', {
    tone: 'élégant',
  }),
  place(ids.otherBulle, 'Bordeaux', 'Saint-Michel', '7 rue des Faures, 33800 Bordeaux', '7745102938475610293'),
  place('bul_marseille_vauban', 'Marseille', 'Vauban', '88 boulevard Vauban, 13006 Marseille', '3391827465019283746', {
    tone: 'familier',
  }),
  place('bul_lille_wazemmes', 'Lille', 'Wazemmes', '23 rue des Sarrazins, 59000 Lille', '6610293847561029384'),
  place('bul_nantes_talensac', 'Nantes', 'Talensac', '5 rue Talensac, 44000 Nantes', '1920384756102938475'),
  place(
    'bul_strasbourg_krutenau',
    'Strasbourg',
    'Krutenau',
    '31 rue de Zurich, 67000 Strasbourg',
    '4475610293847561029',
    { language: 'de' },
  ),
  place('bul_toulouse_carmes', 'Toulouse', 'Carmes', '18 rue des Filatiers, 31000 Toulouse', '8203847561029384756'),
  place('bul_rennes_lices', 'Rennes', 'Les Lices', '9 rue Saint-Louis, 35000 Rennes', '2938475610293847561'),
  place(
    'bul_montpellier_beaux_arts',
    'Montpellier',
    'Beaux-Arts',
    '42 rue Proudhon, 34090 Montpellier',
    '5610293847561029384',
  ),
  place('bul_dijon_les_halles', 'Dijon', 'Les Halles', '3 rue Bannelier, 21000 Dijon', '9384756102938475610'),
  place(
    'bul_grenoble_championnet',
    'Grenoble',
    'Championnet',
    '27 rue Lakanal, 38000 Grenoble',
    '7561029384756102938',
    { tone: 'chaleureux' },
  ),
  place(ids.bulleWithoutFiche, 'Annecy', 'Vieille Ville', '11 rue Sainte-Claire, 74000 Annecy', null),
];

/** Towns of the locations beyond those, with their postcodes. */
const TOWNS: readonly (readonly [town: string, postcode: string])[] = [
  ['Angers', '49000'],
  ['Avignon', '84000'],
  ['Besançon', '25000'],
  ['Brest', '29200'],
  ['Caen', '14000'],
  ['Chambéry', '73000'],
  ['Clermont-Ferrand', '63000'],
  ['Colmar', '68000'],
  ['Le Havre', '76600'],
  ['Le Mans', '72000'],
  ['Limoges', '87000'],
  ['Metz', '57000'],
  ['Mulhouse', '68100'],
  ['Nancy', '54000'],
  ['Nice', '06000'],
  ['Nîmes', '30000'],
  ['Orléans', '45000'],
  ['Pau', '64000'],
  ['Perpignan', '66000'],
  ['Poitiers', '86000'],
  ['Quimper', '29000'],
  ['Reims', '51100'],
  ['Rouen', '76000'],
  ['Saint-Étienne', '42000'],
  ['Toulon', '83000'],
  ['Tours', '37000'],
  ['Vannes', '56000'],
];

/** The first locations of the brand, so many. */
export function placesOf(count: number): readonly Place[] {
  const more = Array.from({ length: Math.max(0, count - PLACES.length) }, (_, index) => {
    const [town, postcode] = TOWNS[index % TOWNS.length] as (typeof TOWNS)[0];
    const round = Math.floor(index / TOWNS.length);
    const district = round === 0 ? 'Centre' : `Centre ${round + 1}`;
    const slug = town.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\W/g, '_');
    const location = `4${String(index * 7_919_123_457 + 100_000_000_000_000).padStart(18, '0')}`;
    return place(
      `bul_${slug}_${round + 1}`,
      town,
      district,
      `${index + 2} rue de la République, ${postcode} ${town}`,
      location,
    );
  });
  return [...PLACES, ...more];
}

/** The listings of locations, in their order. */
export function ficheIdsOf(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ location }) => (location === null ? [] : [`${ACCOUNT}/locations/${location}`]));
}

/** The listings of the first locations. */
export const FICHE_IDS = ficheIdsOf(PLACES);

export const nameOf = ({ name, city, district }: Place): string =>
  name ?? `Les Fournils d'Augustine – ${city} ${district}`;

export const bulleOf = (place: Place, created_at: Micros): Bulle => ({
  id: place.id,
  name: nameOf(place),
  city: place.city,
  tone: place.tone ?? null,
  language: place.language ?? null,
  sphere_id: SPHERE,
  created_at,
});

/** The listing of a location. None or one, as a list. */
export function fichesOfPlace(place: Place, index: number): Fiche[] {
  return ficheIdsOf([place]).map((id) => ({
    id,
    name: nameOf(place),
    address: place.address,
    // Grenoble delivers to restaurants around: a listing with a service area.
    service_area: place.city === 'Grenoble',
    place_id: `ChIJ${place.location?.slice(0, 9)}mOcK${String(index).padStart(2, '0')}`,
    bulle_id: place.id,
  }));
}

/** The brand of the keys, a bakery chain, and a fishmonger's that no key covers. */
export function seedBrand({ now, bulles: count }: SeedContext): Brand {
  const places = placesOf(count);
  const bulles = places.map((place, index) =>
    bulleOf(place, now - Math.max(1, 900 - index * 60) * DAY - index * 7_919_123),
  );
  const outside = { name: 'Marée Haute – La Rochelle Vieux Port', city: 'La Rochelle' };
  return {
    spheres: [
      {
        id: SPHERE,
        name: "Les Fournils d'Augustine",
        slug: 'les-fournils-d-augustine',
        default_language: 'fr',
        default_tone: 'professional',
        created_at: now - 910 * DAY,
      },
      {
        id: OUTSIDE_SPHERE,
        name: 'Marée Haute',
        slug: 'maree-haute',
        default_language: 'fr',
        default_tone: 'professional',
        created_at: now - 400 * DAY,
      },
    ],
    bulles: [
      ...bulles,
      {
        id: ids.outside.bulle,
        ...outside,
        tone: null,
        language: null,
        sphere_id: OUTSIDE_SPHERE,
        created_at: now - 395 * DAY,
      },
    ],
    fiches: [
      ...places.flatMap(fichesOfPlace),
      {
        id: ids.outside.fiche,
        name: outside.name,
        address: '2 quai Duperré, 17000 La Rochelle',
        service_area: false,
        place_id: 'ChIJ229847103mOcK90',
        bulle_id: ids.outside.bulle,
      },
    ],
  };
}
