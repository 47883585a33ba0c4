// What compiles and what must not, as a user writes it.
import type * as api from '@opentelemetry/api';
import {
  type ApiPromise,
  type Article,
  type ArticleCreation,
  type ArticleField,
  type ArticleList,
  type ArticlePublication,
  type ArticleStore,
  ArticlesClient,
  articlesProxy,
  type Bulle,
  type Campaign,
  Client,
  type ConnectedClient,
  type CreatedApiArticle,
  type CreatedPost,
  type CreatedSiteArticle,
  calendarOf,
  type DryRunClient,
  type DryRunPreview,
  type ErrorCode,
  type Identity,
  instrument,
  isMultilocalError,
  type KeywordLookup,
  type ListPromise,
  type Logger,
  type LogLevel,
  MissingPermissionError,
  memoryStore,
  type NoSeoSnapshot,
  type NoVisibilityScan,
  type OptimizerAudit,
  type Plan,
  type Platform,
  type PlatformStatus,
  type Post,
  planCampaign,
  postStatusByPlatform,
  RateLimitError,
  type ReadableArticleStore,
  type Report,
  type ReportJob,
  type Review,
  type ReviewPage,
  type ReviewReply,
  type ReviewRequestBatch,
  type Scope,
  type SeoScan,
  type SeoSnapshot,
  type SocialPublication,
  type SphereClient,
  type SqlStore,
  searchConsoleRows,
  sqlStore,
  TimeoutError,
  type TrackedKeyword,
  testArticleStore,
  type VisibilityScan,
  zonedTime,
} from './entries.js';

declare const client: Client;
declare function same<T>(value: T): <U>(other: U, ...wrong: [T, U] extends [U, T] ? [] : [never]) => void;
declare function type<T>(): T;

// Results.
same(await client.articles.get(1))(type<Article>());
same(client.articles.create({ title: 'abc', target_keyword: 'ab' }))(type<ApiPromise<ArticleCreation>>());

// `dry_run` changes the result.
same(await client.articles.publish(1))(type<ArticlePublication>());
same(await client.articles.publish(1, { dry_run: true }))(type<DryRunPreview>());
same(await client.articles.publish(1, { dry_run: false }))(type<ArticlePublication>());
same(await client.articles.publish(1, { dry_run: type<boolean>() }))(type<ArticlePublication | DryRunPreview>());
same(await client.dryRun.forBulle('b').articles.publish(1, { scheduled_at: new Date() }))(type<DryRunPreview>());
same((await client.articles.publish(1, { dry_run: true })).would_publish)(type<unknown>());

// All eleven: a preview with `dry_run: true`, the result without. One shared type says the rest: both where it is not
// known, and a preview on client.dryRun. etc/*.api.md has the plain signatures.
const dry = { dry_run: true } as const;
const either = type<{ dry_run?: boolean }>();
const post = { content: 'a', platforms: ['gmb'] } as const;
same(await client.posts.create({ ...post, ...dry }))(type<DryRunPreview>());
same(await client.posts.create(post))(type<CreatedPost>());
same(await client.posts.create({ ...post, ...either }))(type<CreatedPost | DryRunPreview>());
same(await client.dryRun.posts.create(post))(type<DryRunPreview>());
same(await client.posts.publish(1, dry))(type<DryRunPreview>());
same(await client.posts.publish(1))(type<unknown>());
const social = { text: 'a', platforms: ['gmb'] } as const;
same(await client.social.publish({ ...social, ...dry }))(type<DryRunPreview>());
same(await client.social.publish(social))(type<SocialPublication>());
same(await client.reviews.reply('r', { text: 'a', ...dry }))(type<DryRunPreview>());
same(await client.reviews.reply('r', { text: 'a' }))(type<ReviewReply>());
const contacts = [{ customer_name: 'A', channel: 'sms', customer_phone: '1' }] as const;
same(await client.acquisition.requestReviews({ contacts, ...dry }))(type<DryRunPreview>());
same(await client.acquisition.requestReviews({ contacts }))(type<ReviewRequestBatch>());
same(await client.gmb.optimizer.audit(dry))(type<DryRunPreview>());
same(await client.gmb.optimizer.audit())(type<OptimizerAudit>());
same(await client.dryRun.gmb.optimizer.audit())(type<DryRunPreview>());
const changes = [{ field: 'description', value: '' }];
same(await client.gmb.optimizer.apply({ changes, ...dry }))(type<DryRunPreview>());
same(await client.gmb.optimizer.apply({ changes }))(type<unknown>());
same(await client.seo.scan(dry))(type<DryRunPreview>());
same(await client.seo.scan())(type<SeoScan>());
same(await client.seo.keywordLookup({ keyword: 'a', ...dry }))(type<DryRunPreview>());
same(await client.seo.keywordLookup({ keyword: 'a' }))(type<KeywordLookup>());
const days = { date_start: '2026-10-01', date_end: '2026-10-31' };
const report = { type: 'fiche', fiche_ids: ['f'], ...days } as const;
same(await client.reports.create({ ...report, ...dry }))(type<DryRunPreview>());
same(await client.reports.create(report))(type<ReportJob>());

