import * as z from 'zod/mini';
import { formatInstant } from '../engine/clock.js';
import { notFound, ok, type Reply } from '../engine/http.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { bodyTarget, dryRun, instant, readBody, readQuery, target, text } from '../engine/schema.js';
import { targetBulle } from '../engine/scope.js';
import { addPost, coveredPost, planDelivery } from './posts/delivery.js';
import { mediaOf, mediaShape, platforms, requireConnected, warningsFor } from './posts/fields.js';
import {
  type Delivery,
  errorOf,
  perPlatform,
  publishedAt,
  type StoredPost,
  scheduledAt,
  socialStatusOf,
} from './posts/post.js';
import { checkQuota, quotaOf, useQuota } from './quotas.js';

/** The id of a post in the social routes. */
const socialId = (id: number): string => `soc_${id}`;

const publication = z.object({
  text: text({ min: 1, max: 63_206 }),
  platforms,
  // The specification gives no range for the carousel here.
  ...mediaShape(1, Number.POSITIVE_INFINITY),
  scheduled_at: z.optional(instant),
  dry_run: dryRun,
  bulle_id: bodyTarget,
});

/** POST /social/publish: immediately, or at `scheduled_at`. Each call counts once in the location's quota. */
function publish({ service, key, body }: Exchange): Reply {
  const sent = readBody(publication, body);
  const { text: content, platforms, scheduled_at: asked, dry_run } = sent;
  const bulle = targetBulle(service.store, key, sent.bulle_id);
  requireConnected(service, bulle, platforms);
  const quota = checkQuota(service, 'social', bulle.id, 1);

  const now = service.clock.now();
  const at = asked ?? now;
  const dates = platforms.map((platform) => ({ platform, own: false, at }));
  const scheduled_at = asked === undefined ? null : formatInstant(asked);
  const warnings = warningsFor(service, bulle, content, dates, now);
  if (dry_run) {
    return ok({
      dry_run: true,
      bulle_id: bulle.id,
      platforms,
      would_publish: asked === undefined,
      would_schedule: asked !== undefined,
      would_be_online_at: scheduled_at,
      would_warn: warnings,
      quota,
    });
  }
  const post = addPost(service, {
    sphere_id: key.sphere_id,
    bulle_id: bulle.id,
    content,
    ...mediaOf(sent),
    dates,
    immediate: asked === undefined,
    warnings,
  });
  planDelivery(service, post);
  return ok({
    post_id: socialId(post.id),
    status: socialStatusOf(post),
    scheduled_at,
    platforms,
    quota: useQuota(service, 'social', bulle.id, 1),
  });
}

const quotaQuery = z.object({ bulle_id: target });

function quota({ service, key, query }: Exchange): Reply {
  const bulle = targetBulle(service.store, key, readQuery(quotaQuery, query).bulle_id);
  return ok({ bulle_id: bulle.id, ...quotaOf(service, 'social', bulle.id) });
}

/** GET /social/posts/{post_id}: posts made with POST /posts have such an id too. */
function get({ service, key, params }: Exchange): Reply {
  const { post_id = '' } = params;
  const post = coveredPost(service.store, key, Number(/^soc_(\d{1,15})$/.exec(post_id)?.[1]));
  if (post === undefined) throw notFound(`Publication introuvable : ${post_id}`);
  return ok({
    post_id,
    status: socialStatusOf(post),
    platforms: post.deliveries.map(({ platform }) => platform),
    content: post.content,
    scheduled: byPlatform(post, scheduledAt),
    published: byPlatform(post, publishedAt),
    errors: byPlatform(post, errorOf),
  });
}

const byPlatform = (post: StoredPost, value: (delivery: Delivery) => string | null): Record<string, unknown> =>
  Object.fromEntries(perPlatform(post, value));

export const social = defineResource({
  routes: [
    route('POST /social/publish', 'publish', 'social.publish', publish),
    route('GET /social/quota', 'read', 'social.quota', quota),
    route('GET /social/posts/{post_id}', 'read', 'social.get', get),
  ],
});
