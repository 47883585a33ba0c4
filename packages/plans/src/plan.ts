import type {
  ArticleConfirmParams,
  ArticleCreateParams,
  ArticlePublishParams,
  ArticleUpdateParams,
  BulleTarget,
  FicheTarget,
  ImageGenerateParams,
  ImageUploadParams,
  KeywordParams,
  OptimizerApplyParams,
  PostCreateParams,
  PostUpdateParams,
  QrCodeCreateParams,
  ReportCreateParams,
  ReviewReplyParams,
  ReviewRequestParams,
  SocialPublishParams,
} from 'multilocal';

/** The parameters of each operation that a plan may have, including its path. */
export interface PlanOperations {
  'posts.create': PostCreateParams;
  'posts.update': { post_id: number } & PostUpdateParams;
  'posts.delete': { post_id: number };
  'posts.publish': { post_id: number };
  'social.publish': SocialPublishParams;
  'articles.create': ArticleCreateParams;
  'articles.update': { article_id: number } & ArticleUpdateParams;
  'articles.publish': { article_id: number } & ArticlePublishParams;
  'articles.confirm': { article_id: number } & ArticleConfirmParams;
  'reviews.reply': { review_id: string } & ReviewReplyParams;
  'acquisition.requestReviews': ReviewRequestParams;
  'gmb.optimizer.audit': FicheTarget;
  'gmb.optimizer.apply': OptimizerApplyParams;
  'seo.trackedKeywords.create': KeywordParams;
  'seo.scan': BulleTarget;
  'seo.keywordLookup': KeywordParams;
  'qrCodes.create': QrCodeCreateParams;
  'reports.create': ReportCreateParams;
  'images.upload': Exclude<ImageUploadParams, { file: unknown }>;
  'images.generate': ImageGenerateParams;
}

/** An operation that a plan may have: any that writes. */
export type PlanOperation = keyof PlanOperations;

/** What every action has beside its parameters. */
interface PlanActionOf<Operation extends PlanOperation> {
  /**
   * What the action is called across versions of the plan: `noel/bul_lyon`. A run does each key once. A key that was carried
   * out with other parameters is a correction, and a new key is a new action. No key twice in one plan.
   *
   * Without it: the SHA-256 of operation, parameters and target, with `#2`, `#3` … for repetitions. Platforms have no order.
   * A key that another plan has made with another action is refused.
   */
  readonly key?: string | undefined;
  /** The method of the client that carries the action out: `posts.create`. Any that writes. */
  readonly operation: Operation;
  /** Where the action was written: `semaine.csv:81`. Problems and warnings name that place. In no hash. */
  readonly source?: string | undefined;
}

/** One action of a plan: an operation and its parameters, which the compiler checks by the name of the operation. */
export type PlanAction = {
  [Operation in PlanOperation]: Record<string, never> extends PlanOperations[Operation]
    ? PlanActionOf<Operation> & {
        /** The parameters of the method, including its path. */
        readonly params?: PlanOperations[Operation];
      }
    : PlanActionOf<Operation> & {
        /** The parameters of the method, including its path. */
        readonly params: PlanOperations[Operation];
      };
}[PlanOperation];

/**
 * What is to be done, in this order. `$schema` is for editors: `multilocal/plan.schema.json`.
 * @example
 * const plan: Plan = {
 *   name: 'noel',
 *   actions: [
 *     {
 *       key: 'noel/bul_lyon',
 *       operation: 'posts.create',
 *       params: { bulle_id, content: 'Ouvert dimanche', platforms: ['facebook'], scheduled_at: '2026-12-20T09:00:00+01:00' },
 *     },
 *   ],
 * };
 */
export interface Plan {
  /** Address of the JSON Schema. */
  readonly $schema?: string | undefined;
  /** Whose posts the plan speaks of: what an earlier version under this name has made and this one lacks is a left-over. */
  readonly name?: string | undefined;
  /** The locations that the plan speaks of. What it has made elsewhere is no left-over. Default: all. */
  readonly covers?: readonly string[] | undefined;
  /** At least one action. */
  readonly actions: readonly PlanAction[];
}
