import { DAY, formatInstant, HOUR, MINUTE, type Micros, SECOND, type Stored, served } from '../engine/clock.js';
import { forbidden } from '../engine/http.js';
import type { Exchange } from '../engine/router.js';
import { BULLE_OUT_OF_SCOPE, covers } from '../engine/scope.js';
import { cancel, type SeedContext, type Service, type Store, schedule } from '../engine/store.js';
import { ids, PLACES, type Place } from '../seed/brand.js';
import { pictureOf } from '../seed/pictures.js';
import { BREADS, capitalise, cycle, letters, of, scatter, slugify } from '../seed/prose.js';
import { findConnection, needsReconnect, platformsOf } from './connections.js';
import { type MockPlatform, PLATFORMS } from './platforms.js';

/** ISO 8601 or a message of the platform. `null` if the platform has none. */
type OnPlatform<Prefix extends string> = Record<`${Prefix}_${MockPlatform}`, string | null>;

/** A post, as GET /posts returns it. */
export interface MockPost extends OnPlatform<'scheduled' | 'published' | 'error'> {
  /** Id of the post. */
  id: number;
  /** The location of the post. */
  bulle_id: string;
  /** Text of the post. */
  content: string;
  /** The platforms that the post targets. */
  platforms: MockPlatform[];
  /**
   * `pending` until all platforms are done, then `error` if one has failed, else `published`. The statuses `scheduled`
   * and `publishing` of POST /posts and the social routes are `pending` here.
   */
  status: 'pending' | 'published' | 'error';
  /** Address of the single image. `null` if there is none. */
  image_url: string | null;
  /** Addresses of the images of a carousel. `null` if the post is not a carousel. */
  image_urls: string[] | null;
  /** Address of the video. `null` if there is none. */
  video_url: string | null;
  /** Reference of each publication by platform. Empty before the first publication. */
  platform_refs: Partial<Record<MockPlatform, string>>;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
  /** French warnings that do not prevent the publication. */
  warnings: string[];
}

/**
 * The publication of a post on one platform. It is pending if it is neither published nor failed. An `own` date does not move
 * with the post's date.
 */
export const delivery = (platform: MockPlatform, scheduled: Micros, own = false) => {
  return { platform, own, scheduled, published: null as Micros | null, error: null as string | null };
};
type Delivery = ReturnType<typeof delivery>;

type Shown = 'platforms' | 'status' | 'platform_refs' | keyof OnPlatform<'scheduled' | 'published' | 'error'>;

export interface StoredPost extends Stored<Omit<MockPost, Shown>> {
  readonly sphere_id: string;
  readonly deliveries: Delivery[];
  /** Whether the social route published it immediately: its status is `publishing` until it is published. */
  readonly immediate: boolean;
}

const COUNT = 150;
/** Posts from this index on are not published yet. */
const FIRST_PENDING = 118;
/** Age of the oldest post. */
const SPAN: Micros = 120 * DAY;

const ERRORS = [
  "Le jeton d'accès a expiré.",
  "L'image n'a pas pu être téléchargée.",
  'La plateforme a refusé la publication.',
];

const TEXTS: readonly ((subject: string, place: Place) => string)[] = [
  (subject, { district }) => `${capitalise(subject)} sort du four à 7 h, ${district} sent déjà bon. On vous en garde ?`,
  (subject, { city }) => `À ${city}, ${subject} se déguste encore tiède. Commandez avant 18 h, passez demain matin.`,
  (subject) => `Dimanche, on prend le temps : ${subject}, un café, et les nouvelles du quartier.`,
  (subject, { district, city }) =>
    `Dans notre fournil ${of(city)} ${district}, ${subject} demande une nuit de repos. Regardez.`,
  (subject) => `Une question revient au comptoir : comment garder ${subject} deux jours ? Réponse en images.`,
];

