import * as z from 'zod/mini';
import { formatInstant, HOUR, type Micros } from '../engine/clock.js';
import { badRequest, conflict, created, notFound, ok, type Reply, unprocessable } from '../engine/http.js';
import { dateTime, found, optionsSchema, readOptions, word } from '../engine/options.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import * as s from '../engine/schema.js';
import { brandBulle, on, reading, targetFiche, writing } from '../engine/scope.js';
import type { Service } from '../engine/store.js';
import { type Bulle, ids } from '../seed/brand.js';
import { findConnection, needsReconnect } from './connections.js';
import { LIMITS, type MockPlatform, PLATFORMS } from './platforms.js';
import * as p from './post.js';
import { previewed } from './quotas.js';

const listQuery = z.object({
  status: z.optional(z.enum(['pending', 'published', 'error'])),
  limit: z._default(s.integerText({ min: 1, max: 100 }), 50),
  offset: z._default(s.integerText({ min: 0 }), 0),
});

/** GET /posts: a bare array, newest first. */
const list = reading(on.bulleIds, listQuery, ({ store }, { status, limit, offset }, shown) =>
  ok(
    store
      .get(p.postsSlice)
      .items.filter((post) => shown.has(post.bulle_id) && (status === undefined || p.statusOf(post) === status))
      .sort((a, b) => b.created_at - a.created_at || b.id - a.id)
      .slice(offset, offset + limit)
      .map(p.servedPost),
  ),
);

function namedPost(exchange: Exchange): p.StoredPost {
  const id = s.pathInteger(exchange.params, 'post_id');
  const post = p.coveredPost(exchange, id);
  if (post === undefined) throw notFound(`Publication introuvable : ${id}`);
  return post;
}

const onPost = { find: namedPost };
const get = (exchange: Exchange): Reply => ok(p.servedPost(namedPost(exchange)));

const content = s.text({ min: 1, max: 5000 });
const date = z.optional(s.instant);
type OwnDates = Record<`scheduled_${MockPlatform}`, typeof date>;
const filled = z.optional(s.text({ min: 1 }));

/** The fields of POST /posts and POST /social/publish. */
export const sharedFields = (carousel: typeof s.texts) => ({
  platforms: s.words(PLATFORMS),
  image_url: filled,
  image_urls: z.optional(carousel),
  video_url: filled,
  scheduled_at: date,
  dry_run: s.dryRun,
});

const newPost = z
  .object({
    content: z.optional(content),
    text: z.optional(content),
    ...sharedFields(
      s.texts.check(z.refine(({ length }) => length >= 2 && length <= 10, 'doit contenir de 2 à 10 adresses')),
    ),
    // The specification does not show its shape, and the mock does not use it.
    content_per_platform: z.optional(z.looseObject({})),
    // Dates of platforms that the post does not target are checked but have no effect.
    ...(Object.fromEntries(PLATFORMS.map((name) => [`scheduled_${name}`, date])) as OwnDates),
    publish_now: z._default(z.boolean(), false),
    gmb_fiche_id: filled,
  })
  .check(
    z.refine(
      (post) => post.content !== undefined || post.text !== undefined,
      'Le champ `content` (ou son alias `text`) est obligatoire.',
    ),
  );

/** Refuses platforms without an account. One that must be connected again is accepted. */
export function requireConnected({ store }: Service, bulle: Bulle, platforms: readonly MockPlatform[]): void {
  if (!platforms.every((platform) => findConnection(store, bulle.id, platform)?.connected === true)) {
    throw badRequest('Plateforme non connectée');
  }
}

type Deliveries = p.StoredPost['deliveries'];

/** Warnings about probable failures. They do not prevent the publication. */
const warningsFor = ({ store }: Service, { id }: Bulle, content: string, deliveries: Deliveries, now: Micros) =>
  deliveries.flatMap(({ platform, scheduled: at }) => {
    const connection = findConnection(store, id, platform);
    const expires = connection !== undefined && needsReconnect(connection, Math.max(at, now));
    const limit = LIMITS.character_limits[platform];
    return [
      ...(expires ? [`${platform} : la connexion doit être renouvelée avant la publication.`] : []),
      ...(s.codePoints(content) > limit ? [`${platform} : le texte dépasse ${limit} caractères.`] : []),
      ...(at < now ? [`${platform} : la date est passée, la publication part tout de suite.`] : []),
    ];
  });

