import * as z from 'zod/mini';
import { formatInstant, HOUR } from '../../engine/clock.js';
import { conflict, created, ok, type Reply, unprocessable } from '../../engine/http.js';
import { cancel } from '../../engine/jobs.js';
import type { Exchange } from '../../engine/router.js';
import { bodyTarget, dryRun, instant, readBody, text } from '../../engine/schema.js';
import { targetBulle, targetFiche } from '../../engine/scope.js';
import { addPost, brokenConnection, DELIVER_JOB, deliver, namedPost, planDelivery, postsSlice } from './delivery.js';
import { mediaOf, mediaShape, platforms, requireConnected, warningsFor } from './fields.js';
import { isWaiting, type StoredPost, scheduledAt, servedPost, socialStatusOf, statusOf } from './post.js';

const content = text({ min: 1, max: 5000 });
const date = z.optional(instant);

const newPost = z
  .object({
    content: z.optional(content),
    text: z.optional(content),
    platforms,
    ...mediaShape(2, 10),
    // The specification does not show its shape, and the mock does not use it.
    content_per_platform: z.optional(z.looseObject({})),
    scheduled_at: date,
    // Dates of platforms that the post does not target are checked but have no effect.
    scheduled_facebook: date,
    scheduled_instagram: date,
    scheduled_gmb: date,
    scheduled_linkedin: date,
    scheduled_pinterest: date,
    scheduled_tiktok: date,
    scheduled_snapchat: date,
    scheduled_youtube: date,
    publish_now: z._default(z.boolean(), false),
    dry_run: dryRun,
    bulle_id: bodyTarget,
    gmb_fiche_id: z.optional(text({ min: 1 })),
  })
  .check(
    z.refine(
      (post) => post.content !== undefined || post.text !== undefined,
      'Le champ `content` (ou son alias `text`) est obligatoire.',
    ),
  );

/** POST /posts: scheduled, or published immediately with `publish_now`. */
export function create({ service, key, body }: Exchange): Reply {
  const sent = readBody(newPost, body);
  const { publish_now, dry_run, gmb_fiche_id } = sent;
  const content = sent.content ?? sent.text ?? '';
  const bulle = targetBulle(service.store, key, sent.bulle_id);
  if (gmb_fiche_id !== undefined && targetFiche(service.store, key, gmb_fiche_id).bulle_id !== bulle.id) {
    throw unprocessable(`La fiche ${gmb_fiche_id} n'est pas rattachée à l'établissement ${bulle.id}.`);
  }
  requireConnected(service, bulle, sent.platforms);

  const now = service.clock.now();
  const dates = sent.platforms.map((platform) => {
    const own = sent[`scheduled_${platform}`];
    return { platform, own: own !== undefined, at: publish_now ? now : (own ?? sent.scheduled_at ?? now + HOUR) };
  });
  const warnings = warningsFor(service, bulle, content, dates, now);
  if (dry_run) {
    return ok({
      dry_run: true,
      bulle_id: bulle.id,
      platforms: sent.platforms,
      would_create: true,
      would_publish: publish_now,
      would_schedule: !publish_now,
      would_be_online_at: Object.fromEntries(dates.map(({ platform, at }) => [platform, formatInstant(at)])),
      would_warn: warnings,
    });
  }
  const post = addPost(service, {
    sphere_id: key.sphere_id,
    bulle_id: bulle.id,
    content,
    ...mediaOf(sent),
    dates,
    immediate: false,
    warnings,
  });
  if (publish_now) deliver(service, post, post.deliveries);
  else planDelivery(service, post);
  return created(subset(post));
}

/** The part of a post that POST /posts returns. */
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

const changes = z.object({ content: z.optional(content), scheduled_at: date });

/** PUT /posts/{post_id}: `scheduled_at` moves the unpublished platforms without an own date. */
export function update(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const { content, scheduled_at: at } = readBody(changes, body);
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

/** DELETE /posts/{post_id}: only pending and failed posts. */
export function remove(exchange: Exchange): Reply {
  const { store } = exchange.service;
  const post = namedPost(exchange);
  if (statusOf(post) === 'published') throw conflict('Une publication en ligne ne peut pas être supprimée.');
  const { items } = store.get(postsSlice);
  items.splice(items.indexOf(post), 1);
  cancel(store, DELIVER_JOB, post.id);
  return { status: 204 };
}

const publication = z.object({ dry_run: dryRun });

/** POST /posts/{post_id}/publish: publishes on all remaining platforms now, whatever their dates. */
export function publish(exchange: Exchange): Reply {
  const { service } = exchange;
  const { dry_run } = readBody(publication, exchange.body);
  const post = namedPost(exchange);
  requirePending(post, 'publiée');
  const waiting = post.deliveries.filter(isWaiting);
  if (dry_run) {
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