/** The same `now` gives the same posts. Ids are in the order of creation. */
function seedPosts({ now, files }: SeedContext) {
  const items = Array.from({ length: COUNT }, (_, index) => seedPost(index, now, files));
  // A post of the other brand. Every key of this brand gets a 403 for it.
  const outside: StoredPost = {
    ...seedPost(0, now, files),
    id: ids.outside.post,
    sphere_id: ids.outside.sphere,
    bulle_id: ids.outside.bulle,
    content: 'La criée a été généreuse : bars, soles et encornets ce matin.',
  };
  return { next_id: 1001, items: [...items, outside], failures: [] as { platform: MockPlatform; message: string }[] };
}

function seedPost(index: number, now: Micros, files: string): StoredPost {
  const id = index + 1;
  const place = cycle(PLACES, index);
  const pending = index >= FIRST_PENDING;
  const created_at = now - Math.round(SPAN * (1 - id / (COUNT + 1))) - scatter(index, 11, 50 * MINUTE);
  // Pending posts are hours away, so that they are still pending at the end of a slow test.
  const scheduled = pending ? now + (index - FIRST_PENDING) * 14 * HOUR + 6 * HOUR : created_at + HOUR;
  const published = scheduled + 3 * SECOND;
  const accounts = platformsOf(place, PLACES.indexOf(place));
  // One to three platforms of a location. Each post begins with another platform.
  const platforms = accounts.filter((_, position) => (position + index) % accounts.length < 1 + (index % 3));
  const deliveries = platforms.map((platform, position): Delivery => {
    const failed = !pending && index % 9 === 4 && position === 0;
    const error = failed ? cycle(ERRORS, id) : null;
    return { ...delivery(platform, scheduled), published: pending || failed ? null : published, error };
  });
  const subject = cycle(BREADS, scatter(index, 14, BREADS.length));
  const image = (number: number) => pictureOf(files, subject, index + number);
  return {
    id,
    bulle_id: place.id,
    content: cycle(TEXTS, scatter(index, 12, TEXTS.length))(subject, place),
    image_url: index % 3 === 1 ? image(1) : null,
    image_urls: index % 7 === 3 ? [image(1), image(2), image(3)] : null,
    video_url: index % 20 === 9 ? `https://videos.example.com/fournils/${slugify(subject)}.mp4` : null,
    created_at,
    updated_at: pending ? created_at : published,
    warnings: [],
    sphere_id: ids.sphere,
    deliveries,
    immediate: false,
  };
}

export const postsSlice = { name: 'posts', seed: seedPosts };

export const DELIVER_JOB = 'posts.deliver';
/** Time that the platforms need for an immediate publication of the social route. */
const PUBLISHING_TIME: Micros = 5 * SECOND;

export const findPost = (store: Store, id: number): StoredPost | undefined =>
  store.get(postsSlice).items.find((post) => post.id === id);

/** Adds a post, and publishes it on the platforms whose date has come. */
export function addPost(service: Service, given: Omit<StoredPost, 'id' | 'created_at' | 'updated_at'>): StoredPost {
  const state = service.store.get(postsSlice);
  const now = service.clock.stamp();
  const post = { id: state.next_id, ...given, created_at: now, updated_at: now };
  state.next_id += 1;
  state.items.push(post);
  startDelivery(service, post);
  return post;
}

export const isWaiting = ({ published, error }: Delivery): boolean => published === null && error === null;

/** Publishes on the platforms whose date has passed, and schedules the rest. */
export function startDelivery(service: Service, post: StoredPost): void {
  const now = service.clock.now();
  const due = post.deliveries.filter((delivery) => isWaiting(delivery) && delivery.scheduled <= now);
  if (due.length > 0 && !post.immediate) deliver(service, post, due);
  else planDelivery(service, post);
}

/** Schedules the remaining platforms, each at its date. */
export function planDelivery({ store, clock }: Service, { id, deliveries, immediate }: StoredPost): void {
  cancel(store, DELIVER_JOB, id);
  const dates = deliveries.filter(isWaiting).map(({ scheduled }) => scheduled);
  if (dates.length === 0) return;
  const at = Math.max(Math.min(...dates), clock.now()) + (immediate ? PUBLISHING_TIME : 0);
  schedule(store, { kind: DELIVER_JOB, id, at });
}