interface Sent extends Pick<z.output<typeof newPost>, 'platforms' | 'image_url' | 'image_urls' | 'video_url'> {
  readonly content: string;
}

/** What POST /posts and POST /social/publish have in common: a preview, and the post with its warnings. */
export function plan(exchange: Exchange, bulle: Bulle, sent: Sent, to: Deliveries, now: Micros) {
  const { sphere_id } = exchange.key;
  const { platforms, content, image_url = null, image_urls = null, video_url = null } = sent;
  const warnings = warningsFor(exchange, bulle, content, to, now);
  const media = { image_url, image_urls, video_url };
  return {
    preview: (would_be_online_at: unknown) => ({
      bulle_id: bulle.id,
      platforms,
      would_publish: to.some(({ scheduled }) => scheduled <= now),
      would_schedule: to.some(({ scheduled }) => scheduled > now),
      would_be_online_at,
      would_warn: warnings,
    }),
    add: (immediate = false) =>
      p.addPost(exchange, { sphere_id, bulle_id: bulle.id, content, ...media, warnings, deliveries: to, immediate }),
  };
}

/** POST /posts: published immediately with `publish_now` or a date in the past, else scheduled. */
const create = writing(on.bulle, newPost, (exchange, sent, bulle) => {
  const { publish_now, dry_run, gmb_fiche_id, platforms } = sent;
  const content = sent.content ?? sent.text ?? '';
  if (gmb_fiche_id !== undefined && targetFiche(exchange, gmb_fiche_id).bulle_id !== bulle.id) {
    throw unprocessable(`La fiche ${gmb_fiche_id} n'est pas rattachée à l'établissement ${bulle.id}.`);
  }
  requireConnected(exchange, bulle, platforms);

  const now = exchange.clock.now();
  const deliveries = platforms.map((platform) => {
    const own = sent[`scheduled_${platform}`];
    const at = publish_now ? now : (own ?? sent.scheduled_at ?? now + HOUR);
    return p.delivery(platform, at, own !== undefined);
  });
  const { preview, add } = plan(exchange, bulle, { ...sent, content }, deliveries, now);
  if (dry_run) {
    const online = Object.fromEntries(
      deliveries.map(({ platform, scheduled }) => [platform, formatInstant(scheduled)]),
    );
    return previewed({ ...preview(online), would_create: true });
  }
  const post = add();
  const { id, image_url, created_at, updated_at, warnings, ...row } = p.servedPost(post);
  const scheduled = platforms.map((platform) => [`scheduled_${platform}`, row[`scheduled_${platform}`]]);
  return created({
    ...{ id, content, platforms, status: p.socialStatusOf(post), image_url },
    ...Object.fromEntries(scheduled),
    ...{ created_at, updated_at, warnings },
  });
});

const changes = z.object({ content: z.optional(content), scheduled_at: date });

/** PUT /posts/{post_id}: `scheduled_at` moves the unpublished platforms without an own date. */
const update = writing(onPost, changes, (exchange, { content, scheduled_at: at }, post) => {
  requirePending(post, 'modifiée');
  if (content !== undefined || at !== undefined) post.updated_at = exchange.clock.stamp();
  if (content !== undefined) post.content = content;
  if (at !== undefined) {
    for (const delivery of post.deliveries) {
      if (p.isWaiting(delivery) && !delivery.own) delivery.scheduled = at;
    }
    p.startDelivery(exchange, post);
  }
  return ok(p.servedPost(post));
});

/** DELETE /posts/{post_id}: only pending and failed posts. */
function remove(exchange: Exchange): Reply {
  const post = namedPost(exchange);
  if (p.statusOf(post) === 'published') throw conflict('Une publication en ligne ne peut pas être supprimée.');
  p.removePost(exchange, post);
  return { status: 204 };
}

const publication = z.object({ dry_run: s.dryRun });

