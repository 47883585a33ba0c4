import * as z from 'zod/mini';
import { formatInstant } from '../../engine/clock.js';
import { conflict, created, forbidden, notFound, ok, type Reply, unprocessable } from '../../engine/http.js';
import { cancel, schedule } from '../../engine/jobs.js';
import type { Exchange } from '../../engine/router.js';
import { bodyTarget, dryRun, instant, integer, integers, readBody, text } from '../../engine/schema.js';
import { targetBulle } from '../../engine/scope.js';
import type { Bulle } from '../../seed/brand.js';
import { quotaOf, useQuota } from '../quotas.js';
import { type Site, sitesSlice } from '../sites.js';
import type { StoredArticle } from './article.js';
import { addArticle, articlesSlice, namedArticle, PUBLISH_JOB, putOnline, slugFor, startWriting } from './state.js';

const optionalText = z.optional(z.string());
const category = text({ max: 80 });

const newArticle = z.object({
  title: text({ min: 3 }),
  target_keyword: text({ min: 2 }),
  site_id: z.optional(integer()),
  site_ids: z.optional(integers),
  wix_site_id: z.optional(integer()),
  wix_site_ids: z.optional(integers),
  ai_word_count_target: z._default(integer({ min: 1 }), 1500),
  generate_content: z._default(z.boolean(), true),
  generate_image: z._default(z.boolean(), false),
  // The mock writes in one tone and one language.
  tone: z.optional(text({ min: 1 })),
  language: z.optional(text({ min: 1 })),
  featured_image_url: optionalText,
  meta_title: optionalText,
  meta_description: optionalText,
  excerpt: optionalText,
  category: z.optional(z.nullable(category)),
  bulle_id: bodyTarget,
});
type NewArticle = z.output<typeof newArticle>;

/** POST /articles: one article for each site, or one for a custom site if no site is given. */
export function create(exchange: Exchange): Reply {
  const { service, key, body } = exchange;
  const sent = readBody(newArticle, body);
  const { article, pending } = planArticle(sent);
  const wordpress = distinct(sent.site_id, sent.site_ids);
  const wix = distinct(sent.wix_site_id, sent.wix_site_ids);
  const bulle = targetBulle(service.store, key, sent.bulle_id);
  const sites = [
    ...wordpress.map((id) => namedSite(exchange, bulle, 'wordpress', id)),
    ...wix.map((id) => namedSite(exchange, bulle, 'wix', id)),
  ];

  const isThere = (site: Site): boolean =>
    service.store
      .get(articlesSlice)
      .items.some(({ title, site: of }) => title === article.title && of?.kind === site.platform && of.id === site.id);
  const skipped = sites.filter(isThere);
  const targets: readonly (Site | null)[] = sites.length === 0 ? [null] : sites.filter((site) => !isThere(site));
  // All or nothing: if the quota is too small for all sites of the request, no article is created.
  useQuota(service, 'articles', key.sphere_id, targets.length);

  const items = targets.map((site) => {
    const made = addArticle(service, {
      ...article,
      sphere_id: key.sphere_id,
      bulle_id: bulle.id,
      site: site === null ? null : { kind: site.platform, id: site.id },
      pending,
    });
    startWriting(service, made);
    return createdItem(made);
  });
  return created({
    created: items,
    ...(skipped.length === 0 ? {} : { skipped: skipped.map(skippedItem) }),
    count: items.length,
    generating: items.length > 0 && pending?.text === true,
  });
}

/** The fields that the article gets immediately, and the work that is done in the background. */
function planArticle(sent: NewArticle) {
  const { title, target_keyword, generate_content, generate_image, ai_word_count_target } = sent;
  return {
    article: {
      title,
      target_keyword,
      featured_image_url: sent.featured_image_url ?? null,
      meta_title: sent.meta_title ?? null,
      meta_description: sent.meta_description ?? null,
      excerpt: sent.excerpt ?? null,
      category: sent.category || null,
    },
    pending:
      generate_content || generate_image
        ? { text: generate_content, image: generate_image, words: ai_word_count_target }
        : null,
  };
}

/** Both forms may be given. A repeated site counts once. */
const distinct = (one: number | undefined, many: readonly number[] = []): number[] => [
  ...new Set(one === undefined ? many : [one, ...many]),
];

function namedSite({ service, key }: Exchange, bulle: Bulle, platform: Site['platform'], id: number): Site {
  const site = service.store.get(sitesSlice).find((other) => other.platform === platform && other.id === id);
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
function createdItem({ id, title, site }: StoredArticle): Record<string, unknown> {
  if (site === null) return { id, kind: 'api', site_id: null };
  return site.kind === 'wix' ? { id, kind: 'wix', site_id: site.id } : { id, title, site_id: site.id };
}

const skippedItem = ({ platform, id }: Site): Record<string, unknown> => ({
  ...(platform === 'wix' ? { wix_site_id: id } : { site_id: id }),
  reason: 'already_exists',
});

const changes = z.object({
  title: z.optional(text({ min: 3 })),
  content_html: optionalText,
  excerpt: optionalText,
  meta_title: optionalText,
  meta_description: optionalText,
  target_keyword: z.optional(text({ min: 2 })),
  featured_image_url: optionalText,
  category: z.optional(category),
});

/** PUT /articles/{article_id}: only sent fields change. An empty category removes it, and `null` is refused. */
export function update(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const sent = readBody(changes, body);
  const article = namedArticle(exchange);
  refuseOnline(article);
  const updated_fields = Object.keys(sent);
  if (updated_fields.length > 0) {
    Object.assign(article, sent, sent.category === '' ? { category: null } : {});
    article.updated_at = service.clock.stamp();
  }
  return ok({ article_id: article.id, updated_fields, status: article.status });
}

const publication = z.object({ scheduled_at: z.optional(instant), dry_run: dryRun });

/** POST /articles/{article_id}/publish: now, at `scheduled_at`, or only as a preview. */
export function publish(exchange: Exchange): Reply {
  const { service, key, body } = exchange;
  const { scheduled_at: at, dry_run } = readBody(publication, body);
  if (at !== undefined && at <= service.clock.now()) {
    throw unprocessable('Le champ `scheduled_at` doit être dans le futur.');
  }
  const article = namedArticle(exchange);
  refuseOnline(article);
  const scheduled = at !== undefined;
  const scheduled_at = scheduled ? formatInstant(at) : null;
  const common = { article_id: article.id, title: article.title };

  if (dry_run) {
    return ok({
      dry_run: true,
      ...common,
      would_publish: !scheduled,
      would_schedule: scheduled,
      would_be_online_at: scheduled_at,
      would_use_slug: slugFor(service.store, article),
      quota: quotaOf(service, 'articles', key.sphere_id),
    });
  }
  if (scheduled) {
    cancel(service.store, PUBLISH_JOB, article.id);
    schedule(service.store, { kind: PUBLISH_JOB, id: article.id, at });
    article.updated_at = service.clock.stamp();
  } else {
    putOnline(service, article);
  }
  return ok({ scheduled, ...common, scheduled_at });
}

function refuseOnline({ status }: StoredArticle): void {
  if (status === 'published') throw conflict('Cet article est déjà publié en ligne.');
}
