import { notFound, ok, type Reply } from '../http.js';
import {
  addPost,
  type Delivery,
  errorOf,
  perPlatform,
  planDelivery,
  publishedAt,
  type StoredPost,
  scheduledAt,
  socialStatusOf,
} from '../model/posts.js';
import { checkQuota, quotaOf, useQuota } from '../model/quotas.js';
import { coveredPost, targetBulle } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';
import { bodyTarget, optionalInstant, queryTarget, readDryRun, requiredText } from '../validate.js';
import { readMedia, readPlatforms, requireConnected, warningsFor } from './post-fields.js';

/** The specification gives no range for the carousel here. */
const CAROUSEL = { min: 1, max: Number.POSITIVE_INFINITY };

/** The string that this part of the API calls a post by. */
const socialId = (id: number): string => `soc_${id}`;

/** POST /social/publish: at once, or at `scheduled_at`. One call is one use of the location's quota. */
function publish({ service, key, body }: Exchange): Reply {
  const text = requiredText(body, 'text', { min: 1, max: 63_206 });
  const platforms = readPlatforms(body);
  const media = readMedia(body, CAROUSEL);
  const asked = optionalInstant(body, 'scheduled_at');
  const dryRun = readDryRun(body);
  const bulle = targetBulle(service.store, key, bodyTarget(body, 'bulle_id'));
  requireConnected(service, bulle, platforms);
  const quota = checkQuota(service, 'social', bulle.id, 1);

  const now = service.clock.now();
  const at = asked ?? now;
  const dates = platforms.map((platform) => ({ platform, own: false, at }));
  const scheduled_at = asked === undefined ? null : formatInstant(asked);
  const warnings = warningsFor(service, bulle, text, dates, now);
  if (dryRun) {
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
    content: text,
    ...media,
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

function quota({ service, key, query }: Exchange): Reply {
  const bulle = targetBulle(service.store, key, queryTarget(query, 'bulle_id'));
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

export const social: Resource = {
  routes: [
    {
      method: 'POST',
      path: '/social/publish',
      permission: 'publish',
      operation: 'social.publish',
      handle: publish,
    },
    { method: 'GET', path: '/social/quota', permission: 'read', operation: 'social.quota', handle: quota },
    { method: 'GET', path: '/social/posts/{post_id}', permission: 'read', operation: 'social.get', handle: get },
  ],
};
