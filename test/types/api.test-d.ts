// What compiles and what must not, as a user writes it.
import {
  type ApiPromise,
  type Article,
  type ArticleCreation,
  type ArticlePublication,
  ArticlesClient,
  Client,
  type CreatedApiArticle,
  type CreatedSiteArticle,
  type DryRunPreview,
  isMultilocalError,
  MissingPermissionError,
  memoryStore,
  parseTimestamp,
  RateLimitError,
} from './entries.js';

declare const client: Client;
declare function same<T>(value: T): <U>(other: U) => [T, U] extends [U, T] ? void : never;
declare function type<T>(): T;

// Results.
same(await client.articles.get(1))(type<Article>());
same((await client.articles.get(1).withResponse()).response)(type<Response>());
same(client.articles.create({ title: 'abc', target_keyword: 'ab' }))(type<ApiPromise<ArticleCreation>>());

// `dry_run` changes the result.
same(await client.articles.publish(1))(type<ArticlePublication>());
same(await client.articles.publish(1, { dry_run: true }))(type<DryRunPreview>());
same(await client.articles.publish(1, { dry_run: false }))(type<ArticlePublication>());
same(await client.articles.publish(1, { dry_run: type<boolean>() }))(type<ArticlePublication | DryRunPreview>());
same(await client.dryRun.articles.publish(1))(type<DryRunPreview>());
same(await client.dryRun.forBulle('b').articles.publish(1, { scheduled_at: new Date() }))(type<DryRunPreview>());
same((await client.articles.publish(1, { dry_run: true })).would_publish)(type<unknown>());

// client.dryRun offers no write without a preview.
// @ts-expect-error
client.dryRun.articles.create({ title: 'abc', target_keyword: 'ab' });
// @ts-expect-error
client.dryRun.articles.update(1, {});
// @ts-expect-error
client.dryRun.articles.confirm(1);
// @ts-expect-error
client.dryRun.request({ method: 'POST', path: '/x' });
client.dryRun.request({ method: 'GET', path: '/x' });
for await (const _ of client.dryRun.articles.changes());

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
// `undefined` may be passed where a field is optional.
client.articles.list({
  status: undefined,
  updated_since: type<Date | undefined>(),
  bulle_id: type<string | undefined>(),
});
client.articles.get(1, { signal: undefined, timeout: undefined });

// Open enums: known values complete, new ones pass, and both compare.
declare const article: Article;
if (article.status === 'published' || article.status === 'archived') article.title.trim();
// @ts-expect-error may be null
article.slug.trim();

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

// Errors narrow, and their codes are literals.
declare const thrown: unknown;
if (thrown instanceof RateLimitError) same(thrown.retryAfter)(type<number | undefined>());
if (thrown instanceof MissingPermissionError) {
  same(thrown.code)(type<'missing_permission'>());
  same(thrown.permission)(type<'read' | 'schedule' | 'publish' | 'delete'>());
}
if (isMultilocalError(thrown)) same(thrown.outcome)(type<'not_applied' | 'unknown' | 'applied'>());

// Options.
new Client({ apiKey: 'k', baseUrl: 'https://x', rateLimit: { perMinute: 1 }, onEvent: (event) => event.operation });
new Client({ rateLimit: { acquire: async ({ signal }) => signal?.throwIfAborted() } });
// @ts-expect-error
new Client({ rateLimit: true });
// @ts-expect-error
new Client({ fetchOptions: { method: 'POST' } });
// @ts-expect-error
new Client({ apikey: 'k' });
new ArticlesClient({ baseUrl: 'https://x' });
// @ts-expect-error the address of the service or of the proxy
new ArticlesClient({ apiKey: 'k' });
// @ts-expect-error
new ArticlesClient({ baseUrl: 'https://x' }).bulles;
const scope = client.scope;
if (scope?.kind === 'bulle') scope.bulle.name.trim();
// @ts-expect-error
else scope?.bulle;
same(parseTimestamp('2026-11-21'))(type<Date | null>());
