import * as z from 'zod/mini';
import { formatInstant, served } from '../engine/clock.js';
import { conflict, created, forbidden, notFound, ok, type Reply, unprocessable } from '../engine/http.js';
import { dateTime, defined, found, optionsSchema, readOptions } from '../engine/options.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import * as s from '../engine/schema.js';
import { findBulle, on, reading, writing } from '../engine/scope.js';
import { cancel, type Service, schedule } from '../engine/store.js';
import { type Bulle, ids } from '../seed/brand.js';
import * as a from './article.js';
import { generateArticle } from './article-texts.js';
import { previewed, quotaOf, useQuota } from './quotas.js';
import { type Site, sitesSlice } from './sites.js';

const listQuery = z.object({
  status: z._default(z.enum(['published', 'draft', 'all']), 'published'),
  updated_since: z.optional(s.instant),
  since: z.optional(s.instant),
  limit: z.optional(s.integerText({ min: 1, max: 100 })),
  offset: z._default(s.integerText({ min: 0 }), 0),
});

const list = reading(on.bulleOrBrand, listQuery, ({ store, settings, key }, asked, bulle) => {
  const { status, updated_since, since, offset, limit = settings.articlesPageSize } = asked;
  const matching = store
    .get(a.articlesSlice)
    .items.filter(
      (article) =>
        article.sphere_id === key.sphere_id &&
        (bulle === undefined || article.bulle_id === bulle.id) &&
        (status === 'all' || article.status === status) &&
        // Later and never equal: a client that resumes from the last value must not get it again.
        (updated_since === undefined || article.updated_at > updated_since) &&
        (since === undefined || (article.published_at !== null && article.published_at >= since)),
    )
    .sort(updated_since === undefined ? newestFirst : oldestChangeFirst);
  return ok({
    articles: matching.slice(offset, offset + limit).map((article) => a.servedArticle(store, article)),
    total: matching.length,
    limit,
    offset,
  });
});

type Order = (one: a.StoredArticle, other: a.StoredArticle) => number;
const oldestChangeFirst: Order = (one, other) => one.updated_at - other.updated_at || one.id - other.id;
const newestFirst: Order = (one, other) =>
  (other.published_at ?? other.created_at) - (one.published_at ?? one.created_at) || other.id - one.id;

const get = (exchange: Exchange): Reply => ok(a.servedArticle(exchange.store, a.namedArticle(exchange)));

const onArticle = { find: a.namedArticle };

