// cspell:disable the sentences in French
import type { Params } from 'multilocal/internal/endpoint';
import { type Lookup, lookups } from './lookup.js';
import type { PlanOperation } from './plan.js';
import { type Both, platformNames, whenWritten } from './words.js';

/** What an action uses of a monthly quota. `part`: the name of its counter, where the quota of the service has several. */
interface Use {
  readonly name: string;
  readonly uses: number;
  readonly part?: string;
}

/** All that is known of an operation. */
export interface Operation {
  /** What it does, behind `Would` and `Ferait : `. */
  readonly phrase: (params: Params) => Both;
  /** Its name in a calendar. */
  readonly label: Both;
  /** What it makes or changes, and as what it is read again. */
  readonly object?: 'post' | 'article' | 'social' | 'report';
  /** Whether its response must name what was made. Without an id, it is unknown what the service did. */
  readonly makes?: true;
  /** How what it made is corrected: the fields that an update takes. `isReplaced`: with other fields it is deleted and made anew. */
  readonly update?: {
    readonly by: PlanOperation;
    readonly id: 'post_id' | 'article_id';
    readonly fields: readonly string[];
    readonly isReplaced?: true;
  };
  /** How its result is found after a lost response. Absent: it may be repeated, or a person must look. */
  readonly lookup?: Lookup;
  /** What it uses of monthly quotas. */
  readonly uses?: (params: Params) => readonly Use[];
  /** Its preview is a general rule of the specification only. */
  readonly isPreviewUnlisted?: true;
  /** When it happens if it names no moment. */
  readonly moment?: (params: Params) => 'at once' | 'in one hour';
}

const plain = (en: string, fr: string) => (): Both => [en, fr];
const atOnce = () => 'at once' as const;
const single = (name: string) => () => [{ name, uses: 1 }];

// The schemas have checked that these are lists.
const names = (platforms: unknown) => platformNames(platforms as string[]);
const sizeOf = (list: unknown) => (list as unknown[]).length;
const en = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const fr = (count: number, noun: string) => `${count} ${noun}${count > 1 ? 's' : ''}`;

/** Each site gets an article. Without sites, there is one for the custom site. */
function articles({ site_id, site_ids, wix_site_id, wix_site_ids }: Params): number {
  const sites = [site_id, site_ids, wix_site_id, wix_site_ids].flat().filter((id) => id !== undefined);
  return Math.max(1, sites.length);
}

function messages({ contacts }: Params): Use[] {
  const channels = (contacts as readonly { channel?: unknown }[]).map(({ channel }) => channel);
  return (['sms', 'email'] as const).flatMap((part) => {
    const uses = channels.filter((channel) => channel === part).length;
    return uses > 0 ? [{ name: part === 'sms' ? 'SMS' : 'e-mails', uses, part }] : [];
  });
}