// client.dryRun offers reads and previews, and no write without a preview.
type Dry = DryRunClient;
same(type<keyof Dry['posts']>())(type<'check' | 'create' | 'findRecent' | 'get' | 'list' | 'publish'>());
same(type<keyof Dry['articles']>())(
  type<'changes' | 'get' | 'list' | 'publish' | 'sync' | 'syncTo' | 'waitUntilWritten'>(),
);
same(type<keyof Dry['reports']>())(type<'create' | 'download' | 'list' | 'wait'>());
same(type<keyof Dry['seo']['trackedKeywords'] | keyof Dry['qrCodes']>())(type<'list'>());
// @ts-expect-error
client.dryRun.posts.publish(1, { dry_run: false });
// @ts-expect-error
client.dryRun.images;
for await (const review of client.dryRun.reviews.all({ max_stars: 1 }))
  same(review)(type<Review & { fiche_id: string }>());
for await (const { fiche_id, average_rating } of client.reviews.summaries({
  onFailure: ({ fiche_id, error }) => console.log(fiche_id, error.code),
})) {
  same(fiche_id)(type<string>());
  average_rating?.toFixed();
}
// @ts-expect-error the listings of the key
client.reviews.all({ fiche_id: 'f' });
// @ts-expect-error the pages of all listings
client.reviews.all({ page: 2 });
// @ts-expect-error
client.dryRun.request({ method: 'POST', path: '/x' });
client.dryRun.request({ method: 'GET', path: '/x' });

// Parameters: unknown names, closed enums, exclusive pairs, path forms.
// @ts-expect-error
client.articles.list({ statu: 'all' });
// @ts-expect-error
client.articles.list({ status: 'online' });
// @ts-expect-error
client.articles.get('one');
// @ts-expect-error
client.articles.create({ title: 'abc' });
client.articles.create({ title: 'abc', target_keyword: 'ab', site_ids: [1], wix_site_id: 2 });
// Every optional parameter takes `undefined`.
declare const site_id: number | undefined;
declare const site_ids: number[] | undefined;
client.articles.create({ title: 'abc', target_keyword: 'ab', site_id, wix_site_id: site_id, site_ids: undefined });
client.articles.create({ title: 'abc', target_keyword: 'ab', site_ids, wix_site_ids: site_ids, site_id: undefined });
client.images.upload({ url: 'https://x', image_base64: undefined, file: undefined });
client.posts.create({ content: 'x', text: undefined, platforms: ['gmb'] });
// @ts-expect-error
client.articles.create({ title: 'abc', target_keyword: 'ab', site_id: 1, site_ids: [1] });
// @ts-expect-error
client.articles.create({ title: 'abc', target_keyword: 'ab', wix_site_id: 1, wix_site_ids: [1] });
// @ts-expect-error `''` removes the category, null is not known to
client.articles.update(1, { category: null });
// @ts-expect-error
client.request({ method: 'GET', path: 'https://elsewhere' });
// @ts-expect-error
client.request({ method: 'TRACE', path: '/x' });

