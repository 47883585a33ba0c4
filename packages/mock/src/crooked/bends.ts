import { KEY_HEADER } from '../engine/auth.js';
import { formatInstant, MINUTE, type Micros, parseInstant, SECOND, toMillis } from '../engine/clock.js';
import { ok, type Reply } from '../engine/http.js';
import type { Exchange, Gate, Handle, Route } from '../engine/router.js';
import { isObject } from '../engine/schema.js';
import { namedArticle } from '../resources/article.js';
import type { MockOperation } from '../resources/index.js';
import type { MockDeviation } from './deviations.js';

/** Stands before a handler: it may change the request, or call the handler more than once. */
type Layer = (exchange: Exchange, handle: Handle) => Reply;

/** The exchange with other parameters in its query. */
const asking = (exchange: Exchange, parameters: Readonly<Record<string, string>>): Exchange => ({
  ...exchange,
  query: new URLSearchParams({ ...Object.fromEntries(exchange.query), ...parameters }),
});

const byDefault =
  (name: string, value: string): Layer =>
  (exchange, handle) =>
    handle(asking(exchange, { [name]: value, ...Object.fromEntries(exchange.query) }));

/** Reverses a list before it is cut into pages. `limit` is its default. A list without `offset` ends after one large page. */
const oldestFirst =
  (limit: number, hasOffset: boolean): Layer =>
  (exchange, handle) => {
    // Refuses a wrong query before it is replaced.
    handle(exchange);
    const all: unknown[] = [];
    let page: readonly unknown[];
    do {
      page = handle(asking(exchange, { limit: '100', offset: `${all.length}` })).body as readonly unknown[];
      all.push(...page);
    } while (hasOffset && page.length === 100);
    const asked = Object.fromEntries(exchange.query);
    const start = hasOffset ? Number(asked.offset ?? 0) : 0;
    return ok(all.reverse().slice(start, start + Number(asked.limit ?? limit)));
  };

const ignoreOffset: Layer = (exchange, handle) => handle(asking(exchange, { offset: '0' }));
const ignoreDryRun: Layer = (exchange, handle) => handle({ ...exchange, body: { ...exchange.body, dry_run: false } });
/** A read of an article that counts as a change. */
const touchArticle: Layer = (exchange, handle) => {
  namedArticle(exchange).updated_at = exchange.clock.stamp();
  return handle(exchange);
};

/** Changes a body, or a part of one. It copies, because a body may hold values of the state. */
type Change = (value: unknown) => unknown;
type Fields = Readonly<Record<string, unknown>>;

/** A change of an object. Bodies come from the mock itself, so their shapes are known. */
const fields =
  (change: (fields: Fields) => Fields): Change =>
  (value) =>
    change(value as Fields);
/** A change of each item of a list. */
const items =
  (change: (item: unknown, index: number) => unknown): Change =>
  (list) =>
    (list as readonly unknown[]).map(change);
/** The same change of several fields. */
const each = (names: readonly string[], change: Change): Change =>
  fields((all) => ({ ...all, ...Object.fromEntries(names.map((name) => [name, change(all[name])])) }));
const field = (name: string, change: Change): Change => each([name], change);
const without = (name: string): Change => fields(({ [name]: _removed, ...others }) => others);
const renamed = (names: Readonly<Record<string, string>>): Change =>
  fields((all) => Object.fromEntries(Object.entries(all).map(([name, value]) => [names[name] ?? name, value])));

/** A change of the JSON text of a body. */
const rewritten =
  (part: RegExp, by: (...found: string[]) => string): Change =>
  (value) =>
    JSON.parse(JSON.stringify(value).replace(part, by));
/** Other ends of all timestamps. */
const timestamps = (end: (fraction: string) => string): Change =>
  rewritten(
    /("\d{4}-\d{2}-\d{2}T[\d:]+)(\.\d+)\+00:00"/g,
    (_, instant = '', fraction = '') => `${instant}${end(fraction)}"`,
  );
const upper = (_: string, letter: string) => letter.toUpperCase();
/** Renames every field in a body: `last_position` becomes `lastPosition`. */
const inCamelCase = rewritten(/"\w+":/g, (name = '') => name.replace(/_(.)/g, upper));

/** Adds fields to an object and to the objects in its lists, but not to objects in it: some of those are maps. */
function widened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(widened);
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, Array.isArray(part) ? widened(part) : part]);
  return { ...Object.fromEntries(parts), revision: 1, labels: [] };
}

const BEHIND: Micros = 10 * MINUTE;
const instantOf = (text: unknown): Micros => parseInstant(String(text)) ?? Number.NaN;
const untitled = each(['title', 'excerpt'], () => null);
const archived = fields((all) => (Number(all.id) % 3 === 0 ? { ...all, status: 'archived' } : all));
const inWholeSeconds = timestamps(() => 'Z');
const withThreads: Change = (list) => {
  const accounts = list as readonly object[];
  return [...accounts, { ...accounts.at(-1), platform: 'threads' }];
};
const QUOTA = { limit: 'monthly_limit', used: 'monthly_used', remaining: 'monthly_left', resets_at: 'next_reset' };

type Has = (deviation: MockDeviation) => boolean;
type Row<What> = readonly [deviation: MockDeviation, operations: readonly MockOperation[], change: What];

