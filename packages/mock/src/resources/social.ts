import * as z from 'zod/mini';
import { formatInstant } from '../engine/clock.js';
import { notFound, ok, type Reply } from '../engine/http.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { text, texts } from '../engine/schema.js';
import { none, on, reading, writing } from '../engine/scope.js';
import { coveredPost, delivery, perPlatform, socialStatusOf } from './post.js';
import { plan, requireConnected, sharedFields } from './posts.js';
import { previewed, quotaOf, useQuota } from './quotas.js';

// The specification gives no range for the carousel here.
const publication = z.object({ text: text({ min: 1, max: 63_206 }), ...sharedFields(texts) });

/** POST /social/publish: immediately, or at `scheduled_at`. Each call counts once in the location's quota. */
const publish = writing(on.bulle, publication, (exchange, sent, bulle) => {
  const { platforms } = sent;
  requireConnected(exchange, bulle, platforms);
  const quota = quotaOf(exchange, 'social', bulle.id, 1);

  const now = exchange.clock.now();
  const at = sent.scheduled_at ?? now;
  const deliveries = platforms.map((platform) => delivery(platform, at));
  const scheduled_at = sent.scheduled_at === undefined ? null : formatInstant(at);
  const { preview, add } = plan(exchange, bulle, { ...sent, content: sent.text }, deliveries, now);
  if (sent.dry_run) return previewed(preview(scheduled_at), quota);
  const post = add(at <= now);
  return ok({
    post_id: `soc_${post.id}`,
    status: socialStatusOf(post),
    scheduled_at,
    platforms,
    quota: useQuota(exchange, 'social', bulle.id, 1),
  });
});

const quota = reading(on.bulle, none, (exchange, _, { id }) =>
  ok({ bulle_id: id, ...quotaOf(exchange, 'social', id) }),
);

/** GET /social/posts/{post_id}: posts made with POST /posts have such an id too. */
function get(exchange: Exchange): Reply {
  const { post_id = '' } = exchange.params;
  const post = coveredPost(exchange, Number(/^soc_(\d{1,15})$/.exec(post_id)?.[1]));
  if (post === undefined) throw notFound(`Publication introuvable : ${post_id}`);
  return ok({
    post_id,
    status: socialStatusOf(post),
    platforms: post.deliveries.map(({ platform }) => platform),
    content: post.content,
    scheduled: perPlatform(post, 'scheduled'),
    published: perPlatform(post, 'published'),
    errors: perPlatform(post, 'error'),
  });
}

export const social = defineResource({
  routes: [
    route('POST /social/publish', 'publish', 'social.publish', publish),
    route('GET /social/quota', 'read', 'social.quota', quota),
    route('GET /social/posts/{post_id}', 'read', 'social.get', get),
  ],
});
