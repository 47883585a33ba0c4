import type { Article, Connection, Platform, Post, Report, Review } from 'multilocal';

/** What a watcher looks at. Each kind has reads of its own. */
export type WatchKind = 'reviews' | 'posts' | 'connections' | 'articles' | 'reports';

/** What every event has. */
export interface WatchHappening<Type extends string> {
  /**
   * Id of the happening, for receivers that must not act twice. It is the same for every watcher where the service dates
   * the happening, and for connections within one cursor. It has no `.`.
   */
  id: string;
  /** What happened. */
  type: Type;
  /**
   * The service's date of the happening, ISO 8601. For connections and deleted articles the moment at which a look has
   * shown it, for failed posts the `updated_at`.
   */
  at: string;
  /** The location. Absent where the object has none. */
  bulle_id?: string;
  /** The listing, of reviews only. */
  fiche_id?: string;
}

/** A customer has written a review, or somebody has answered one. */
export interface ReviewEvent extends WatchHappening<'review.new' | 'review.answered'> {
  /** The review, as the service returned it. */
  review: Review;
}

/** A post is online on a platform, or has failed there. */
export interface PostEvent extends WatchHappening<'post.published' | 'post.failed'> {
  /** The post, as the service returned it. */
  post: Post;
  /** The platform. A post for two platforms has two events. */
  platform: Platform;
}

/** The access of an account ends within 7 days, has ended, or is back. */
export interface ConnectionEvent
  extends WatchHappening<'connection.expiring' | 'connection.lost' | 'connection.restored'> {
  /** The account, as the service returned it. */
  connection: Connection;
}

/** An article is online, has changed while it was online, or went offline. */
export interface ArticleEvent extends WatchHappening<'article.published' | 'article.changed' | 'article.unpublished'> {
  /** The article, as the service returned it. */
  article: Article;
  /** Only events of deleted articles have it. */
  deleted?: undefined;
}

/** An article that was online no longer exists. */
export interface DeletedArticleEvent extends WatchHappening<'article.unpublished'> {
  /** What is known of the article. */
  article: Pick<Article, 'id'>;
  /** Tells it from an article that went offline. */
  deleted: true;
}

/** A report is ready. */
export interface ReportEvent extends WatchHappening<'report.ready'> {
  /** The report, as the service returned it. */
  report: Report;
}

/**
 * Something could have been missed: more reports were made than the service shows, the counts of reviews do not fit, or no
 * run with `once` had room for a look in two days. Then raise `perDay`.
 */
export interface GapEvent extends WatchHappening<'watch.gap'> {
  /** What could have been missed. */
  kind: WatchKind;
}

/** What {@link watch} gives. */
export type WatchEvent =
  | ReviewEvent
  | PostEvent
  | ConnectionEvent
  | ArticleEvent
  | DeletedArticleEvent
  | ReportEvent
  | GapEvent;

/** The types of events. */
export type WatchEventType = WatchEvent['type'];

/** The types of events by the kind that shows them, the most urgent kind first. Every kind may show a gap. */
const TYPES: Readonly<Record<WatchKind, readonly WatchEventType[]>> = {
  posts: ['post.published', 'post.failed'],
  connections: ['connection.expiring', 'connection.lost', 'connection.restored'],
  reviews: ['review.new', 'review.answered'],
  articles: ['article.published', 'article.changed', 'article.unpublished'],
  reports: ['report.ready'],
};

export const KINDS = Object.keys(TYPES) as WatchKind[];

/** Every word that `events` takes. */
export const EVENT_NAMES: readonly string[] = [...Object.values(TYPES).flat(), 'watch.gap', ...KINDS];

/** Which types of events a watcher tells, and which kinds it looks at for them. */
export interface Wanted {
  readonly kinds: readonly WatchKind[];
  readonly types: ReadonlySet<string>;
}

/** Reads names of types and kinds. None: everything. */
export function wantedOf(names: readonly string[] = KINDS): Wanted {
  const typesOf = (kind: WatchKind) => TYPES[kind].filter((type) => names.includes(type) || names.includes(kind));
  const kinds = KINDS.filter((kind) => typesOf(kind).length > 0);
  return { kinds, types: new Set(['watch.gap', ...kinds.flatMap(typesOf)]) };
}
