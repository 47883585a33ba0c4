import type { MockPlatform } from '../helper-types.js';
import type { Brand, Bulle, Connection, Fiche, Site } from '../model/brand.js';
import type { SeedContext } from '../store.js';
import { DAY, HOUR, MINUTE, type Micros } from '../timestamps.js';

const SPHERE = 'sph_fournils_augustine';
const OUTSIDE_SPHERE = 'sph_maree_haute';
const ACCOUNT = 'accounts/104829175630284517';

/** See MockIds in types.ts. */
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

export interface Place {
  readonly id: string;
  readonly city: string;
  /** The district, as the shop's sign says it. */
  readonly district: string;
  readonly address: string;
  readonly location: string | null;
  readonly tone?: string;
  readonly language?: string;
}

// The one without a listing has opened last. Tones and languages are the brand's where none is given.
export const PLACES: readonly Place[] = [
  {
    id: ids.bulle,
    city: 'Lyon',
    district: 'Croix-Rousse',
    address: '14 rue du Mail, 69004 Lyon',
    location: '8837120495561027345',
  },
  {
    id: 'bul_paris_batignolles',
    city: 'Paris',
    district: 'Batignolles',
    address: '52 rue des Dames, 75017 Paris',
    location: '5120938847561203394',
    tone: 'élégant',
  },
  {
    id: ids.otherBulle,
    city: 'Bordeaux',
    district: 'Saint-Michel',
    address: '7 rue des Faures, 33800 Bordeaux',
    location: '7745102938475610293',
  },
  {
    id: 'bul_marseille_vauban',
    city: 'Marseille',
    district: 'Vauban',
    address: '88 boulevard Vauban, 13006 Marseille',
    location: '3391827465019283746',
    tone: 'familier',
  },
  {
    id: 'bul_lille_wazemmes',
    city: 'Lille',
    district: 'Wazemmes',
    address: '23 rue des Sarrazins, 59000 Lille',
    location: '6610293847561029384',
  },
  {
    id: 'bul_nantes_talensac',
    city: 'Nantes',
    district: 'Talensac',
    address: '5 rue Talensac, 44000 Nantes',
    location: '1920384756102938475',
  },
  {
    id: 'bul_strasbourg_krutenau',
    city: 'Strasbourg',
    district: 'Krutenau',
    address: '31 rue de Zurich, 67000 Strasbourg',
    location: '4475610293847561029',
    language: 'de',
  },
  {
    id: 'bul_toulouse_carmes',
    city: 'Toulouse',
    district: 'Carmes',
    address: '18 rue des Filatiers, 31000 Toulouse',
    location: '8203847561029384756',
  },
  {
    id: 'bul_rennes_lices',
    city: 'Rennes',
    district: 'Les Lices',
    address: '9 rue Saint-Louis, 35000 Rennes',
    location: '2938475610293847561',
  },
  {
    id: 'bul_montpellier_beaux_arts',
    city: 'Montpellier',
    district: 'Beaux-Arts',
    address: '42 rue Proudhon, 34090 Montpellier',
    location: '5610293847561029384',
  },
  {
    id: 'bul_dijon_les_halles',
    city: 'Dijon',
    district: 'Les Halles',
    address: '3 rue Bannelier, 21000 Dijon',
    location: '9384756102938475610',
  },
  {
    id: 'bul_grenoble_championnet',
    city: 'Grenoble',
    district: 'Championnet',
    address: '27 rue Lakanal, 38000 Grenoble',
    location: '7561029384756102938',
    tone: 'chaleureux',
  },
  {
    id: ids.bulleWithoutFiche,
    city: 'Annecy',
    district: 'Vieille Ville',
    address: '11 rue Sainte-Claire, 74000 Annecy',
    location: null,
  },
];

/** The listings of the brand, in the order of its locations. */
export const FICHE_IDS: readonly string[] = PLACES.flatMap(({ location }) =>
  location === null ? [] : [`${ACCOUNT}/locations/${location}`],
);

export const nameOf = ({ city, district }: Place): string => `Les Fournils d'Augustine – ${city} ${district}`;

function seedFiches(): Fiche[] {
  return PLACES.flatMap((place, index) =>
    place.location === null
      ? []
      : [
          {
            id: `${ACCOUNT}/locations/${place.location}`,
            name: nameOf(place),
            address: place.address,
            // Grenoble delivers to restaurants around: a listing with a service area.
            service_area: place.city === 'Grenoble',
            place_id: `ChIJ${place.location.slice(0, 9)}mOcK${String(index).padStart(2, '0')}`,
            bulle_id: place.id,
          },
        ],
  );
}

