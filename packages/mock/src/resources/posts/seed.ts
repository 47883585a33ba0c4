import { DAY, HOUR, MINUTE, type Micros, SECOND } from '../../engine/clock.js';
import type { SeedContext } from '../../engine/store.js';
import { ids, PLACES, type Place } from '../../seed/brand.js';
import { pictureOf } from '../../seed/pictures.js';
import { BREADS, capitalise, of, slugify } from '../../seed/prose.js';
import { scatter } from '../../seed/scatter.js';
import { platformsOf } from '../connections.js';
import type { MockPlatform } from '../platforms.js';
import { type Delivery, type PostsState, refOf, type StoredPost } from './post.js';

const COUNT = 150;
/** Posts from this index on are not published yet. */
const FIRST_PENDING = 118;
/** Age of the oldest post. */
const SPAN: Micros = 120 * DAY;

const ERRORS = [
  "Le jeton d'accès a expiré.",
  "L'image n'a pas pu être téléchargée.",
  'La plateforme a refusé la publication.',
] as const;

const TEXTS: readonly ((subject: string, place: Place) => string)[] = [
  (subject, { district }) => `${capitalise(subject)} sort du four à 7 h, ${district} sent déjà bon. On vous en garde ?`,
  (subject, { city }) => `À ${city}, ${subject} se déguste encore tiède. Commandez avant 18 h, passez demain matin.`,
  (subject) => `Dimanche, on prend le temps : ${subject}, un café, et les nouvelles du quartier.`,
  (subject, { district, city }) =>
    `Dans notre fournil ${of(city)} ${district}, ${subject} demande une nuit de repos. Regardez.`,
  (subject) => `Une question revient au comptoir : comment garder ${subject} deux jours ? Réponse en images.`,
];

/** The same `now` gives the same posts. Ids are in the order of creation. */
export function seedPosts({ now, files }: SeedContext): PostsState {
  const items = Array.from({ length: COUNT }, (_, index) => seedPost(index, now, files));
  return { next_id: 1001, items: [...items, outsidePost(now, files)], failures: [] };
}

function seedPost(index: number, now: Micros, files: string): StoredPost {
  const at = index % PLACES.length;
  const place = PLACES[at] as Place;
  const pending = index >= FIRST_PENDING;
  const failed = !pending && index % 9 === 4;
  const created_at = now - Math.round(SPAN * (1 - (index + 1) / (COUNT + 1))) - scatter(index, 11, 50 * MINUTE);
  // Pending posts are hours away, so that they are still pending at the end of a slow test.
  const scheduled_at = pending ? now + (index - FIRST_PENDING) * 14 * HOUR + 6 * HOUR : created_at + HOUR;
  const platforms = chosen(platformsOf(place, at), index);
  const deliveries = platforms.map((platform, position) =>
    seedDelivery(
      index + 1,
      platform,
      scheduled_at,
      pending ? 'pending' : failed && position === 0 ? 'error' : 'published',
    ),
  );
  const subject = BREADS[scatter(index, 14, BREADS.length)] ?? BREADS[0];
  const text = TEXTS[scatter(index, 12, TEXTS.length)] as (typeof TEXTS)[number];
  const image = (number: number) => pictureOf(files, subject, index + number);
  return {
    id: index + 1,
    sphere_id: ids.sphere,
    bulle_id: place.id,
    content: text(subject, place),
    image_url: index % 3 === 1 ? image(1) : null,
    image_urls: index % 7 === 3 ? [image(1), image(2), image(3)] : null,
    video_url: index % 20 === 9 ? `https://videos.example.com/fournils/${slugify(subject)}.mp4` : null,
    deliveries,
    immediate: false,
    created_at,
    updated_at: pending ? created_at : scheduled_at + 3 * SECOND,
    warnings: [],
  };
}

/** One to three platforms of a location. Each post begins with another platform. */
function chosen(platforms: readonly MockPlatform[], index: number): MockPlatform[] {
  const count = 1 + (index % 3);
  return platforms.filter((_, position) => (position + index) % platforms.length < count);
}

function seedDelivery(
  id: number,
  platform: MockPlatform,
  scheduled_at: Micros,
  state: 'pending' | 'error' | 'published',
): Delivery {
  return {
    platform,
    own: false,
    scheduled_at,
    published_at: state === 'published' ? scheduled_at + 3 * SECOND : null,
    error: state === 'error' ? (ERRORS[id % ERRORS.length] ?? null) : null,
    ref: state === 'published' ? refOf(id, platform) : null,
  };
}

/** A post of the other brand. Every key of this brand gets a 403 for it. */
const outsidePost = (now: Micros, files: string): StoredPost => ({
  ...seedPost(0, now, files),
  id: ids.outside.post,
  sphere_id: ids.outside.sphere,
  bulle_id: ids.outside.bulle,
  content: 'La criée a été généreuse : bars, soles et encornets ce matin.',
});
