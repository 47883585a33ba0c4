// The responses that all candidates get, of the sizes that the service gives.

const text = (length) =>
  'Sortez les ingrédients une heure avant, et laissez la pâte prendre son temps. '
    .repeat(Math.ceil(length / 80))
    .slice(0, length);

/** An article as JSON, about 6 kB; the id has seven digits and the timestamp 24 characters, whatever they are. */
export function articleOf(index) {
  const id = 1_000_000 + index;
  const updated_at = timestampOf(index);
  return {
    id,
    title: 'Pain perdu aux pommes : la recette de nos boulangers',
    excerpt: text(160),
    content_html: `<p>${text(5_000)}</p>`,
    featured_image_url: 'https://images.example.com/pain-perdu-aux-pommes.jpg',
    meta_title: 'Pain perdu aux pommes',
    meta_description: text(150),
    target_keyword: 'recette pain perdu aux pommes',
    category: 'Recettes',
    status: 'published',
    published_at: '2025-09-18T05:09:36.860131+00:00',
    created_at: '2025-09-17T22:07:12.934849+00:00',
    updated_at,
    slug: 'pain-perdu-aux-pommes-la-recette-de-nos-boulangers',
    bulle_id: 'bul_lyon_croix_rousse',
    bulle_name: 'Lyon Croix-Rousse',
  };
}

/** The article of each second of a year. */
const FIRST = Date.UTC(2026, 0, 1);
export const timestampOf = (index) => new Date(FIRST + index * 1_000).toISOString();
/** How many articles are not later than the timestamp. */
export const indexAfter = (timestamp) => Math.max(0, (Date.parse(timestamp) - FIRST) / 1_000 + 1);

export const ARTICLE = JSON.stringify(articleOf(42));

/** A page of 50 articles, 300 kB. */
export const ARTICLES = JSON.stringify({
  articles: Array.from({ length: 50 }, (_, index) => articleOf(index)),
  total: 50,
  limit: 50,
  offset: 0,
});

/** The response of `GET /me`. */
export const IDENTITY = JSON.stringify({
  api_version: '2.0',
  bulle: null,
  sphere: { id: 'sph_fournils', name: 'Les Fournils', slug: 'les-fournils' },
  permissions: ['read', 'schedule'],
  rate_limits: { per_minute: 60, per_day: 1000 },
  connected_platforms: ['facebook', 'instagram'],
  gmb_fiches: [{ id: 'accounts/1/locations/2', name: 'Lyon Croix-Rousse', address: '14 rue du Mail, 69004 Lyon' }],
});

const PLATFORMS = ['instagram', 'facebook', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];

/** A page of 100 posts with all their fields, 112 kB. */
export const POSTS = JSON.stringify(
  Array.from({ length: 100 }, (_, index) => ({
    id: 5_000 + index,
    bulle_id: 'bul_lyon_croix_rousse',
    content: text(32),
    platforms: ['facebook', 'gmb'],
    status: 'published',
    image_url: 'https://images.example.com/brioche.jpg',
    image_urls: null,
    video_url: null,
    ...ofPlatforms('scheduled', '2026-11-01T08:00:00+00:00'),
    ...ofPlatforms('published', '2026-11-01T08:00:04.120034+00:00'),
    ...ofPlatforms('error', null),
    platform_refs: { facebook: '1029384756_5647382910', gmb: 'accounts/1/locations/2/localPosts/3' },
    created_at: '2026-10-30T08:00:00.000000+00:00',
    updated_at: '2026-11-01T08:00:04.120034+00:00',
    warnings: [],
  })),
);

function ofPlatforms(field, value) {
  return Object.fromEntries(
    PLATFORMS.map((platform) => [`${field}_${platform}`, ['facebook', 'gmb'].includes(platform) ? value : null]),
  );
}