// One of `content` and `text`.
client.posts.create({ text: 'a', platforms: ['gmb'], scheduled_at: new Date(), scheduled_tiktok: '2026-12-01T09:00Z' });
// @ts-expect-error
client.posts.create({ platforms: ['gmb'] });
// @ts-expect-error
client.posts.create({ content: 'a', text: 'a', platforms: ['gmb'] });
// @ts-expect-error a closed list
client.posts.create({ content: 'a', platforms: ['threads'] });
// @ts-expect-error
client.posts.create({ content: 'a', platforms: 'gmb' });
// @ts-expect-error a real array
client.posts.create({ content: 'a', platforms: ['gmb'], image_urls: 'https://x' });
// @ts-expect-error
client.posts.list({ status: 'scheduled' });
// @ts-expect-error ids of posts are numbers
client.posts.get('1');
// @ts-expect-error those of social publications are strings
client.social.get(1);

// One source of an image.
// @ts-expect-error
client.images.upload({});
// @ts-expect-error
client.images.upload({ url: 'https://x', image_base64: 'data:' });
// @ts-expect-error
client.images.upload({ url: 'https://x', file: new Blob() });
// @ts-expect-error
client.images.upload({ file: 'photo.jpg' });

// Contacts by channel.
const customer_name = 'A';
// @ts-expect-error
client.acquisition.requestReviews({ contacts: [{ customer_name, channel: 'sms', customer_email: 'a@b' }] });
// @ts-expect-error
client.acquisition.requestReviews({ contacts: [{ customer_name, channel: 'email', customer_phone: '1' }] });
// @ts-expect-error
client.acquisition.requestReviews({ contacts: [{ customer_name, channel: 'sms' }] });
client.acquisition.requestReviews({
  contacts: [
    { customer_name, channel: 'sms', customer_phone: '1', customer_email: 'a@b' },
    { customer_name, channel: 'email', customer_phone: null, customer_email: 'a@b' },
    { customer_name, channel: 'sms', customer_phone: '1', customer_email: undefined },
  ],
});
// Rows of a database.
declare const rows: { name: string; channel: 'sms' | 'email'; phone: string | null; email?: string }[];
client.acquisition.requestReviews({
  contacts: rows.map((row) => ({
    customer_name: row.name,
    channel: row.channel,
    customer_phone: row.phone,
    customer_email: row.email,
  })),
});
// @ts-expect-error
client.acquisition.requestReviews({ contacts: [{ customer_name, channel: 'fax', customer_phone: '1' }] });

// Two listings to combine; days are strings.
client.reports.create({ type: 'combine', fiche_ids: ['f', 'g'], ...days });
// @ts-expect-error
client.reports.create({ type: 'combine', fiche_ids: ['f'], ...days });
// Variables, whose values are known when the program runs.
declare const kind: 'fiche' | 'combine';
declare const ids: string[];
client.reports.create({ type: kind, fiche_ids: ids, ...days });
client.reports.create({ type: 'combine', fiche_ids: ids.map(String), ...days });
client.dryRun.reports.create({ type: kind, fiche_ids: ids, report_name: undefined, ...days });
// @ts-expect-error
client.reports.create({ type: 'fiche', fiche_ids: ['f'], date_start: new Date(), date_end: '2026-10-31' });
// @ts-expect-error
client.reports.create({ type: 'fiche', fiche_ids: ['f'], date_start: '2026-10-01' });
// @ts-expect-error
client.reports.createAndWait({ ...report, dry_run: true });
// @ts-expect-error
client.seo.searchConsole({ start_date: new Date() });
// @ts-expect-error
client.seo.searchConsole({ dimensions: ['queries'] });
// @ts-expect-error always sent, never passed
client.seo.snapshot({ kind: 'competitors' });
// @ts-expect-error
client.reviews.list({ fiche_id: 'f', bulle_id: 'b' });
// @ts-expect-error
client.sites.list({ platform: 'ghost' });
client.reviews.list({ date_from: new Date(), date_to: '2026-11-21', sort_by: 'date_asc' });

// `undefined` may be passed where a field is optional.
client.articles.list({
  status: undefined,
  updated_since: type<Date | undefined>(),
  bulle_id: type<string | undefined>(),
});
client.articles.get(1, { signal: undefined, timeout: undefined });

// Open enums: known values complete, new ones pass, and both compare.
declare const article: Article;
if (article.status === 'published' || article.status === 'archived') article.updated_at.trim();
// @ts-expect-error may be null
article.slug.trim();

for (const platform of type<Platform[]>()) platform === 'gmb' || platform === 'threads';

