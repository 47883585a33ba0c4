import { KEY_HEADER } from '../engine/auth.js';
import { formatInstant, MINUTE, type Micros, parseInstant, SECOND, toMillis } from '../engine/clock.js';
import type { Reply } from '../engine/http.js';
import type { Bend } from './bend.js';
import { byDefault, ignoreDryRun, ignoreOffset, oldestFirst, touchArticle } from './detours.js';
import type { MockDeviation } from './deviations.js';
import {
  each,
  field,
  inCamelCase,
  items,
  oneOfThree,
  renamed,
  timestamps,
  toNull,
  widened,
  without,
} from './shapes.js';

const BEHIND: Micros = 10 * MINUTE;

const instantOf = (text: unknown): Micros => parseInstant(String(text)) ?? Number.NaN;

const archived = oneOfThree('status', 'archived');
const untitled = each(['title', 'excerpt'], toNull);
const withoutOffset = timestamps((text) => text.slice(0, -'+00:00'.length));
const inWholeSeconds = timestamps((text) => text.replace(/(\.\d+)?\+00:00$/, 'Z'));

/** What the mock does for each deviation of `mockDeviations`. They act in this order, whatever the order of the option. */
const BENDS: Readonly<Record<MockDeviation, Bend>> = {
  'default-limit': { detours: { 'articles.list': byDefault('limit', '5') } },
  'default-status': { detours: { 'articles.list': byDefault('status', 'all') } },
  'offset-ignored': { detours: { 'articles.list': ignoreOffset, 'posts.list': ignoreOffset } },
  'offset-not-echoed': { bodies: { 'articles.list': without('offset') } },
  'posts-oldest-first': { detours: { 'posts.list': oldestFirst(50, true) } },
  'reports-oldest-first': { detours: { 'reports.list': oldestFirst(20, false) } },
  'updated-at-moves': { detours: { 'articles.get': touchArticle } },
  'dry-run-ignored': { detours: { 'posts.create': ignoreDryRun, 'social.publish': ignoreDryRun } },
  'numbers-as-strings': { bodies: { 'reviews.summary': each(['average_rating', 'total_reviews'], String) } },
  'ids-as-strings': { bodies: { 'sites.list': items(field('id', String)) } },
  'missing-fields': {
    bodies: { 'reports.list': items(without('report_name')), 'connections.list': items(without('name')) },
  },
  'null-fields': {
    bodies: {
      'articles.list': field('articles', items(untitled)),
      'articles.get': untitled,
      'qrCodes.list': items(field('name', toNull)),
    },
  },
  'new-words': {
    bodies: {
      'posts.list': items(archived),
      'posts.get': archived,
      'articles.list': field('articles', items(archived)),
      'articles.get': archived,
      'connections.list': (list) => {
        const accounts = list as readonly object[];
        return [...accounts, ...accounts.slice(-1).map((account) => ({ ...account, platform: 'threads' }))];
      },
    },
  },
  'camel-case': { bodies: { 'seo.trackedKeywords.list': inCamelCase, 'seo.trackedKeywords.create': inCamelCase } },
  'dates-without-offset': {
    bodies: {
      'posts.list': withoutOffset,
      'posts.create': withoutOffset,
      'posts.get': withoutOffset,
      'posts.update': withoutOffset,
      'posts.publish': withoutOffset,
    },
  },
  'mixed-dates': {
    bodies: { 'qrCodes.list': items((code, index) => (index % 2 === 1 ? inWholeSeconds(code) : code)) },
  },
  'unix-dates': {
    bodies: { 'gmb.optimizer.score': field('scored_at', (text) => Math.floor(instantOf(text) / SECOND)) },
  },
  'ninth-platform': { bodies: { 'platforms.limits': field('character_limits', renamed({ threads: 'bluesky' })) } },
  'quota-names': {
    bodies: {
      'social.quota': renamed({
        limit: 'monthly_limit',
        used: 'monthly_used',
        remaining: 'monthly_left',
        resets_at: 'next_reset',
      }),
    },
  },
  'wrapped-lists': { bodies: { 'connections.list': (data) => ({ data }) } },
  'ok-errors': { bodies: { 'visibility.scan': () => ({ detail: 'Service indisponible.' }) } },
  'extra-fields': {
    reply: (reply) =>
      reply.body === undefined ? reply : { ...reply, body: widened({ revision: 1, labels: [] })(reply.body) },
  },
  'error-keys': { reply: (reply) => (reply.status < 400 ? reply : withOtherKeys(reply)) },
  'html-errors': { reply: (reply) => (reply.status < 400 ? reply : asPage(reply)) },
  'clock-behind': {
    bodies: { health: field('timestamp', (text) => formatInstant(instantOf(text) - BEHIND)) },
    headers: ({ gate }) => ({ date: new Date(toMillis(gate.service.clock.now() - BEHIND)).toUTCString() }),
  },
  'rate-headers': {
    headers({ gate, headers }) {
      const now = toMillis(gate.service.clock.now());
      const { limit, remaining, reset } = gate.rateLimit.left(headers.get(KEY_HEADER), now);
      return {
        'x-ratelimit-limit': `${limit}`,
        'x-ratelimit-remaining': `${remaining}`,
        'x-ratelimit-reset': `${reset}`,
      };
    },
  },
};

const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  422: 'invalid',
  429: 'too_many_requests',
};

function withOtherKeys(reply: Reply): Reply {
  const { detail, ...others } = Object(reply.body);
  return { ...reply, body: { code: CODES[reply.status] ?? 'server_error', message: detail, ...others } };
}

function asPage({ status, headers }: Reply): Reply {
  const title = `<title>Erreur ${status}</title>`;
  const text = `<!doctype html>\n<html lang="fr">\n${title}\n<h1>Erreur ${status}</h1>\n<p>Réessayez plus tard.</p>\n</html>\n`;
  return { status, text, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } };
}

export const bendsOf = (deviations: readonly MockDeviation[]): readonly Bend[] =>
  Object.entries(BENDS).flatMap(([name, bend]) => ((deviations as readonly string[]).includes(name) ? [bend] : []));