/** The first detour of a route comes first. */
const LAYERS: readonly Row<Layer>[] = [
  ['default-limit', ['articles.list'], byDefault('limit', '5')],
  ['default-status', ['articles.list'], byDefault('status', 'all')],
  ['offset-ignored', ['articles.list', 'posts.list'], ignoreOffset],
  ['posts-oldest-first', ['posts.list'], oldestFirst(50, true)],
  ['reports-oldest-first', ['reports.list'], oldestFirst(20, false)],
  ['updated-at-moves', ['articles.get'], touchArticle],
  ['dry-run-ignored', ['posts.create', 'social.publish'], ignoreDryRun],
];

/** The changes of successful responses. They act in this order, whatever the order of the option. */
const BODIES: readonly Row<Change>[] = [
  ['offset-not-echoed', ['articles.list'], without('offset')],
  ['numbers-as-strings', ['reviews.summary'], each(['average_rating', 'total_reviews'], String)],
  ['ids-as-strings', ['sites.list'], items(field('id', String))],
  ['missing-fields', ['reports.list'], items(without('report_name'))],
  ['missing-fields', ['connections.list'], items(without('name'))],
  ['null-fields', ['articles.list'], field('articles', items(untitled))],
  ['null-fields', ['articles.get'], untitled],
  ['null-fields', ['qrCodes.list'], items(field('name', () => null))],
  ['new-words', ['posts.list'], items(archived)],
  ['new-words', ['articles.list'], field('articles', items(archived))],
  ['new-words', ['posts.get', 'articles.get'], archived],
  ['new-words', ['connections.list'], withThreads],
  ['camel-case', ['seo.trackedKeywords.list', 'seo.trackedKeywords.create'], inCamelCase],
  [
    'dates-without-offset',
    ['posts.list', 'posts.create', 'posts.get', 'posts.update', 'posts.publish'],
    timestamps((fraction) => fraction),
  ],
  ['mixed-dates', ['qrCodes.list'], items((code, index) => (index % 2 === 1 ? inWholeSeconds(code) : code))],
  ['unix-dates', ['gmb.optimizer.score'], field('scored_at', (text) => Math.floor(instantOf(text) / SECOND))],
  ['ninth-platform', ['platforms.limits'], field('character_limits', renamed({ threads: 'bluesky' }))],
  ['quota-names', ['social.quota'], renamed(QUOTA)],
  ['wrapped-lists', ['connections.list'], (data) => ({ data })],
  ['ok-errors', ['visibility.scan'], () => ({ detail: 'Service indisponible.' })],
  ['clock-behind', ['health'], field('timestamp', (text) => formatInstant(instantOf(text) - BEHIND))],
];

const changesOf = <What>(rows: readonly Row<What>[], operation: MockOperation | undefined, has: Has): What[] =>
  rows
    .filter(([deviation, operations]) => operation && operations.includes(operation) && has(deviation))
    .map(([, , change]) => change);

function withOtherKeys(reply: Reply): Reply {
  const { detail, ...others } = Object(reply.body);
  return { ...reply, body: { code: reply.status, message: detail, ...others } };
}

function asPage({ status, headers }: Reply): Reply {
  const text = `<!doctype html>\n<html lang="fr">\n<title>Erreur ${status}</title>\n<h1>Erreur ${status}</h1>\n</html>\n`;
  return { status, text, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } };
}

/** The routes with the layers before their handlers. */
export const bendRoutes = (
  routes: readonly Route<MockOperation>[],
  deviations: readonly MockDeviation[],
): readonly Route<MockOperation>[] =>
  routes.map((route) => {
    const layers = changesOf(LAYERS, route.operation, (deviation) => deviations.includes(deviation));
    const handle = layers.reduceRight<Handle>((next, layer) => (exchange) => layer(exchange, next), route.handle);
    return { ...route, handle };
  });

/** The reply with all deviations. A body that a test gave to `fail` stays as it is. The headers of the reply itself win. */
export function bendReply(reply: Reply, operation: MockOperation | undefined, request: Headers, gate: Gate): Reply {
  const { clock, settings } = gate.service;
  const has = (deviation: MockDeviation) => settings.crooked.includes(deviation);
  const now = toMillis(clock.now());
  const headers: Record<string, string> = {};
  if (has('clock-behind')) headers.date = new Date(now - toMillis(BEHIND)).toUTCString();
  if (has('rate-headers')) {
    const left = gate.rateLimit.left(request.get(KEY_HEADER), now);
    for (const [name, value] of Object.entries(left)) headers[`x-ratelimit-${name}`] = `${value}`;
  }
  const bent = reply.isGiven ? reply : bendBody(reply, operation, has);
  return { ...bent, headers: { ...headers, ...bent.headers } };
}

function bendBody(reply: Reply, operation: MockOperation | undefined, has: Has): Reply {
  const changes = reply.status < 300 ? changesOf(BODIES, operation, has) : [];
  const changed = { ...reply, body: changes.reduce((body, change) => change(body), reply.body) };
  const wide = has('extra-fields') && reply.body !== undefined ? { ...changed, body: widened(changed.body) } : changed;
  if (reply.status < 400) return wide;
  const keyed = has('error-keys') ? withOtherKeys(wide) : wide;
  return has('html-errors') ? asPage(keyed) : keyed;
}