const ACCOUNTS: Readonly<Record<string, (place: Place) => string>> = {
  facebook: ({ city }) => `Les Fournils d'Augustine ${city}`,
  instagram: ({ city }) => `@fournils.augustine.${city.toLowerCase()}`,
  gmb: nameOf,
  linkedin: () => "Les Fournils d'Augustine",
  pinterest: () => 'fournilsaugustine',
  tiktok: ({ city }) => `@augustine.${city.toLowerCase()}`,
  youtube: () => "La chaîne d'Augustine",
};

/** Which platforms a location has accounts on. Snapchat: nowhere, so that there is a platform to be refused. */
export function platformsOf(place: Place, index: number): MockPlatform[] {
  const base: MockPlatform[] = place.location === null ? ['facebook', 'instagram'] : ['facebook', 'instagram', 'gmb'];
  const more: MockPlatform[][] = [
    index % 2 === 0 ? ['linkedin'] : [],
    index % 3 === 0 ? ['pinterest'] : [],
    index % 4 === 1 ? ['tiktok'] : [],
    index === 1 ? ['youtube'] : [],
  ];
  return [...base, ...more.flat()];
}

function seedConnections(now: Micros): Connection[] {
  return PLACES.flatMap((place, index) =>
    platformsOf(place, index).map((platform, position) => {
      // Three sorts of trouble, none at the first location: withdrawn, expired, and about to need a new consent.
      const withdrawn = index === 4 && platform === 'linkedin';
      const expired = index === 7 && platform === 'instagram';
      const renewal = index === 2 && platform === 'facebook';
      const left = expired ? -6 * DAY : (20 + ((index * 7 + position * 11) % 50)) * DAY;
      const wholeMinute = now - (now % MINUTE);
      return {
        platform,
        connected: !withdrawn,
        name: ACCOUNTS[platform]?.(place) ?? nameOf(place),
        bulle_id: place.id,
        expires_at: wholeMinute + left + (position + 1) * HOUR,
        needs_reconnect: withdrawn || expired || renewal,
      };
    }),
  );
}

const WORDPRESS = { platform: 'wordpress', has_api_key: true, wp_version: '6.8.3', plugin_version: '2.4.1' } as const;

const SITES: readonly Site[] = [
  {
    ...WORDPRESS,
    id: 11,
    site_url: 'https://www.fournils-augustine.example',
    site_name: "Les Fournils d'Augustine",
    sphere_id: SPHERE,
    bulle_id: null,
    is_shared: true,
    theme_name: 'Levain',
  },
  {
    ...WORDPRESS,
    id: 12,
    site_url: 'https://lyon.fournils-augustine.example',
    site_name: 'Le journal de la Croix-Rousse',
    sphere_id: SPHERE,
    bulle_id: ids.bulle,
    is_shared: false,
    theme_name: 'Levain',
  },
  {
    platform: 'wix',
    id: 21,
    site_url: 'https://bordeaux.fournils-augustine.example',
    site_name: 'Les Fournils à Bordeaux',
    sphere_id: SPHERE,
    bulle_id: ids.otherBulle,
    is_shared: false,
    has_token: true,
  },
  {
    ...WORDPRESS,
    id: 91,
    site_url: 'https://www.maree-haute.example',
    site_name: 'Marée Haute',
    sphere_id: OUTSIDE_SPHERE,
    bulle_id: null,
    is_shared: true,
    theme_name: 'Océan',
  },
];

/** The address that search engines know a location of the brand by: its own site's, else the one that all share. */
export function siteUrlOf(bulleId: string): string {
  const own = SITES.find(({ bulle_id }) => bulle_id === bulleId);
  const shared = SITES.find(({ is_shared }) => is_shared);
  return `${(own ?? shared)?.site_url}/`;
}

/** The brand of the keys, a bakery chain, and a fishmonger's that no key of it may reach. */
export function seedBrand({ now }: SeedContext): Brand {
  const bulles: Bulle[] = PLACES.map((place, index) => ({
    id: place.id,
    name: nameOf(place),
    city: place.city,
    tone: place.tone ?? null,
    language: place.language ?? null,
    sphere_id: SPHERE,
    created_at: now - (900 - index * 60) * DAY - index * 7_919_123,
  }));
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
      ...seedFiches(),
      {
        id: ids.outside.fiche,
        name: outside.name,
        address: '2 quai Duperré, 17000 La Rochelle',
        service_area: false,
        place_id: 'ChIJ229847103mOcK90',
        bulle_id: ids.outside.bulle,
      },
    ],
    connections: [
      ...seedConnections(now),
      {
        platform: 'facebook',
        connected: true,
        name: 'Marée Haute',
        bulle_id: ids.outside.bulle,
        expires_at: now + 30 * DAY,
        needs_reconnect: false,
      },
    ],
    sites: SITES,
  };
}