// Lists: the page when awaited, its items when iterated.
same(client.posts.list())(type<ListPromise<Post[], Post>>());
same(await client.posts.list())(type<Post[]>());
same(client.articles.list())(type<ListPromise<ArticleList, Article>>());
same(await client.reviews.list().toArray())(type<Review[]>());
same(await client.articles.list({ status: 'all' }).toArray({ limit: 10 }))(type<Article[]>());
for await (const article of client.articles.list()) same(article)(type<Article>());
for await (const page of client.articles.list().pages()) same(page)(type<ArticleList>());
// @ts-expect-error unknown
client.posts.list().toArray({ max: 10 });
same(client.posts.list().then((posts) => posts.length))(type<Promise<number>>());
same(client.posts.list().catch(() => undefined))(type<Promise<Post[] | undefined>>());
same(await client.reviews.list())(type<ReviewPage>());

// With and without a scan.
const scan = await client.visibility.scan();
if (scan.snapshot === null) same(scan)(type<NoVisibilityScan>());
else same(scan)(type<VisibilityScan>());
// @ts-expect-error there may be none
scan.visibility_score;
const seo = await client.seo.snapshot();
if (seo.snapshot === null) same(seo)(type<NoSeoSnapshot>());
else same(seo)(type<SeoSnapshot>());
// @ts-expect-error
seo.snapshot_id;

// Sites by platform; new ones can be asked for.
const [site] = await client.sites.list();
if (site?.platform === 'wordpress') site.wp_version?.trim();
if (site?.platform === 'wix') site.has_token?.valueOf();
if (site?.platform === 'ghost') site.site_url?.trim();
// @ts-expect-error
site?.wp_version;
// @ts-expect-error
if (site?.platform === 'wordpress') site.has_token_;
if (site) {
  // @ts-expect-error
  site.has_token;
}

// Named keys are there, and other keys may be missing.
const limits = await client.platforms.limits();
same(limits.image_limits.gmb.carousel_max)(type<number | null | undefined>());
same(limits.video_limits.pinterest.max_size_mb)(type<number>());
same(limits.image_limits.tiktok?.max_size_mb)(type<number | undefined>());
same(limits.character_limits.facebook)(type<number | undefined>());
// @ts-expect-error: only five platforms are documented.
limits.image_limits.tiktok.carousel_max;
// @ts-expect-error: the names are not documented.
limits.character_limits.facebook.toFixed();
const { scheduled, errors } = await client.social.get('1');
same(scheduled?.tiktok)(type<string | null | undefined>());
same(errors?.threads)(type<string | null | undefined>());

// Helpers and what the SDK adds.
same(postStatusByPlatform(type<Post>()).facebook)(type<PlatformStatus | undefined>());
same(postStatusByPlatform(type<Post>()).threads)(type<PlatformStatus | undefined>());
const [row] = searchConsoleRows(await client.seo.searchConsole({ dimensions: ['query'] }));
same(row?.query)(type<string | undefined>());
const { issues } = await client.posts.check(post);
// @ts-expect-error a closed list of codes
issues[0]?.code === 'too_long';
same(await client.posts.findRecent({ content: 'a', since: '2026-11-21T09:00:00Z', bulle_id: undefined }))(
  type<Post[]>(),
);
client.reports.createAndWait(report, {
  headers: { 'x-a': 'b' },
  maxRetries: 0,
  validation: 'warn',
  extra: { tone: 'x' },
});
client.articles.waitUntilWritten(42, { totalTimeout: 5_000, fetchOptions: { cache: 'no-store' } });
// @ts-expect-error unknown
client.articles.waitUntilWritten(42, { interval: 5 });
same(await client.reports.createAndWait(report, { onPoll: ({ polls }) => polls, timeout: 1 }))(type<Report>());
same(await client.reports.wait({ ...report, report_name: 'a', since: new Date() }, { pollInterval: 5 }))(
  type<Report>(),
);
// @ts-expect-error: only the name identifies a report.
client.reports.wait({ since: new Date() });
// @ts-expect-error: there is no such file.
client.reports.download(type<Report>(), { format: 'xls' });
// @ts-expect-error: nothing is sent with the file's request.
client.reports.download(type<Report>(), { headers: {} });
same(await client.posts.update(1, { scheduled_at: new Date() }))(type<unknown>());