/** POST /posts/{post_id}/publish: publishes on all remaining platforms now, whatever their dates. */
const publish = writing(onPost, publication, (exchange, { dry_run }, post) => {
  requirePending(post, 'publiée');
  const waiting = post.deliveries.filter(p.isWaiting);
  if (dry_run) {
    const now = exchange.clock.now();
    const { id, bulle_id } = post;
    const would_publish_on = waiting.map(({ platform }) => platform);
    const would_fail_on = would_publish_on.filter(
      (platform) => p.brokenConnection(exchange.store, bulle_id, platform, now) !== null,
    );
    return previewed({ id, bulle_id, would_publish: true, would_publish_on, would_fail_on });
  }
  p.deliver(exchange, post, waiting);
  return ok(p.servedPost(post));
});

function requirePending(post: p.StoredPost, done: string): void {
  if (p.statusOf(post) !== 'pending') throw conflict(`Seule une publication en attente peut être ${done}.`);
}

export const posts = defineResource({
  slices: [p.postsSlice],
  jobs: { [p.DELIVER_JOB]: p.deliverDue },
  start(service) {
    for (const post of service.store.get(p.postsSlice).items) p.planDelivery(service, post);
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

/** A post to add from outside the API. */
export interface MockNewPost {
  /** Text of the post. Default: a short French text. */
  content?: string | undefined;
  /** The platforms that the post targets. @default ['facebook'] */
  platforms?: readonly MockPlatform[] | undefined;
  /** The location of the post. @default the location of `keys.bulle` */
  bulle_id?: string | undefined;
  /** ISO 8601. The post is then pending. Without it, the post is published now. */
  scheduled_at?: string | undefined;
}

/** Options of `failPlatform`. */
export interface MockPlatformFailure {
  /** Text of `error_<platform>`. Default: a French text. */
  message?: string | undefined;
}

/** Changes to posts from outside the API, as another user or a platform would make them. */
export interface MockPosts {
  /** Adds a post. */
  add(fields?: MockNewPost): p.MockPost;
  /** Returns a post. @throws a `ConfigurationError` if it does not exist. */
  get(id: number): p.MockPost;
  /** Returns every post of the brand, oldest first. */
  all(): p.MockPost[];
  /** Lets the next publication on a platform fail. Otherwise, a publication fails only if its account is not usable. */
  failPlatform(platform: MockPlatform, failure?: MockPlatformFailure): void;
}

const platformName = word('platform', PLATFORMS);

const addOptions = optionsSchema('posts.add', {
  content: z._default(z.string(), 'Une nouvelle fournée.'),
  platforms: z._default(z.array(platformName), ['facebook']),
  bulle_id: z._default(z.string(), ids.bulle),
  scheduled_at: z.optional(dateTime),
});

const failureOptions = optionsSchema('posts.failPlatform', {
  message: z._default(z.string(), 'La plateforme a refusé la publication.'),
});

export function createPosts(service: () => Service): MockPosts {
  const find = (id: number) =>
    found(p.findPost(service().store, id), `the mock has no post ${id}; posts.all() has those of the brand`);
  return {
    add(fields = {}) {
      const { content, platforms, bulle_id, scheduled_at } = readOptions(addOptions, fields);
      const current = service();
      found(
        brandBulle(current.store, bulle_id),
        `posts.add: the brand has no location ${bulle_id}; GET /bulles lists them`,
      );
      const at = scheduled_at ?? current.clock.now();
      const deliveries = platforms.map((name) => p.delivery(name, at));
      const given = { sphere_id: ids.sphere, bulle_id, content, deliveries, warnings: [], immediate: false };
      return p.servedPost(p.addPost(current, { ...given, image_url: null, image_urls: null, video_url: null }));
    },
    get: (id) => p.servedPost(find(id)),
    all: () =>
      service()
        .store.get(p.postsSlice)
        .items.filter(({ sphere_id }) => sphere_id === ids.sphere)
        .map(p.servedPost),
    failPlatform(on, failure = {}) {
      const failing = { platform: readOptions(platformName, on), ...readOptions(failureOptions, failure) };
      service().store.get(p.postsSlice).failures.push(failing);
    },
  };
}
