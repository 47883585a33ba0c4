import type { Article, ArticleList, Identity } from '../../src/index.js';

/** A key whose letters change under percent-encoding, so that each form is a different string. */
export const KEY = 'acme_live_Zq8+/w=T4%pX?c9';

export const ARTICLE: Article = {
  id: 42,
  title: 'Le pain au levain',
  excerpt: 'Un extrait.',
  content_html: '<p>Texte</p>',
  featured_image_url: 'https://img.test/42.jpg',
  meta_title: 'Pain',
  meta_description: 'Tout sur le pain',
  target_keyword: 'levain',
  category: null,
  status: 'published',
  published_at: '2026-11-01T08:00:00.000000+00:00',
  created_at: '2026-10-30T08:00:00.000000+00:00',
  updated_at: '2026-11-02T08:00:00.123456+00:00',
  slug: 'le-pain-au-levain',
  bulle_id: 'b-lyon',
  bulle_name: 'Lyon',
};

export const LIST: ArticleList = { articles: [ARTICLE], total: 1, limit: 50, offset: 0 };

export const CONFIRMATION = {
  article_id: 42,
  confirmed_at: '2026-11-02T08:00:00Z',
  confirmation_source: 'pingback',
};

export const PUBLICATION = { scheduled: false, article_id: 42, title: 'Le pain au levain', scheduled_at: null };

export const UPDATE = { article_id: 42, updated_fields: ['title'], status: 'draft' };

export const CREATION = { created: [{ id: 42, kind: 'api', site_id: null }], count: 1, generating: true };

export const SPHERE_IDENTITY: Identity = {
  api_version: '2.0',
  bulle: null,
  sphere: { id: 's-1', name: 'Maison Martin', slug: 'maison-martin' },
  permissions: ['read', 'schedule', 'publish', 'delete'],
  rate_limits: { per_minute: 60, per_day: 1000 },
  connected_platforms: ['facebook', 'gmb'],
  gmb_fiches: [
    { id: 'accounts/1/locations/1', name: 'Lyon', address: '1 rue A', service_area: false },
    { id: 'accounts/1/locations/2', name: 'Nantes', address: '2 rue B', service_area: false },
  ],
};

export const BULLE_IDENTITY: Identity = {
  ...SPHERE_IDENTITY,
  bulle: { id: 'b-lyon', name: 'Lyon', city: 'Lyon' },
  gmb_fiches: SPHERE_IDENTITY.gmb_fiches.slice(0, 1),
};

/** The scope texts of the service, to the letter. */
export const TEXTS = {
  bulleOutOfScope: "Cet établissement n'appartient pas à votre périmètre.",
  ficheOutOfScope: "Cette fiche GMB n'appartient pas à votre périmètre.",
  bulleNotFound: 'Établissement introuvable : b-nulle-part',
  noFiche: 'Aucune fiche GMB associée à cette clé API.',
  missingBulle: 'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).',
  missingFiche: 'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).',
  notConnected: 'Plateforme non connectée',
} as const;

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