// The two forms of a created item narrow with an `if`.
const [created] = (await client.articles.create({ title: 'abc', target_keyword: 'ab' })).created;
if (created?.kind === 'api') same(created)(type<CreatedApiArticle>());
if (created && created.kind == null) same(created)(type<CreatedSiteArticle>());

// Sync events narrow by type.
for await (const event of client.articles.sync({ known: new Map<number, Article>().keys(), cursor: null })) {
  if (event.type === 'upsert') same(event.article)(type<Article>());
  else if (event.type === 'checkpoint') same(event.cursor)(type<string>());
  else same(event.id)(type<number>());
}
same((await client.articles.syncTo(memoryStore(), { reconcile: true })).requests)(type<number>());
same((await client.articles.syncTo(memoryStore(), { maxRequests: 5, deadline: new Date() })).done)(type<boolean>());
client.articles.syncTo(memoryStore(), { deadline: Date.now() + 20_000, maxRequests: undefined });
// @ts-expect-error a deadline is a Date or ms since the epoch
client.articles.syncTo(memoryStore(), { deadline: '2026-01-01T00:00:00Z' });

// Stores with optional methods.
const committing: ArticleStore = {
  ...memoryStore(),
  commit: async ({ upserts, removals, cursor, previous }) => {
    same(upserts)(type<readonly Article[]>());
    same(removals)(type<readonly number[]>());
    same({ cursor, previous })(type<{ cursor: string | null; previous: string | null }>());
    return true;
  },
};
client.articles.syncTo(committing);
// @ts-expect-error commit says whether it has stored the page
client.articles.syncTo({ ...memoryStore(), commit: async () => {} });

// Databases. A transaction and a table may be undefined, as options of an app are.
const query = async (_sql: string, _params: unknown[]): Promise<object[]> => [];
const stored = sqlStore({ query, dialect: 'postgres', brand: 'one', transaction: undefined, table: undefined });
client.articles.syncTo(stored);
testArticleStore(() => stored);
testArticleStore(async () => memoryStore());
// @ts-expect-error the brand is required
sqlStore({ query, dialect: 'postgres' });
// @ts-expect-error no such dialect
sqlStore({ query, dialect: 'mysql', brand: 'one' });

// The namespace and the default export of OpenTelemetry are accepted, although our types do not name its package.
declare const openTelemetry: typeof api;
same(instrument(openTelemetry))(type<() => void>());
instrument(openTelemetry.default);
// @ts-expect-error a part of it is not enough
instrument({ trace: openTelemetry.trace });

// Errors narrow, and their codes are literals.
declare const thrown: unknown;
if (thrown instanceof RateLimitError) same(thrown.retryAfter)(type<number | undefined>());
if (thrown instanceof MissingPermissionError) {
  same(thrown.code)(type<'missing_permission'>());
  same(thrown.permission)(type<'read' | 'schedule' | 'publish' | 'delete'>());
}
if (isMultilocalError(thrown)) {
  same(thrown.code)(type<ErrorCode>());
  if (thrown.code === 'missing_fiche_id') thrown.choices[0]?.id.trim();
  if (thrown.code === 'bad_request') same(thrown.status)(type<number>());
  if (thrown.code === 'timeout') same(thrown instanceof TimeoutError)(type<boolean>());
  // @ts-expect-error: the field is of another class.
  if (thrown.code === 'bad_request') thrown.choices;
}
if (isMultilocalError(thrown)) same(thrown.outcome)(type<'not_applied' | 'unknown' | 'applied'>());
if (isMultilocalError(thrown)) same(thrown.sentAt)(type<Date | undefined>());

// Options.
// @ts-expect-error
new Client({ rateLimit: true });
new Client({ fetchOptions: { cache: 'no-store', dispatcher: {}, keepalive: true } });
// @ts-expect-error
new Client({ fetchOptions: { method: 'POST' } });
// @ts-expect-error
new Client({ apikey: 'k' });
new ArticlesClient({ baseUrl: 'https://x' });
// @ts-expect-error the address of the service or of the proxy
new ArticlesClient({ apiKey: 'k' });
// @ts-expect-error
new ArticlesClient({ baseUrl: 'https://x' }).bulles;