/** Does the job that {@link planDelivery} has scheduled. */
export function deliverDue(service: Service, id: number | string, at: Micros): void {
  const post = findPost(service.store, Number(id));
  const due = post?.deliveries.filter((delivery) => isWaiting(delivery) && delivery.scheduled <= at);
  if (post && due) deliver(service, post, due, at);
}

/** Publishes a post on platforms, now or at the time `at` of its schedule, and schedules the rest. */
export function deliver(service: Service, post: StoredPost, deliveries: readonly Delivery[], at?: Micros): void {
  post.updated_at = service.clock.stamp(at);
  const instant = at ?? post.updated_at;
  for (const delivery of deliveries) {
    const { platform } = delivery;
    delivery.error =
      takeFailure(service.store, platform) ?? brokenConnection(service.store, post.bulle_id, platform, instant);
    if (delivery.error === null) delivery.published = instant;
  }
  planDelivery(service, post);
}

/** Takes the next failure that a test has set up for the platform, and returns its message. */
function takeFailure(store: Store, platform: MockPlatform): string | undefined {
  const { failures } = store.get(postsSlice);
  const index = failures.findIndex((failure) => failure.platform === platform);
  return index === -1 ? undefined : failures.splice(index, 1)[0]?.message;
}

/** The reason why a platform would refuse a post at a given time. `null` if it would accept the post. */
export function brokenConnection(store: Store, bulleId: string, platform: string, at: Micros): string | null {
  const connection = findConnection(store, bulleId, platform);
  if (connection?.connected !== true) return `Le compte ${platform} n'est plus connecté.`;
  return needsReconnect(connection, at) ? `La connexion au compte ${platform} doit être renouvelée.` : null;
}

/** A post by its id. `undefined` if there is none, 403 if its location is out of scope. */
export function coveredPost(exchange: Exchange, id: number): StoredPost | undefined {
  const post = findPost(exchange.store, id);
  if (post !== undefined && !covers(exchange, post.bulle_id)) throw forbidden(BULLE_OUT_OF_SCOPE);
  return post;
}

export function statusOf({ deliveries }: StoredPost): MockPost['status'] {
  if (deliveries.some(isWaiting)) return 'pending';
  return deliveries.some(({ error }) => error !== null) ? 'error' : 'published';
}

export function removePost({ store }: Service, post: StoredPost): void {
  const { items } = store.get(postsSlice);
  items.splice(items.indexOf(post), 1);
  cancel(store, DELIVER_JOB, post.id);
}

/** The status in POST /posts and the social routes, which have two words for the `pending` of GET /posts. */
export const socialStatusOf = (post: StoredPost): string =>
  statusOf(post) !== 'pending' ? statusOf(post) : post.immediate ? 'publishing' : 'scheduled';

/** One value for each platform. `null` if the post does not target the platform. */
export const perPlatform = ({ deliveries }: StoredPost, field: 'scheduled' | 'published' | 'error', prefix = '') =>
  Object.fromEntries(
    PLATFORMS.map((platform) => {
      const value = deliveries.find((other) => other.platform === platform)?.[field] ?? null;
      return [`${prefix}${platform}`, typeof value === 'number' ? formatInstant(value) : value];
    }),
  );

export function servedPost(post: StoredPost): MockPost {
  const { sphere_id: _brand, deliveries, immediate: _way, created_at, updated_at, warnings, ...row } = post;
  const states = (['scheduled', 'published', 'error'] as const).map((name) => perPlatform(post, name, `${name}_`));
  const online = deliveries.filter(({ published }) => published !== null);
  return {
    ...row,
    platforms: deliveries.map(({ platform }) => platform),
    status: statusOf(post),
    // The names are computed, so the compiler cannot see that all 24 are present.
    ...(Object.assign({}, ...states) as OnPlatform<'scheduled' | 'published' | 'error'>),
    platform_refs: Object.fromEntries(
      online.map(({ platform }) => [platform, `${platform}_${letters(post.id * 31 + platform.length, 16)}`]),
    ),
    ...served({ created_at, updated_at }),
    warnings,
  };
}