/** The operations that a plan may have, a row each. A write of the client without a row does not compile. */
export const operations: Readonly<Record<PlanOperation, Operation>> = {
  'posts.create': {
    phrase: ({ publish_now, platforms }) =>
      publish_now === true
        ? [`publish a post now on ${names(platforms)}`, `publier un post maintenant sur ${names(platforms)}`]
        : [`schedule a post on ${names(platforms)}`, `programmer un post sur ${names(platforms)}`],
    label: ['Post', 'Post'],
    object: 'post',
    makes: true,
    update: { by: 'posts.update', id: 'post_id', fields: ['content', 'scheduled_at'], isReplaced: true },
    lookup: lookups.post,
    isPreviewUnlisted: true,
    moment: ({ publish_now }) => (publish_now === true ? 'at once' : 'in one hour'),
  },
  'posts.update': {
    phrase: plain('change the post', 'modifier le post'),
    label: ['Changed post', 'Post modifié'],
    object: 'post',
  },
  'posts.delete': { phrase: plain('delete the post', 'supprimer le post'), label: ['Deleted post', 'Post supprimé'] },
  'posts.publish': {
    phrase: plain('publish the post now', 'publier le post maintenant'),
    label: ['Published post', 'Post publié'],
    object: 'post',
    lookup: lookups.publishedPost,
    isPreviewUnlisted: true,
    moment: atOnce,
  },
  'social.publish': {
    phrase: ({ scheduled_at, platforms }) =>
      scheduled_at === undefined
        ? [`publish a text on ${names(platforms)}`, `publier un texte sur ${names(platforms)}`]
        : [`schedule a text on ${names(platforms)}`, `programmer un texte sur ${names(platforms)}`],
    label: ['Publication', 'Publication'],
    object: 'social',
    makes: true,
    uses: single('social publications'),
    isPreviewUnlisted: true,
    moment: atOnce,
  },
  'articles.create': {
    phrase: (params) => [`order ${en(articles(params), 'article')}`, `commander ${fr(articles(params), 'article')}`],
    label: ['New article', 'Nouvel article'],
    object: 'article',
    makes: true,
    update: {
      by: 'articles.update',
      id: 'article_id',
      fields: [
        ...['title', 'excerpt', 'meta_title', 'meta_description'],
        ...['target_keyword', 'featured_image_url', 'category'],
      ],
    },
    lookup: lookups.articles,
    uses: (params) => [{ name: 'articles', uses: articles(params) }],
  },
  'articles.update': {
    phrase: plain('change the article', 'modifier l’article'),
    label: ['Changed article', 'Article modifié'],
    object: 'article',
  },
  'articles.publish': {
    phrase: ({ scheduled_at }) =>
      scheduled_at === undefined
        ? ['publish the article', 'publier l’article']
        : ['schedule the article', 'programmer l’article'],
    label: ['Published article', 'Article publié'],
    object: 'article',
    lookup: lookups.publishedArticle,
    moment: atOnce,
  },
  'articles.confirm': {
    phrase: plain('confirm that the article is online', 'confirmer que l’article est en ligne'),
    label: ['Confirmed article', 'Article confirmé'],
    object: 'article',
  },
  'reviews.reply': {
    phrase: plain('reply publicly to the review', 'répondre publiquement à l’avis'),
    label: ['Reply to a review', 'Réponse à un avis'],
    makes: true,
    lookup: lookups.reply,
  },
  'acquisition.requestReviews': {
    phrase: ({ contacts }) => [
      `ask ${en(sizeOf(contacts), 'customer')} for a review`,
      `demander un avis à ${fr(sizeOf(contacts), 'client')}`,
    ],
    label: ['Review requests', 'Demandes d’avis'],
    makes: true,
    lookup: lookups.requests,
    uses: messages,
  },
  'gmb.optimizer.audit': {
    phrase: plain('audit the listing', 'auditer la fiche'),
    label: ['Audit of a listing', 'Audit d’une fiche'],
    lookup: lookups.audit,
  },
  'gmb.optimizer.apply': {
    phrase: ({ changes }) => [
      `change ${en(sizeOf(changes), 'field')} of the public listing`,
      `modifier ${fr(sizeOf(changes), 'champ')} de la fiche publique`,
    ],
    label: ['Changed listing', 'Fiche modifiée'],
  },
  'seo.trackedKeywords.create': {
    phrase: plain('track a keyword', 'suivre un mot-clé'),
    label: ['Tracked keyword', 'Mot-clé suivi'],
    lookup: lookups.keyword,
  },
  'seo.scan': {
    phrase: plain('scan the site', 'analyser le site'),
    label: ['Scan of a site', 'Analyse d’un site'],
    lookup: lookups.scan,
    uses: single('SEO scans'),
  },
  'seo.keywordLookup': {
    phrase: plain('look up a keyword', 'rechercher un mot-clé'),
    label: ['Keyword lookup', 'Recherche d’un mot-clé'],
  },
  'qrCodes.create': {
    phrase: plain('create a QR code', 'créer un QR code'),
    label: ['New QR code', 'Nouveau QR code'],
    makes: true,
    lookup: lookups.qrCode,
  },
  'reports.create': {
    phrase: ({ fiche_ids }) => [
      `order a report on ${en(sizeOf(fiche_ids), 'listing')}`,
      `commander un rapport sur ${fr(sizeOf(fiche_ids), 'fiche')}`,
    ],
    label: ['New report', 'Nouveau rapport'],
    object: 'report',
    makes: true,
    lookup: lookups.report,
  },
  'images.upload': {
    phrase: plain('upload an image', 'importer une image'),
    label: ['Uploaded image', 'Image importée'],
    makes: true,
  },
  'images.generate': {
    phrase: plain('generate an image', 'générer une image'),
    label: ['Generated image', 'Image générée'],
    makes: true,
  },
};

/** Returns the row of an operation. A journal may name one that there is not. */
export function rowOf(operation: string): Partial<Operation> {
  return Object.hasOwn(operations, operation) ? operations[operation as PlanOperation] : {};
}

/** Whether an operation makes a post, which lists show, and which can be corrected. */
export function isPost(operation: string): boolean {
  return rowOf(operation).update?.isReplaced === true;
}

/** Whether it makes a publication that no list shows, and that nothing changes. */
export function isSocial(operation: string): boolean {
  return rowOf(operation).object === 'social';
}

/** When an action happens that names no moment. `undefined`: it names one, or its operation has none. */
export function impliedMoment({ operation, params }: { readonly operation: string; readonly params: Params }) {
  return whenWritten(params) === undefined ? rowOf(operation).moment?.(params) : undefined;
}

/** The operations whose preview is a general rule of the specification only. A service that ignores it would publish. */
export const unlistedPreviews = Object.keys(operations).filter((operation) => rowOf(operation).isPreviewUnlisted);

/** The operations that a run calls for an action. `kind`: what it does with what the key has made. */
export function operationsOf(operation: string, kind?: 'update' | 'replace' | 'retry' | 'adopt'): readonly string[] {
  if (kind === 'adopt') return [];
  if (kind === 'replace') return ['posts.delete', operation];
  return [(kind === 'update' && rowOf(operation).update?.by) || operation];
}