// `fields` decides the type of the articles.
const page = new ArticlesClient({ baseUrl: '/content' });
same((await page.latest({ fields: ['id', 'title', 'slug'] })).articles)(
  type<Pick<Article, 'id' | 'title' | 'slug'>[]>(),
);
same(await page.latest({ category: 'Pains' }).toArray())(type<Article[]>());
same(await page.latest().toArray())(type<Article[]>());
same(await page.latest({ fields: undefined }).toArray())(type<Article[]>());
same(await page.latest({ fields: type<readonly ArticleField[]>() }).toArray())(type<Article[]>());
for await (const { excerpt } of page.latest({ fields: ['excerpt'] })) same(excerpt)(type<string | null | undefined>());
same(await page.related(42))(type<Article[]>());
same(await page.related(42, { limit: 3, fields: ['slug'] }))(type<Pick<Article, 'slug'>[]>());
same(await page.bySlug('le-pain-au-levain', { bulle_id: 'b' }))(type<Article>());
// @ts-expect-error: no such field.
page.latest({ fields: ['id', 'titel'] });
// @ts-expect-error: the text was left out.
(await page.latest({ fields: ['id'] })).articles[0]?.content_html;
// @ts-expect-error: the method takes a slug.
page.bySlug(42);
// @ts-expect-error: the proxy lists only published articles.
page.latest({ status: 'draft' });
// @ts-expect-error: a page does not sync.
page.syncTo;
// @ts-expect-error: the service itself does not answer it.
client.articles.latest;

// A proxy needs a store whose articles can be read.
articlesProxy({ client, store: memoryStore(), perDay: 100 });
articlesProxy({ client: type<SphereClient>(), store: type<SqlStore>() });
articlesProxy({ client: type<ConnectedClient>(), store: type<ReadableArticleStore>() });
// @ts-expect-error: its articles cannot be read.
articlesProxy({ client, store: type<ArticleStore>() });
// @ts-expect-error: nothing is cached query by query.
articlesProxy({ client, cache: false });
// @ts-expect-error: the key belongs to a client.
articlesProxy({ apiKey: 'k' });
const scope = client.scope;
if (scope?.kind === 'bulle') scope.bulle.id.trim();
// @ts-expect-error
else scope?.bulle;
// `Client.connect` knows the identity.
const connected = await Client.connect();
same(connected)(type<ConnectedClient>());
same(connected.identity)(type<Identity>());
same(connected.forBulle('b').scope)(type<Scope>());
same(type<SphereClient>().scope.kind)(type<'sphere'>());

// A view with other options keeps the type of its client.
same(client.withOptions({ maxRetries: 0 }))(type<Client>());
same(client.dryRun.withOptions({ timeout: 1 }))(type<DryRunClient>());
same(type<SphereClient>().withOptions({}))(type<SphereClient>());
same(type<SphereClient>().forFiche('f'))(type<SphereClient>());
same(type<SphereClient>().forBulle('b').withOptions({}))(type<ConnectedClient>());
same(type<SphereClient>().withOptions({}).forBulle('b'))(type<ConnectedClient>());
same(type<ConnectedClient>().forBulle('b').forFiche('f').withOptions({}))(type<ConnectedClient>());
// @ts-expect-error: only request options.
client.withOptions({ rateLimit: false });
// @ts-expect-error: the option has another name.
client.dryRun.withOptions({ maxRetry: 0 });
// @ts-expect-error: the operation has no preview.
client.dryRun.withOptions({}).articles.confirm(1);
// @ts-expect-error: the service requires `bulle_id`.
type<SphereClient>().withOptions({}).social.quota();
// @ts-expect-error: the service requires `bulle_id`.
type<SphereClient>().seo.trackedKeywords.list();
// @ts-expect-error: the service requires `bulle_id`.
type<SphereClient>().seo.scan(undefined, { maxRetries: 0 });

