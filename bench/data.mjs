// The responses that all candidates get, of the sizes that the service gives.

const text = (length) =>
  'Sortez les ingrédients une heure avant, et laissez la pâte prendre son temps. '.repeat(length / 80);
const PAGE = 50;
const FIRST_ID = 1_000_000;
/** The articles change once a second. */
const FIRST = Date.UTC(2026, 0, 1);
const timestampOf = (index) => new Date(FIRST + index * 1_000).toISOString();

/** An article of 6 kB. */
function articleOf(index) {
  return {
    id: FIRST_ID + index,
    title: 'Pain perdu aux pommes : la recette de nos boulangers',
    excerpt: text(160),
    content_html: `<p>${text(5_000)}</p>`,
    featured_image_url: 'https://images.example.com/pain-perdu-aux-pommes.jpg',
    meta_title: 'Pain perdu aux pommes',
    meta_description: text(160),
    target_keyword: 'recette pain perdu aux pommes',
    category: 'Recettes',
    status: 'published',
    published_at: '2025-09-18T05:09:36.860131+00:00',
    created_at: '2025-09-17T22:07:12.934849+00:00',
    updated_at: timestampOf(index),
    slug: 'pain-perdu-aux-pommes-la-recette-de-nos-boulangers',
    bulle_id: 'bul_lyon_croix_rousse',
    bulle_name: 'Lyon Croix-Rousse',
  };
}

const PLATFORMS = ['instagram', 'facebook', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];
const perPlatform = (field, value) =>
  Object.fromEntries(PLATFORMS.map((name) => [`${field}_${name}`, ['facebook', 'gmb'].includes(name) ? value : null]));

function postOf(index) {
  return {
    id: 5_000 + index,
    bulle_id: 'bul_lyon_croix_rousse',
    content: text(80),
    platforms: ['facebook', 'gmb'],
    status: 'published',
    image_url: 'https://images.example.com/brioche.jpg',
    image_urls: null,
    video_url: null,
    ...perPlatform('scheduled', '2026-11-01T08:00:00+00:00'),
    ...perPlatform('published', '2026-11-01T08:00:04.120034+00:00'),
    ...perPlatform('error', null),
    platform_refs: { facebook: '1029384756_5647382910', gmb: 'accounts/1/locations/2/localPosts/3' },
    created_at: '2026-10-30T08:00:00.000000+00:00',
    updated_at: '2026-11-01T08:00:04.120034+00:00',
    warnings: [],
  };
}

export const ARTICLE = JSON.stringify(articleOf(42));
/** A page of 100 posts with all their fields. */
export const POSTS = JSON.stringify(Array.from({ length: 100 }, (_, index) => postOf(index)));

// A page in bytes, prepared before the requests. A response is a copy of it with other ids, timestamps and another total.
const ARTICLES = Array.from({ length: PAGE }, (_, index) => JSON.stringify(articleOf(index)));
const BODY = Buffer.from(`{"articles":[${ARTICLES}],"total":       ,"limit":${PAGE},"offset":0}`);
const START = BODY.indexOf('[') + 1;
const END = BODY.lastIndexOf(']');
/** From an article to the next one. All have the same number of bytes. */
const STRIDE = (END + 1 - START) / PAGE;
const ID_AT = BODY.indexOf(String(FIRST_ID));
const TIMESTAMP_AT = BODY.indexOf(timestampOf(0));
const TOTAL_AT = BODY.indexOf('"total":', END) + '"total":'.length;

/** The articles after the timestamp, as `GET /articles` returns them for a service with so many. Copy the bytes to keep them. */
export function pageOf(total, updated_since) {
  const first = Math.max(0, (Date.parse(updated_since) - FIRST) / 1_000 + 1);
  const length = Math.min(PAGE, total - first);
  for (let place = 0; place < length; place++) {
    BODY.write(String(FIRST_ID + first + place), place * STRIDE + ID_AT);
    BODY.write(timestampOf(first + place), place * STRIDE + TIMESTAMP_AT);
  }
  BODY.write(String(total - first).padStart(7), TOTAL_AT);
  if (length === PAGE) return BODY;
  return Buffer.concat([BODY.subarray(0, START + Math.max(0, length * STRIDE - 1)), BODY.subarray(END)]);
}