const confirmation = z.object({
  rendered_url: z.optional(
    s.text({ max: 2048 }).check(z.refine((url) => /^https?:\/\//.test(url), 'doit commencer par http:// ou https://')),
  ),
});

/** Confirms an article. The article does not change, so a sync that confirms does not cause another change. */
const confirm = writing(onArticle, confirmation, ({ store, clock }, { rendered_url }, { id }) => {
  const { confirmations } = store.get(a.articlesSlice);
  const confirmed_at = clock.stamp();
  confirmations[id] = { confirmed_at, rendered_url: rendered_url ?? confirmations[id]?.rendered_url ?? null };
  return ok({ article_id: id, confirmed_at: formatInstant(confirmed_at), confirmation_source: 'pingback' });
});

const optionalText = z.optional(z.string());
const category = s.text({ max: 80 });
const texts = {
  excerpt: optionalText,
  featured_image_url: optionalText,
  meta_title: optionalText,
  meta_description: optionalText,
};

const newArticle = z.object({
  title: s.text({ min: 3 }),
  target_keyword: s.text({ min: 2 }),
  site_id: z.optional(s.integer()),
  site_ids: z.optional(s.integers),
  wix_site_id: z.optional(s.integer()),
  wix_site_ids: z.optional(s.integers),
  ai_word_count_target: z._default(s.integer({ min: 1 }), 1500),
  generate_content: z._default(z.boolean(), true),
  generate_image: z._default(z.boolean(), false),
  // The mock writes in one tone and one language.
  tone: optionalText,
  language: optionalText,
  ...texts,
  category: z.optional(z.nullable(category)),
});

/** POST /articles: one article for each site, or one for a custom site if no site is given. */
const create = writing(on.bulle, newArticle, (exchange, sent, bulle) => {
  const { store, key } = exchange;
  const { title, generate_content: text, generate_image: image, ai_word_count_target: words } = sent;
  const { excerpt, featured_image_url, meta_title, meta_description } = sent;
  const sites = [
    ...distinct(sent.site_id, sent.site_ids).map((id) => namedSite(exchange, bulle, 'wordpress', id)),
    ...distinct(sent.wix_site_id, sent.wix_site_ids).map((id) => namedSite(exchange, bulle, 'wix', id)),
  ];
  const { items } = store.get(a.articlesSlice);
  const isThere = ({ platform, id }: Site): boolean =>
    items.some(({ site, ...other }) => other.title === title && site?.platform === platform && site.id === id);
  const skipped = sites.filter(isThere);
  const targets: readonly (Site | null)[] = sites.length === 0 ? [null] : sites.filter((site) => !isThere(site));
  // All or nothing: if the quota is too small for all sites of the request, no article is created.
  useQuota(exchange, 'articles', key.sphere_id, targets.length);

  const made = targets.map((site) =>
    a.addArticle(exchange, {
      ...defined({ excerpt, featured_image_url, meta_title, meta_description }),
      title,
      target_keyword: sent.target_keyword,
      category: sent.category || null,
      sphere_id: key.sphere_id,
      bulle_id: bulle.id,
      site: site && { platform: site.platform, id: site.id },
      pending: text || image ? { text, image, words } : null,
    }),
  );
  return created({
    created: made.map(createdItem),
    ...(skipped.length === 0 ? {} : { skipped: skipped.map(skippedItem) }),
    count: made.length,
    generating: made.length > 0 && text,
  });
});

/** Both forms may be given. A repeated site counts once. */
const distinct = (one: number | undefined, many: readonly number[] = []): number[] => [
  ...new Set(one === undefined ? many : [one, ...many]),
];

function namedSite({ store, key }: Exchange, bulle: Bulle, platform: Site['platform'], id: number): Site {
  const site = store.get(sitesSlice).find((other) => other.platform === platform && other.id === id);
  if (site === undefined) throw notFound(`Site introuvable : ${id}`);
  const covered =
    site.sphere_id === key.sphere_id && (key.bulle_id === null || site.is_shared || site.bulle_id === key.bulle_id);
  if (!covered) throw forbidden("Ce site n'appartient pas à votre périmètre.");
  if (!site.is_shared && site.bulle_id !== bulle.id) {
    throw unprocessable(`Le site ${id} n'est pas rattaché à l'établissement ${bulle.id}.`);
  }
  return site;
}

/** The three forms of the specification. `kind` is present if the site is not a WordPress site. */
function createdItem({ id, title, site }: a.StoredArticle): Record<string, unknown> {
  if (site?.platform === 'wordpress') return { id, title, site_id: site.id };
  return { id, kind: site?.platform ?? 'api', site_id: site?.id ?? null };
}

const skippedItem = ({ platform, id }: Site): Record<string, unknown> => ({
  ...(platform === 'wix' ? { wix_site_id: id } : { site_id: id }),
  reason: 'already_exists',
});

const changes = z.object({
  title: optionalText,
  content_html: optionalText,
  ...texts,
  target_keyword: optionalText,
  category: z.optional(category),
});

/** PUT /articles/{article_id}: only sent fields change. An empty category removes it, and `null` is refused. */
const update = writing(onArticle, changes, ({ clock }, sent, article) => {
  refuseOnline(article);
  const updated_fields = Object.keys(sent);
  if (updated_fields.length > 0) {
    Object.assign(article, sent, sent.category === '' ? { category: null } : {});
    article.updated_at = clock.stamp();
  }
  return ok({ article_id: article.id, updated_fields, status: article.status });
});

const publication = z.object({ scheduled_at: z.optional(s.instant), dry_run: s.dryRun });

/** POST /articles/{article_id}/publish: now, at `scheduled_at`, or only as a preview. */
const publish = writing(on.nothing, publication, (exchange, { scheduled_at: at, dry_run }) => {
  const { store, clock, key } = exchange;
  if (at !== undefined && at <= clock.now()) {
    throw unprocessable('Le champ `scheduled_at` doit être dans le futur.');
  }
  const article = a.namedArticle(exchange);
  refuseOnline(article);
  const scheduled = at !== undefined;
  const scheduled_at = scheduled ? formatInstant(at) : null;
  const common = { article_id: article.id, title: article.title };
  if (dry_run) {
    const would_use_slug = a.slugFor(store, article);
    const would = { would_publish: !scheduled, would_schedule: scheduled, would_be_online_at: scheduled_at };
    return previewed({ ...common, ...would, would_use_slug }, quotaOf(exchange, 'articles', key.sphere_id));
  }
  if (scheduled) {
    cancel(store, a.PUBLISH_JOB, article.id);
    schedule(store, { kind: a.PUBLISH_JOB, id: article.id, at });
    article.updated_at = clock.stamp();
  } else {
    a.putOnline(exchange, article);
  }
  return ok({ scheduled, ...common, scheduled_at });
});

function refuseOnline({ status }: a.StoredArticle): void {
  if (status === 'published') throw conflict('Cet article est déjà publié en ligne.');
}

export const articles = defineResource({
  slices: [a.articlesSlice],
  jobs: { [a.WRITE_JOB]: a.finishWriting, [a.PUBLISH_JOB]: a.publishScheduled },
  routes: [
    route('GET /articles', 'read', 'articles.list', list),
    route('GET /articles/{article_id}', 'read', 'articles.get', get),
    route('POST /articles/{article_id}/confirm', 'read', 'articles.confirm', confirm, { emptyBody: true }),
    route('POST /articles', 'publish', 'articles.create', create),
    route('PUT /articles/{article_id}', 'publish', 'articles.update', update),
    route('POST /articles/{article_id}/publish', 'publish', 'articles.publish', publish),
  ],
});

/** Fields of an article to set from outside the API. Timestamps are ISO 8601, without an offset UTC. */
export type MockArticlePatch = Partial<Omit<a.MockArticle, 'id' | 'bulle_name'>>;

/** Changes to articles from outside the API, as an editor or another user would make them. */
export interface MockArticles {
  /** Adds an article. By default it is published, has a text and belongs to no location. */
  add(fields?: MockArticlePatch): a.MockArticle;
  /** Changes an article, online or not. Its `updated_at` always changes. */
  touch(id: number, patch?: MockArticlePatch): a.MockArticle;
  /** Takes an article offline: it becomes a draft and keeps its slug. */
  unpublish(id: number): a.MockArticle;
  /** Deletes an article: it disappears from every list. */
  remove(id: number): void;
  /** Returns an article. @throws a `ConfigurationError` if it does not exist. */
  get(id: number): a.MockArticle;
  /** Returns every article of the brand, including drafts, sorted by id. */
  all(): a.MockArticle[];
  /** Returns the last confirmation of an article. `undefined` if there is none. */
  confirmation(id: number):
    | {
        /** ISO 8601, UTC. */
        confirmed_at: string;
        /** Address of the page that shows the article. `null` if the confirmation had none. */
        rendered_url: string | null;
      }
    | undefined;
}

const nullable = z.optional(z.nullable(z.string()));

const patchShape = {
  ...{ title: optionalText, content_html: optionalText, target_keyword: optionalText },
  ...{ excerpt: nullable, featured_image_url: nullable, meta_title: nullable, meta_description: nullable },
  ...{ category: nullable, slug: nullable, bulle_id: nullable },
  status: z.optional(z.enum(['published', 'draft'])),
  published_at: z.optional(z.nullable(dateTime)),
  created_at: z.optional(dateTime),
  updated_at: z.optional(dateTime),
};
const addOptions = optionsSchema('articles.add', patchShape);
const touchOptions = optionsSchema('articles.touch', patchShape);

type Patch = z.output<typeof touchOptions>;

export function createArticles(service: () => Service): MockArticles {
  const find = (id: number) =>
    found(a.findArticle(service().store, id), `the mock has no article ${id}; articles.all() has those of the brand`);

  const read = (options: typeof touchOptions, given: MockArticlePatch): Patch => {
    const patch = readOptions(options, given);
    const { bulle_id } = patch;
    if (bulle_id)
      found(
        findBulle(service().store, bulle_id),
        `the mock has no location ${bulle_id}; GET /bulles lists them, and bulles.add() adds one`,
      );
    return patch;
  };

  /** Sets the given fields. A published article has a slug and a date. A draft has a date only if one was given. */
  function set(article: a.StoredArticle, patch: Patch): a.MockArticle {
    const { store } = service();
    Object.assign(article, defined(patch));
    if (article.status === 'published') {
      article.slug ??= a.slugFor(store, article);
      article.published_at ??= article.updated_at;
      cancel(store, a.PUBLISH_JOB, article.id);
    } else {
      article.published_at = patch.published_at ?? null;
    }
    return a.servedArticle(store, article);
  }

  const change = (id: number, patch: Patch): a.MockArticle =>
    set(find(id), { ...patch, updated_at: patch.updated_at ?? service().clock.stamp() });

  return {
    add(fields = {}) {
      const patch = read(addOptions, fields);
      const { title = 'Un nouvel article', target_keyword = 'boulangerie' } = patch;
      const texts = generateArticle(title, target_keyword, 400, service().files);
      const given = { ...texts, sphere_id: ids.sphere, title, target_keyword, status: 'published' } as const;
      return set(a.addArticle(service(), given), patch);
    },
    touch: (id, patch = {}) => change(id, read(touchOptions, patch)),
    unpublish: (id) => change(id, { status: 'draft' }),
    remove: (id) => a.removeArticle(service(), find(id)),
    get: (id) => a.servedArticle(service().store, find(id)),
    all() {
      const { store } = service();
      const { items } = store.get(a.articlesSlice);
      return items
        .filter(({ sphere_id }) => sphere_id === ids.sphere)
        .map((article) => a.servedArticle(store, article));
    },
    confirmation(id) {
      const confirmation = service().store.get(a.articlesSlice).confirmations[id];
      return confirmation && served(confirmation);
    },
  };
}