// A brand with a location: the results follow `dry_run`, and the location of a view can be overridden.
const inBulle = { bulle_id: 'b' };
const sphere = type<SphereClient>();
same(await sphere.posts.create({ ...post, ...inBulle }))(type<CreatedPost>());
same(await sphere.posts.create({ ...post, ...inBulle, ...dry }))(type<DryRunPreview>());
same(await sphere.seo.scan({ ...inBulle, ...dry }))(type<DryRunPreview>());
same(await sphere.seo.scan({ ...inBulle, ...either }))(type<SeoScan | DryRunPreview>());
same(sphere.seo.trackedKeywords.list(inBulle))(type<ListPromise<TrackedKeyword[], TrackedKeyword>>());
same(await sphere.forBulle('b').seo.scan(dry, { maxRetries: 0 }))(type<DryRunPreview>());
sphere.forBulle('b').posts.list({ bulle_id: 'c' });

// When to publish: also moments of `Temporal`, of a polyfill or of the runtime.
const noon = type<{ readonly epochMilliseconds: number; readonly [Symbol.toStringTag]: 'Temporal.Instant' }>();
client.posts.create({ ...post, scheduled_at: noon, scheduled_gmb: noon });
client.posts.update(1, { scheduled_at: noon });
client.posts.findRecent({ content: 'a', since: new Date(), platforms: ['gmb'], scheduled_at: noon });
client.articles.publish(1, { scheduled_at: noon });
client.social.publish({ text: 'a', platforms: ['gmb'], scheduled_at: noon });
// @ts-expect-error: a date without a time zone is no moment.
client.posts.update(1, { scheduled_at: type<{ readonly year: number; readonly month: number }>() });
client.articles.list({ updated_since: noon });
// @ts-expect-error: a day takes none: its day depends on the time zone.
client.seo.searchConsole({ bulle_id: 'b', start_date: noon });

// A logger is anything with four methods: the console, or the loggers of libraries, whose methods have overloads.
declare const pinoLike: Record<'error' | 'warn' | 'info' | 'debug', PinoLike>;
type PinoLike = { (fields: object, line?: string, ...more: unknown[]): void; (line: string, ...more: unknown[]): void };
declare const winstonLike: Record<'error' | 'warn' | 'info' | 'debug', (line: string, ...more: unknown[]) => object>;
new Client({ logger: console, logLevel: 'debug' });
new Client({ logger: pinoLike });
new Client({ logger: winstonLike });
type<ConstructorParameters<typeof Client>>()[0]?.logger satisfies Logger | undefined;
// @ts-expect-error: the page client has no log.
new ArticlesClient({ baseUrl: '/content', logger: type<Logger>(), logLevel: type<LogLevel>() });
// @ts-expect-error: the page client has no limiter.
new ArticlesClient({ baseUrl: '/content', rateLimit: false });
// @ts-expect-error: a logger has four methods.
new Client({ logger: { warn() {} } });
// @ts-expect-error: there is no such level.
new Client({ logLevel: 'verbose' });

// A campaign: one post, whose location and moment the campaign gives.
const campaign = { campaign: 'a', at: '2026-12-24T09:00', zone: 'UTC', for: 'all', post } satisfies Campaign;
planCampaign({ ...campaign, for: { city: ['Lyon', null], tone: 'vif' } }, type<Bulle[]>(), [
  { bulle_id: 'b', closing: 16 },
]);
same(planCampaign(campaign, type<Bulle[]>()).plan)(type<Plan>());
same(calendarOf(type<Post[]>(), { format: 'ics', zone: 'UTC' }))(type<string>());
same(zonedTime('2026-12-24T09:00', 'UTC', { overlap: 'later' }))(type<string>());
// @ts-expect-error: a location has no such field.
planCampaign({ ...campaign, for: { town: 'Lyon' } }, []);
// @ts-expect-error: the campaign gives the moment.
planCampaign({ ...campaign, post: { ...post, scheduled_at: '2026-12-24T09:00Z' } }, []);
// @ts-expect-error: the campaign gives the location.
planCampaign({ ...campaign, post: { ...post, bulle_id: 'b' } }, []);
// @ts-expect-error: a post has one text.
planCampaign({ ...campaign, post: { ...post, text: 'b' } }, []);
// @ts-expect-error: a row names its location.
planCampaign(campaign, [], [{ closing: '16 h' }]);
// @ts-expect-error: there is no such format.
calendarOf(type<Plan>(), { format: 'pdf', zone: 'UTC' });
// @ts-expect-error: hours need a zone.
calendarOf(type<Plan>(), { format: 'html' });
