import * as z from 'zod/mini';
import type { ApiKey } from '../../engine/auth.js';
import { formatInstant, HOUR, type Micros } from '../../engine/clock.js';
import { badRequest, conflict, created, notFound, ok, type Reply, unprocessable } from '../../engine/http.js';
import { defineResource, type Exchange, route } from '../../engine/router.js';
import * as s from '../../engine/schema.js';
import { listedBulles, targetBulle, targetFiche } from '../../engine/scope.js';
import { cancel, type Service } from '../../engine/store.js';
import type { Bulle } from '../../seed/brand.js';
import { findConnection, needsReconnect } from '../connections.js';
import { LIMITS, type MockPlatform, PLATFORMS } from '../platforms.js';
import {
  addPost,
  brokenConnection,
  coveredPost,
  DELIVER_JOB,
  deliver,
  deliverDue,
  isWaiting,
  type PostDates,
  planDelivery,
  postsSlice,
  type StoredPost,
  servedPost,
  socialStatusOf,
  startDelivery,
  statusOf,
} from './post.js';

const listQuery = z.object({
  status: z.optional(z.enum(['pending', 'published', 'error'])),
  limit: z._default(s.integerText({ min: 1, max: 100 }), 50),
  offset: z._default(s.integerText({ min: 0 }), 0),
  bulle_id: s.target,
});

/** GET /posts: a bare array, newest first. */
function list({ service, key, query }: Exchange): Reply {
  const { store } = service;
  const { status, limit, offset, bulle_id } = s.readQuery(listQuery, query);
  const shown = new Set(listedBulles(store, key, bulle_id).map(({ id }) => id));
  return ok(
    store
      .get(postsSlice)
      .items.filter((post) => shown.has(post.bulle_id) && (status === undefined || statusOf(post) === status))
      .sort((a, b) => b.created_at - a.created_at || b.id - a.id)
      .slice(offset, offset + limit)
      .map(servedPost),
  );
}

/** The post of the path. */
function namedPost({ service, key, params }: Exchange): StoredPost {
  const id = s.pathInteger(params, 'post_id');
  const post = coveredPost(service.store, key, id);
  if (post === undefined) throw notFound(`Publication introuvable : ${id}`);
  return post;
}

const get = (exchange: Exchange): Reply => ok(servedPost(namedPost(exchange)));

const content = s.text({ min: 1, max: 5000 });
const date = z.optional(s.instant);
const filled = z.optional(s.text({ min: 1 }));

/** The fields of POST /posts and POST /social/publish, with the allowed number of images in a carousel. */
export const sharedFields = (min: number, max: number) => ({
  platforms: s.words(PLATFORMS),
  image_url: filled,
  image_urls: z.optional(
    s.texts.check(
      z.refine((urls) => urls.length >= min && urls.length <= max, `doit contenir de ${min} à ${max} adresses`),
    ),
  ),
  video_url: filled,
  scheduled_at: date,
  dry_run: s.dryRun,
  bulle_id: s.bodyTarget,
});

const newPost = z
  .object({
    content: z.optional(content),
    text: z.optional(content),
    ...sharedFields(2, 10),
    // The specification does not show its shape, and the mock does not use it.
    content_per_platform: z.optional(z.looseObject({})),
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
    gmb_fiche_id: filled,
  })
  .check(
    z.refine(
      (post) => post.content !== undefined || post.text !== undefined,
      'Le champ `content` (ou son alias `text`) est obligatoire.',
    ),
  );

/**
 * Refuses platforms without an account, with the text of the specification. An account that must be connected again is
 * accepted.
 */
export function requireConnected({ store }: Service, bulle: Bulle, platforms: readonly MockPlatform[]): void {
  if (!platforms.every((platform) => findConnection(store, bulle.id, platform)?.connected === true)) {
    throw badRequest('Plateforme non connectée');
  }
}

/** Warnings about probable failures. They do not prevent the publication. */
const warningsFor = ({ store }: Service, { id }: Bulle, content: string, dates: PostDates, now: Micros) =>
  dates.flatMap(({ platform, at }) => {
    const connection = findConnection(store, id, platform);
    const expires = connection !== undefined && needsReconnect(connection, Math.max(at, now));
    const limit = LIMITS.character_limits[platform];
    return [
      ...(expires ? [`${platform} : la connexion doit être renouvelée avant la publication.`] : []),
      ...(s.codePoints(content) > limit ? [`${platform} : le texte dépasse ${limit} caractères.`] : []),
      ...(at < now ? [`${platform} : la date est passée, la publication part tout de suite.`] : []),
    ];
  });

interface Sent {
  readonly platforms: readonly MockPlatform[];
  readonly image_url?: string | undefined;
  readonly image_urls?: string[] | undefined;
  readonly video_url?: string | undefined;
}

