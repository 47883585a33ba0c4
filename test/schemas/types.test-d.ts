// What the schemas of the entry infer, as an app writes it, with both kinds of zod.
import * as classic from 'zod';
import * as z from 'zod/mini';
import type { ArticleLatestParams, ArticleRelatedParams } from '../../src/articles.js';
import type {
  Article,
  ArticleListParams,
  BulleTarget,
  DryRunPreview,
  ImageUploadParams,
  Post,
  PostCreateParams,
  PostUpdateParams,
  ReportCreateParams,
  ReviewRequestParams,
  Site,
} from '../../src/index.js';
import * as schemas from '../../src/schemas.js';

declare function type<T>(): T;
/** Takes a second argument, which nobody can give, where the types are not the same. */
declare function same<T>(value: T): <U>(other: U, ...wrong: Equal<T, U> extends true ? [] : [never]) => void;
type Equal<T, U> = (<G>() => G extends T ? 1 : 2) extends <G>() => G extends U ? 1 : 2 ? true : false;

// `z.infer` is the type, and so is `z.input` for parameters.
same(type<z.infer<typeof schemas.articleSchema>>())(type<Article>());
same(type<classic.infer<typeof schemas.articleSchema>>())(type<Article>());
same(type<z.infer<typeof schemas.siteSchema>>())(type<Site>());
same(type<z.infer<typeof schemas.dryRunPreviewSchema>>())(type<DryRunPreview>());
same(type<z.infer<typeof schemas.bulleTargetSchema>>())(type<BulleTarget>());
same(type<z.input<typeof schemas.articleListParamsSchema>>())(type<ArticleListParams>());
same(type<z.input<typeof schemas.articleLatestParamsSchema>>())(type<ArticleLatestParams>());
same(type<z.infer<typeof schemas.articleRelatedParamsSchema>>())(type<ArticleRelatedParams>());
same(type<z.infer<typeof schemas.postCreateParamsSchema>>())(type<PostCreateParams>());
same(type<z.input<typeof schemas.postCreateParamsSchema>>())(type<PostCreateParams>());
same(type<classic.input<typeof schemas.imageUploadParamsSchema>>())(type<ImageUploadParams>());
same(type<z.input<typeof schemas.reportCreateParamsSchema>>())(type<ReportCreateParams>());
same(type<z.input<typeof schemas.reviewRequestParamsSchema>>())(type<ReviewRequestParams>());

// They compose with those of the app.
same(z.parse(z.array(schemas.articleSchema), []))(type<Article[]>());
same(classic.array(schemas.articleSchema).parse([]))(type<Article[]>());
same(classic.object({ article: schemas.articleSchema }).parse({}).article)(type<Article>());
same(z.parse(z.object({ article: z.optional(schemas.articleSchema) }), {}).article)(type<Article | undefined>());

// Objects are typed as objects, so an app extends them and takes fields from them.
const mine = z.extend(schemas.postSchema, { note: z.string() });
same(type<z.infer<typeof mine>['note']>())(type<string>());
same(type<z.infer<typeof mine>['bulle_id']>())(type<Post['bulle_id']>());
const part = z.pick(schemas.articleSchema, { id: true, category: true });
same(type<z.infer<typeof part>>())(type<Pick<Article, 'id' | 'category'>>());
const rest = z.omit(schemas.articleListParamsSchema, { status: true });
same(type<z.input<typeof rest>>())(type<Omit<ArticleListParams, 'status'>>());
const any = z.partial(schemas.postUpdateParamsSchema);
same(type<z.input<typeof any>>())(type<PostUpdateParams>());
same(type<z.infer<(typeof schemas.bulleSchema)['shape']['id']>>())(type<string>());
// @ts-expect-error no such field
z.pick(schemas.articleSchema, { titre: true });

// @ts-expect-error another type
same(type<z.infer<typeof schemas.articleSchema>>())(type<Site>());
