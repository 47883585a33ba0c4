import type { MockControl } from '../../src/mock/types.js';

/** One call of an operation whose answer is worth showing. */
export interface Sample {
  path?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** An operation to call first, whose answer gives the path parameter of the same name. */
  after?: string;
}

/** A sample is missing, or the mock refuses it: nothing that a stack would help to find. */
export class SampleError extends Error {
  override name = 'SampleError';
}

/** What to ask the mock for, by operation. */
export function samplesOf({ ids, articles }: MockControl): Record<string, Sample> {
  const { bulle, fiche } = ids;
  const published = articles.all().find(({ status }) => status === 'published')?.id as number;
  const draft = articles.all().find(({ status, content_html }) => status === 'draft' && content_html)?.id as number;
  const dates = { date_start: '2026-10-01', date_end: '2026-10-31' };
  return {
    health: {},
    me: {},
    'spheres.list': {},
    'bulles.list': {},
    'bulles.get': { path: { bulle_id: bulle } },
    'connections.list': { query: { bulle_id: bulle } },
    'platforms.limits': {},
    'posts.create': {
      body: {
        content: 'La brioche du dimanche sort du four à 8 h.',
        platforms: ['facebook', 'gmb'],
        scheduled_at: '2026-12-01T09:00:00+01:00',
        bulle_id: bulle,
      },
    },
    'posts.list': { query: { status: 'published', limit: '2', bulle_id: bulle } },
    'posts.get': { path: { post_id: ids.posts.published } },
    'posts.update': { path: { post_id: ids.posts.pending }, body: { content: 'La brioche du samedi.' } },
    'posts.delete': { path: { post_id: ids.posts.error } },
    'posts.publish': { path: { post_id: ids.posts.pending }, body: {} },
    'social.publish': { body: { platforms: ['facebook'], text: 'Ouvert ce lundi férié.', bulle_id: bulle } },
    'social.quota': { query: { bulle_id: bulle } },
    'social.get': { path: { post_id: '' }, after: 'social.publish' },
    'articles.list': { query: { status: 'published', bulle_id: bulle } },
    'articles.get': { path: { article_id: published } },
    'articles.create': {
      body: { title: 'Le pain de seigle', target_keyword: 'pain de seigle', bulle_id: bulle },
    },
    'articles.update': { path: { article_id: draft }, body: { category: 'Pains' } },
    'articles.publish': { path: { article_id: draft }, body: { scheduled_at: '2026-12-01T09:00:00+01:00' } },
    'articles.confirm': {
      path: { article_id: published },
      body: { rendered_url: 'https://www.example.com/blog/pain-au-levain' },
    },
    'reviews.list': { query: { fiche_id: fiche, status: 'unresponded', limit: '2' } },
    'reviews.summary': { query: { fiche_id: fiche } },
    'reviews.reply': { path: { review_id: ids.review }, body: { text: 'Merci, à bientôt !', fiche_id: fiche } },
    'acquisition.stats': { query: { fiche_id: fiche } },
    'acquisition.requestReviews': {
      body: {
        contacts: [{ customer_name: 'Camille', channel: 'email', customer_email: 'camille@example.com' }],
        fiche_id: fiche,
      },
    },
    'gmb.metrics': { query: { period_days: '7', fiche_id: fiche } },
    'gmb.optimizer.score': { query: { fiche_id: fiche } },
    'gmb.optimizer.audit': { body: { fiche_id: fiche } },
    'gmb.optimizer.apply': {
      body: { changes: [{ field: 'description', value: 'Pain au levain et brioches.' }], fiche_id: fiche },
    },
    'visibility.scan': { query: { fiche_id: fiche } },
    'seo.snapshot': { query: { kind: 'snapshot', bulle_id: bulle } },
    'seo.competitors': { query: { kind: 'competitors', bulle_id: bulle } },
    'seo.trackedKeywords.list': { query: { bulle_id: bulle } },
    'seo.trackedKeywords.create': { body: { keyword: 'brioche artisanale', bulle_id: bulle } },
    'seo.searchConsole': { query: { dimensions: 'query', days: '7', row_limit: '2', bulle_id: bulle } },
    'seo.scan': { body: { bulle_id: bulle } },
    'seo.keywordLookup': { body: { keyword: 'boulangerie', bulle_id: bulle } },
    'qrCodes.list': { query: { bulle_id: bulle } },
    'qrCodes.create': {
      body: { target_url: 'https://www.example.com/avis', name: 'Comptoir', color_hex: '#7A3E1D', bulle_id: bulle },
    },
    'sites.list': {},
    'reports.list': { query: { limit: '2' } },
    'reports.create': { body: { type: 'fiche', fiche_ids: [fiche], ...dates, report_name: 'Octobre' } },
    'images.upload': { body: { url: 'https://www.example.com/images/brioche.jpg' } },
    'images.generate': { body: { prompt: 'Une brioche dorée sur un comptoir en bois', bulle_id: bulle } },
  };
}