/** What POST /posts and POST /social/publish have in common: a preview, and the post with its warnings. */
export function plan(service: Service, key: ApiKey, bulle: Bulle, sent: Sent, content: string, dates: PostDates) {
  const now = service.clock.now();
  const { platforms, image_url = null, image_urls = null, video_url = null } = sent;
  const warnings = warningsFor(service, bulle, content, dates, now);
  const fields = { sphere_id: key.sphere_id, bulle_id: bulle.id, content, image_url, image_urls, video_url, warnings };
  return {
    preview: (would_be_online_at: unknown) => ({
      dry_run: true,
      bulle_id: bulle.id,
      platforms,
      would_publish: dates.some(({ at }) => at <= now),
      would_schedule: dates.some(({ at }) => at > now),
      would_be_online_at,
      would_warn: warnings,
    }),
    add: (immediate = false) => addPost(service, dates, { ...fields, immediate }),
  };
}

/** POST /posts: published immediately with `publish_now` or a date in the past, else scheduled. */
function create({ service, key, body }: Exchange): Reply {
  const sent = s.readBody(newPost, body);
  const { publish_now, dry_run, gmb_fiche_id, platforms } = sent;
  const content = sent.content ?? sent.text ?? '';
  const bulle = targetBulle(service.store, key, sent.bulle_id);
  if (gmb_fiche_id !== undefined && targetFiche(service.store, key, gmb_fiche_id).bulle_id !== bulle.id) {
    throw unprocessable(`La fiche ${gmb_fiche_id} n'est pas rattachée à l'établissement ${bulle.id}.`);
  }
  requireConnected(service, bulle, platforms);

  const now = service.clock.now();
  const dates = platforms.map((platform) => {
    const own = sent[`scheduled_${platform}`];
    return { platform, own: own !== undefined, at: publish_now ? now : (own ?? sent.scheduled_at ?? now + HOUR) };
  });
  const { preview, add } = plan(service, key, bulle, sent, content, dates);
  if (dry_run) {
    const online = Object.fromEntries(dates.map(({ platform, at }) => [platform, formatInstant(at)]));
    return ok({ ...preview(online), would_create: true });
  }
  const post = add();
  const { id, image_url, created_at, updated_at, warnings, ...row } = servedPost(post);
  const scheduled = platforms.map((platform) => [`scheduled_${platform}`, row[`scheduled_${platform}`]]);
  return created({
    ...{ id, content, platforms, status: socialStatusOf(post), image_url },
    ...Object.fromEntries(scheduled),
    ...{ created_at, updated_at, warnings },
  });
}

const changes = z.object({ content: z.optional(content), scheduled_at: date });

/** PUT /posts/{post_id}: `scheduled_at` moves the unpublished platforms without an own date. */
function update(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const { content, scheduled_at: at } = s.readBody(changes, body);
  const post = namedPost(exchange);
  requirePending(post, 'modifiée');
  if (content !== undefined || at !== undefined) post.updated_at = service.clock.stamp();
  if (content !== undefined) post.content = content;
  if (at !== undefined) {
    for (const delivery of post.deliveries) {
      if (isWaiting(delivery) && !delivery.own) delivery.scheduled = at;
    }
    startDelivery(service, post);
  }
  return ok(servedPost(post));
}

/** DELETE /posts/{post_id}: only pending and failed posts. */
function remove(exchange: Exchange): Reply {
  const { store } = exchange.service;
  const post = namedPost(exchange);
  if (statusOf(post) === 'published') throw conflict('Une publication en ligne ne peut pas être supprimée.');
  const { items } = store.get(postsSlice);
  items.splice(items.indexOf(post), 1);
  cancel(store, DELIVER_JOB, post.id);
  return { status: 204 };
}

const publication = z.object({ dry_run: s.dryRun });

/** POST /posts/{post_id}/publish: publishes on all remaining platforms now, whatever their dates. */
function publish(exchange: Exchange): Reply {
  const { service } = exchange;
  const { dry_run } = s.readBody(publication, exchange.body);
  const post = namedPost(exchange);
  requirePending(post, 'publiée');
  const waiting = post.deliveries.filter(isWaiting);
  if (dry_run) {
    const now = service.clock.now();
    const { id, bulle_id } = post;
    const would_publish_on = waiting.map(({ platform }) => platform);
    const would_fail_on = would_publish_on.filter(
      (platform) => brokenConnection(service.store, bulle_id, platform, now) !== null,
    );
    return ok({ dry_run: true, id, bulle_id, would_publish: true, would_publish_on, would_fail_on });
  }
  deliver(service, post, waiting);
  return ok(servedPost(post));
}

function requirePending(post: StoredPost, done: string): void {
  if (statusOf(post) !== 'pending') throw conflict(`Seule une publication en attente peut être ${done}.`);
}

export const posts = defineResource({
  slices: [postsSlice],
  jobs: { [DELIVER_JOB]: deliverDue },
  start(service) {
    for (const post of service.store.get(postsSlice).items) planDelivery(service, post);
  },
  routes: [
    route('GET /posts', 'read', 'posts.list', list),
    route('POST /posts', 'schedule', 'posts.create', create),
    route('GET /posts/{post_id}', 'read', 'posts.get', get),
    route('PUT /posts/{post_id}', 'schedule', 'posts.update', update),
    route('DELETE /posts/{post_id}', 'delete', 'posts.delete', remove),
    route('POST /posts/{post_id}/publish', 'publish', 'posts.publish', publish, { emptyBody: true }),
  ],
});
