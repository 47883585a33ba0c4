import { conflict, created, forbidden, notFound, ok, type Reply, unprocessable } from '../http.js';
import { cancel, schedule } from '../jobs.js';
import {
  addArticle,
  articlesSlice,
  PUBLISH_JOB,
  putOnline,
  type StoredArticle,
  slugFor,
  startWriting,
} from '../model/articles.js';
import { type Bulle, brandSlice, type Site } from '../model/brand.js';
import { quotaOf, useQuota } from '../model/quotas.js';
import { namedArticle, targetBulle } from '../scope.js';
import type { Exchange } from '../service.js';
import { formatInstant } from '../timestamps.js';
import {
  bodyTarget,
  type Fields,
  nullableText,
  optionalBoolean,
  optionalInstant,
  optionalInteger,
  optionalIntegers,
  optionalText,
  readDryRun,
  requiredText,
} from '../validate.js';

const CATEGORY = { max: 80 };
const TITLE = { min: 3 };
const KEYWORD = { min: 2 };

/** POST /articles: one article a site, or one for a custom site when no site is named. */
export function create(exchange: Exchange): Reply {
  const { service, key, body } = exchange;
  const wanted = readNewArticle(body);
  const wordpress = siteIds(body, 'site_id', 'site_ids');
  const wix = siteIds(body, 'wix_site_id', 'wix_site_ids');
  const bulle = targetBulle(service.store, key, bodyTarget(body, 'bulle_id'));
  const sites = [
    ...wordpress.map((id) => namedSite(exchange, bulle, 'wordpress', id)),
    ...wix.map((id) => namedSite(exchange, bulle, 'wix', id)),
  ];

  const isThere = (site: Site): boolean =>
    service.store
      .get(articlesSlice)
      .items.some(
        ({ title, site: of }) => title === wanted.article.title && of?.kind === site.platform && of.id === site.id,
      );
  const skipped = sites.filter(isThere);
  const targets: readonly (Site | null)[] = sites.length === 0 ? [null] : sites.filter((site) => !isThere(site));
  // All or nothing: a quota that does not hold for every site of the request holds for none.
  useQuota(service, 'articles', key.sphere_id, targets.length);

  const made = targets.map((site) => {
    const article = addArticle(service, {
      ...wanted.article,
      sphere_id: key.sphere_id,
      bulle_id: bulle.id,
      site: site === null ? null : { kind: site.platform, id: site.id },
      pending: wanted.pending,
    });
    startWriting(service, article);
    return createdItem(article);
  });
  return created({
    created: made,
    ...(skipped.length === 0 ? {} : { skipped: skipped.map(skippedItem) }),
    count: made.length,
    generating: made.length > 0 && wanted.pending?.text === true,
  });
}

function readNewArticle(body: Fields) {
  const article = {
    title: requiredText(body, 'title', TITLE),
    target_keyword: requiredText(body, 'target_keyword', KEYWORD),
    featured_image_url: optionalText(body, 'featured_image_url') ?? null,
    meta_title: optionalText(body, 'meta_title') ?? null,
    meta_description: optionalText(body, 'meta_description') ?? null,
    excerpt: optionalText(body, 'excerpt') ?? null,
    category: nullableText(body, 'category', CATEGORY) || null,
  };
  const words = optionalInteger(body, 'ai_word_count_target', { min: 1 }) ?? 1500;
  const text = optionalBoolean(body, 'generate_content') ?? true;
  const image = optionalBoolean(body, 'generate_image') ?? false;
  // Checked, though the mock writes in one tone and one language.
  optionalText(body, 'tone', { min: 1 });
  optionalText(body, 'language', { min: 1 });
  return { article, pending: text || image ? { text, image, words } : null };
}

/** Both forms may be given; a site named twice counts once. */
function siteIds(body: Fields, one: string, many: string): number[] {
  const id = optionalInteger(body, one);
  return [...new Set([...(id === undefined ? [] : [id]), ...(optionalIntegers(body, many) ?? [])])];
}

function namedSite({ service, key }: Exchange, bulle: Bulle, platform: Site['platform'], id: number): Site {
  const site = service.store.get(brandSlice).sites.find((other) => other.platform === platform && other.id === id);
  if (site === undefined) throw notFound(`Site introuvable : ${id}`);
  const covered =
    site.sphere_id === key.sphere_id && (key.bulle_id === null || site.is_shared || site.bulle_id === key.bulle_id);
  if (!covered) throw forbidden("Ce site n'appartient pas à votre périmètre.");
  if (!site.is_shared && site.bulle_id !== bulle.id) {
    throw unprocessable(`Le site ${id} n'est pas rattaché à l'établissement ${bulle.id}.`);
  }
  return site;
}

/** The three forms of the specification: the kind is named where it is not a WordPress site. */
function createdItem({ id, title, site }: StoredArticle): Record<string, unknown> {
  if (site === null) return { id, kind: 'api', site_id: null };
  return site.kind === 'wix' ? { id, kind: 'wix', site_id: site.id } : { id, title, site_id: site.id };
}

const skippedItem = ({ platform, id }: Site): Record<string, unknown> => ({
  ...(platform === 'wix' ? { wix_site_id: id } : { site_id: id }),
  reason: 'already_exists',
});

/** PUT /articles/{article_id}: only sent fields change. `null` is refused: an empty category is what removes one. */
export function update(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const changes = {
    title: optionalText(body, 'title', TITLE),
    content_html: optionalText(body, 'content_html'),
    excerpt: optionalText(body, 'excerpt'),
    meta_title: optionalText(body, 'meta_title'),
    meta_description: optionalText(body, 'meta_description'),
    target_keyword: optionalText(body, 'target_keyword', KEYWORD),
    featured_image_url: optionalText(body, 'featured_image_url'),
    category: optionalText(body, 'category', CATEGORY),
  };
  const article = namedArticle(exchange);
  refuseOnline(article);
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const updated_fields = Object.keys(sent);
  if (updated_fields.length > 0) {
    Object.assign(article, sent, sent.category === '' ? { category: null } : {});
    article.updated_at = service.clock.stamp();
  }
  return ok({ article_id: article.id, updated_fields, status: article.status });
}

/** POST /articles/{article_id}/publish: now, at `scheduled_at`, or only as a preview. */
export function publish(exchange: Exchange): Reply {
  const { service, key, body } = exchange;
  const at = optionalInstant(body, 'scheduled_at');
  if (at !== undefined && at <= service.clock.now()) {
    throw unprocessable('Le champ `scheduled_at` doit être dans le futur.');
  }
  const dryRun = readDryRun(body);
  const article = namedArticle(exchange);
  refuseOnline(article);
  const scheduled = at !== undefined;
  const scheduled_at = scheduled ? formatInstant(at) : null;
  const common = { article_id: article.id, title: article.title };

  if (dryRun) {
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
