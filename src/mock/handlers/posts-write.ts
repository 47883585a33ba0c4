import type { MockPlatform } from '../helper-types.js';
import { conflict, created, ok, type Reply, unprocessable } from '../http.js';
import { cancel } from '../jobs.js';
import { type Bulle, PLATFORMS } from '../model/brand.js';
import {
  addPost,
  brokenConnection,
  DELIVER_JOB,
  deliver,
  isWaiting,
  planDelivery,
  postsSlice,
  type StoredPost,
  scheduledAt,
  servedPost,
  socialStatusOf,
  statusOf,
} from '../model/posts.js';
import { namedPost, targetBulle, targetFiche } from '../scope.js';
import type { Exchange } from '../service.js';
import { formatInstant, HOUR, type Micros } from '../timestamps.js';
import {
  bodyTarget,
  checkOptionalObject,
  type Fields,
  optionalBoolean,
  optionalInstant,
  optionalText,
  readDryRun,
} from '../validate.js';
import { readMedia, readPlatforms, requireConnected, warningsFor } from './post-fields.js';

const CONTENT = { min: 1, max: 5000 };
const CAROUSEL = { min: 2, max: 10 };

/** POST /posts: planned for its dates, or out at once with `publish_now`. */
export function create(exchange: Exchange): Reply {
  const { service, key, body } = exchange;
  const { content, platforms, media, now: publishNow, scheduled_at, own } = readNewPost(body);
  const dryRun = readDryRun(body);
  const bulle = targetBulle(service.store, key, bodyTarget(body, 'bulle_id'));
  checkFiche(exchange, bulle);
  requireConnected(service, bulle, platforms);

  const now = service.clock.now();
  const dates = platforms.map((platform) => ({
    platform,
    own: own.has(platform),
    at: publishNow ? now : (own.get(platform) ?? scheduled_at ?? now + HOUR),
  }));
  const warnings = warningsFor(service, bulle, content, dates, now);
  if (dryRun) {
    return ok({
      dry_run: true,
      bulle_id: bulle.id,
      platforms,
      would_create: true,
      would_publish: publishNow,
      would_schedule: !publishNow,
      would_be_online_at: Object.fromEntries(dates.map(({ platform, at }) => [platform, formatInstant(at)])),
      would_warn: warnings,
    });
  }
  const post = addPost(service, {
    sphere_id: key.sphere_id,
    bulle_id: bulle.id,
    content,
    ...media,
    dates,
    immediate: false,
    warnings,
  });
  if (publishNow) deliver(service, post, post.deliveries);
  else planDelivery(service, post);
  return created(subset(post));
}

function readNewPost(body: Fields) {
  const text = optionalText(body, 'text', CONTENT);
  const content = optionalText(body, 'content', CONTENT) ?? text;
  if (content === undefined) throw unprocessable('Le champ `content` (ou son alias `text`) est obligatoire.');
  const platforms = readPlatforms(body);
  const media = readMedia(body, CAROUSEL);
  checkOptionalObject(body, 'content_per_platform');
  const scheduled_at = optionalInstant(body, 'scheduled_at');
  // Dates of platforms that the post does not go to are checked, and have no effect.
  const own = new Map<MockPlatform, Micros>();
  for (const platform of PLATFORMS) {
    const at = optionalInstant(body, `scheduled_${platform}`);
    if (at !== undefined) own.set(platform, at);
  }
  return { content, platforms, media, now: optionalBoolean(body, 'publish_now') ?? false, scheduled_at, own };
}

/** The listing of a post on Google, where the location has several. */
function checkFiche({ service, key, body }: Exchange, bulle: Bulle): void {
  const id = optionalText(body, 'gmb_fiche_id', { min: 1 });
  if (id !== undefined && targetFiche(service.store, key, id).bulle_id !== bulle.id) {
    throw unprocessable(`La fiche ${id} n'est pas rattachée à l'établissement ${bulle.id}.`);
  }
}

/** The part of a post that POST /posts answers with. */
function subset(post: StoredPost): Record<string, unknown> {
  const { id, content, platforms, image_url, created_at, updated_at, warnings } = servedPost(post);
  const dates = post.deliveries.map((delivery) => [`scheduled_${delivery.platform}`, scheduledAt(delivery)]);
  return {
    id,
    content,
    platforms,
    status: socialStatusOf(post),
    image_url,
    ...Object.fromEntries(dates),
    created_at,
    updated_at,
    warnings,
  };
}

/** PUT /posts/{post_id}: `scheduled_at` moves the platforms that have no date of their own and are still to come. */
export function update(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const content = optionalText(body, 'content', CONTENT);
  const at = optionalInstant(body, 'scheduled_at');
  const post = namedPost(exchange);
  requirePending(post, 'modifiée');
  if (content !== undefined) post.content = content;
  if (at !== undefined) {
    for (const delivery of post.deliveries) {
      if (isWaiting(delivery) && !delivery.own) delivery.scheduled_at = at;
    }
    planDelivery(service, post);
  }
  if (content !== undefined || at !== undefined) post.updated_at = service.clock.stamp();
  return ok(servedPost(post));
}

/** DELETE /posts/{post_id}: pending and failed posts alone. */
export function remove(exchange: Exchange): Reply {
  const { store } = exchange.service;
  const post = namedPost(exchange);
  if (statusOf(post) === 'published') throw conflict('Une publication en ligne ne peut pas être supprimée.');
  const { items } = store.get(postsSlice);
  items.splice(items.indexOf(post), 1);
  cancel(store, DELIVER_JOB, post.id);
  return { status: 204 };
}

/** POST /posts/{post_id}/publish: what is still to come goes out now, whatever its date. */
export function publish(exchange: Exchange): Reply {
  const { service } = exchange;
  const dryRun = readDryRun(exchange.body);
  const post = namedPost(exchange);
  requirePending(post, 'publiée');
  const waiting = post.deliveries.filter(isWaiting);
  if (dryRun) {
    const now = service.clock.now();
    const platforms = waiting.map(({ platform }) => platform);
    return ok({
      dry_run: true,
      id: post.id,
      bulle_id: post.bulle_id,
      would_publish: true,
      would_publish_on: platforms,
      would_fail_on: platforms.filter(
        (platform) => brokenConnection(service.store, post.bulle_id, platform, now) !== null,
      ),
    });
  }
  deliver(service, post, waiting);
  return ok(servedPost(post));
}

function requirePending(post: StoredPost, done: string): void {
  if (statusOf(post) !== 'pending') throw conflict(`Seule une publication en attente peut être ${done}.`);
}
