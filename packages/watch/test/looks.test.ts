import { describe, expect, it } from 'vitest';
import { lookAtArticles } from '../src/articles.js';
import type { Draft, Look } from '../src/look.js';
import { lookAtConnections, lookAtReports } from '../src/others.js';
import { lookAtPosts } from '../src/posts.js';
import type { Reads } from '../src/reads.js';
import { capsFor, lookAtReviews } from '../src/reviews.js';
import { DAY, HOUR, START } from './world.js';

const text = (time: number) => new Date(time).toISOString();
const NOW = START + 30 * DAY;

/** A look whose responses are a function of the question. It counts the questions. */
function lookOf(answer: (name: keyof Reads, params: never) => unknown, since?: number): Look & { asked: string[] } {
  const asked: string[] = [];
  const ask = async (name: keyof Reads, params: unknown) => {
    asked.push(name);
    return answer(name, params as never);
  };
  return { ask: ask as Look['ask'], now: () => NOW, since, single: 25, asked };
}

const told = (events: readonly Draft[]) =>
  events.map(({ type, review, post, platform, article, report }) =>
    [type, review?.review_id ?? post?.id ?? article?.id ?? report?.report_name, platform].filter(Boolean).join(' '),
  );

interface One {
  id: string;
  /** Hours before now. */
  age: number;
  answer?: boolean;
  /** Hours before now. */
  answered?: number;
}

function reviewsOf(all: readonly One[]) {
  const shown = all.map(({ id, age, answer = false, answered = 0 }) => ({
    review_id: id,
    rating: 5,
    review_timestamp: text(NOW - age * HOUR),
    responded: answer,
    response_text: answer ? 'Merci' : null,
    reply_date: answer ? text(NOW - answered * HOUR) : null,
  }));
  const sorted = shown.sort((a, b) => b.review_timestamp.localeCompare(a.review_timestamp));
  const responded = shown.filter((one) => one.responded).length;
  const status_counts = { all: all.length, responded, drafts: 0, unresponded: all.length - responded };
  return lookOf((_, { page, status, date_from = '', date_to = '9' }: Reads['reviews.list'][0]) => {
    const fits = sorted.filter(
      (one) =>
        (!status || (status === 'responded') === one.responded) &&
        one.review_timestamp >= date_from &&
        one.review_timestamp <= date_to,
    );
    return {
      reviews: fits.slice(page * 100 - 100, page * 100),
      status_counts,
      total_pages: Math.ceil(fits.length / 100),
    };
  });
}

/** Numbered reviews, the newest first, every third one with an answer. */
const many = (count: number): One[] =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, age: at + 1, answer: at % 3 === 0 }));

/** New reviews of the last hour. */
const fresh = (count: number, name = 'n'): One[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${name}${at}`, age: (name === 'n' ? 0.5 : 0) + at / 400 }));

describe('reviews', () => {
  const at = { fiche_id: 'f', caps: capsFor(13, 200), at: NOW };
  it.each<[string, One[], (all: One[]) => One[], string[], number]>([
    ['nothing', many(30), (all) => all, [], 1],
    ['a new one', many(30), (all) => [{ id: 'n', age: 0 }, ...all], ['review.new n'], 1],
    [
      'a new one with an answer',
      many(30),
      (all) => [{ id: 'n', age: 0, answer: true }, ...all],
      ['review.new n', 'review.answered n'],
      1,
    ],
    ['an answer', many(30), (all) => all.with(4, { ...(all[4] as One), answer: true }), ['review.answered r4'], 1],
    ['one that was edited', many(30), (all) => all.with(20, { ...(all[20] as One), age: 0 }), [], 1],
    [
      'an answered one that was edited long after',
      many(250),
      (all) => [{ id: 'n', age: 1 }, ...all.with(198, { id: 'r198', age: 0, answer: true, answered: 150 })],
      ['review.new n'],
      1,
    ],
    [
      '150 new ones',
      many(250),
      (all) => [...many(150).map((one) => ({ ...one, id: `n${one.id}`, age: one.age / 200, answer: false })), ...all],
      many(150).map(({ id }) => `review.new n${id}`),
      2,
    ],
    [
      'an answer on page 3',
      many(250),
      (all) => all.with(211, { ...(all[211] as One), answer: true }),
      ['review.answered r211'],
      4,
    ],
    [
      'an answer to a new one and an older one',
      many(250),
      (all) => [{ id: 'n', age: 0, answer: true }, ...all.with(151, { ...(all[151] as One), answer: true })],
      ['review.new n', 'review.answered n', 'review.answered r151'],
      4,
    ],
    ['one with an old date', many(250), (all) => [...all, { id: 'late', age: 180.5 }], ['review.new late'], 3],
    [
      'one with an old date and an answer',
      many(250),
      (all) => [...all, { id: 'late', age: 180.5, answer: true }],
      ['watch.gap'],
      3,
    ],
    ['one that was deleted', many(250), (all) => all.toSpliced(200, 1), [], 4],
    ['a list that is empty for once', many(250), () => [], [], 1],
  ])('tells %s', async (_, first, change, expected, requests) => {
    const { state, events } = await lookAtReviews(undefined, reviewsOf(first), at);
    expect(events).toEqual([]);
    const look = reviewsOf(change(first));
    const next = await lookAtReviews(state, look, at);
    expect(told(next.events).sort()).toEqual([...expected].sort());
    expect(look.asked.length).toBeLessThanOrEqual(requests);
    // A second look at the same finds nothing more, and at no further cost.
    const again = reviewsOf(change(first));
    expect((await lookAtReviews(next.state, again, at)).events).toEqual([]);
    expect(again.asked).toHaveLength(1);
    // What was hidden is not new when it is back.
    const back = (await lookAtReviews(next.state, reviewsOf(first), at)).events;
    expect(told(back).filter((one) => one !== 'watch.gap')).toEqual([]);
  });

  const answer = many(250).with(211, { id: 'r211', age: 212, answer: true });
  const later = (isAnswered: boolean) => [{ id: 'n', age: 0, answer: isAnswered }, ...answer];
  it.each<[string, One[], One[], One[], string[]]>([
    ['a new one that comes meanwhile', answer, later(false), later(false), ['review.answered r211', 'review.new n']],
    [
      'a new one that comes and is answered meanwhile',
      answer,
      later(true),
      later(true),
      ['review.answered r211', 'review.new n', 'review.answered n'],
    ],
    [
      'all of two pages of which one vanishes meanwhile',
      [...fresh(150), ...many(250)],
      [...fresh(150).toSpliced(7, 1), ...many(250)],
      [...fresh(5, 'm'), ...fresh(150).toSpliced(7, 1), ...many(250)],
      [...fresh(150), ...fresh(5, 'm')].map(({ id }) => `review.new ${id}`),
    ],
  ])('tells %s', async (_, first, then, later, expected) => {
    const { state } = await lookAtReviews(undefined, reviewsOf(many(250)), at);
    const looks = [reviewsOf(first), reviewsOf(then)];
    let asked = 0;
    const ask = (...question: Parameters<Look['ask']>) => (looks[Math.min(asked++, 1)] as Look).ask(...question);
    const found = await lookAtReviews(state, { ...reviewsOf(then), ask: ask as Look['ask'] }, at);
    const next = await lookAtReviews(found.state, reviewsOf(later), at);
    expect(told([...found.events, ...next.events]).sort()).toEqual([...expected].sort());
  });

  it('stays small with 300 listings of 1000 reviews', async () => {
    const { state } = await lookAtReviews(undefined, reviewsOf(many(1_000)), { ...at, caps: capsFor(300, 200) });
    expect(300 * JSON.stringify(state).length).toBeLessThan(650_000);
  });

  it('reads no more of 3000 open ones than the budget has, and what it does not remember is old', async () => {
    const open = many(3_000).map((one) => ({ ...one, answer: false }));
    const look = reviewsOf(open);
    await lookAtReviews(undefined, look, { ...at, caps: capsFor(1, 20) });
    expect(look.asked).toHaveLength(6);
    const few = { ...at, caps: capsFor(300, 200) };
    const { state } = await lookAtReviews(undefined, { ...reviewsOf(open), since: 0 }, few);
    expect((await lookAtReviews(state, reviewsOf(open.toSpliced(3, 1)), few)).events).toEqual([]);
  });
});

interface Made {
  id: number;
  status: string;
  published?: number;
  error?: string;
}

const ORDERS = {
  desc: (a: Made, b: Made) => b.id - a.id,
  asc: (a: Made, b: Made) => a.id - b.id,
  none: (a: Made, b: Made) => ((a.id * 7) % 11) - ((b.id * 7) % 11),
};

function postsOf(all: readonly Made[], order: keyof typeof ORDERS, since?: number) {
  const shown = [...all].sort(ORDERS[order]).map(({ id, status, published, error = null }) => ({
    ...{ id, status, platforms: ['facebook'], created_at: text(START + id * HOUR), updated_at: text(published ?? NOW) },
    published_facebook: published ? text(published) : null,
    error_facebook: error,
  }));
  return lookOf((_, params: { status: string; offset: number } | number) => {
    if (typeof params === 'number') return shown.find(({ id }) => id === params);
    return shown.filter(({ status }) => status === params.status).slice(params.offset, params.offset + 100);
  }, since);
}

const old = (count: number): Made[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, status: 'published', published: START + at * HOUR }));
const pending = (id: number): Made => ({ id, status: 'pending' });
const online = (id: number): Made => ({ id, status: 'published', published: NOW });
const failed = (id: number, error = 'refusé'): Made => ({ id, status: 'error', error });

describe.each(['desc', 'asc', 'none'] as const)('posts, sorted: %s', (order) => {
  it.each<[string, Made[], Made[], string[]]>([
    ['nothing', [pending(501)], [pending(501)], []],
    ['a pending one that is online', [pending(501)], [online(501)], ['post.published 501 facebook']],
    ['one that was never seen pending', [], [online(502)], ['post.published 502 facebook']],
    ['a failed one', [pending(501)], [failed(501)], ['post.failed 501 facebook']],
    ['the same failure again', [failed(501)], [failed(501)], []],
    ['another failure', [failed(501)], [failed(501, 'expiré')], ['post.failed 501 facebook']],
    ['a failed one that is online', [failed(501)], [online(501)], ['post.published 501 facebook']],
    ['one that was deleted', [pending(501)], [], []],
    [
      'one with a status that no list has',
      [pending(501)],
      [{ ...online(501), status: 'archived' }],
      ['post.published 501 facebook'],
    ],
  ])('tells %s', async (_, before, after, expected) => {
    const { state } = await lookAtPosts(undefined, postsOf([...old(250), ...before], order));
    const next = await lookAtPosts(state, postsOf([...old(250), ...after], order));
    expect(told(next.events)).toEqual(expected);
    expect((await lookAtPosts(next.state, postsOf([...old(250), ...after], order))).events).toEqual([]);
  });

  it('tells a failure of the last day at the first look, and with `since` what happened after it', async () => {
    expect(told((await lookAtPosts(undefined, postsOf([...old(250), failed(501)], order))).events)).toEqual([
      'post.failed 501 facebook',
    ]);
    const { events } = await lookAtPosts(undefined, postsOf(old(250), order, START + 99.5 * HOUR));
    expect(events).toHaveLength(150);
  });

  it('tells nothing that was published before the first look', async () => {
    const look = postsOf([...old(2), { id: 501, status: 'published', published: NOW - 30_000 }], order);
    expect((await lookAtPosts(undefined, look)).events).toEqual([]);
  });

  it.each<[string, Made[], string[]]>([
    [
      'each failure once',
      [failed(501, 'a'), failed(501, 'b'), failed(501, 'a')],
      ['post.failed 501 facebook', 'post.failed 501 facebook'],
    ],
    [
      'a platform that succeeds after the post is published',
      [pending(501), { ...failed(501), status: 'published' }, online(501)],
      ['post.failed 501 facebook', 'post.published 501 facebook'],
    ],
    ['other failures', [...'abcdefghijkl'].map((one) => failed(501, one)), Array(12).fill('post.failed 501 facebook')],
  ])('tells %s', async (_, states, expected) => {
    let { state } = await lookAtPosts(undefined, postsOf(old(2), order));
    const events: Draft[] = [];
    for (const post of states) {
      const found = await lookAtPosts(state, postsOf([...old(2), post], order));
      events.push(...found.events);
      state = found.state;
    }
    expect(told(events)).toEqual(expected);
    expect(JSON.stringify(state.known).length).toBeLessThan(90);
  });

  it('asks for few of 300 that were deleted, and forgets them in a dozen looks', async () => {
    const ids = Array.from({ length: 300 }, (_, at) => at + 501);
    let { state } = await lookAtPosts(undefined, postsOf([...old(2), ...ids.map(pending)], order));
    for (let looks = 0; looks < 13; looks++) {
      const look = postsOf(old(2), order);
      state = (await lookAtPosts(state, look)).state;
      expect(look.asked.length).toBeLessThanOrEqual(30);
    }
    expect(state.known).toEqual({});
  });

  it('tells 600 that went online at once', async () => {
    const ids = Array.from({ length: 600 }, (_, at) => at + 501);
    const { state } = await lookAtPosts(undefined, postsOf([...old(250), ...ids.map(pending)], order));
    const look = postsOf([...old(250), ...ids.map(online)], order);
    expect((await lookAtPosts(state, look)).events).toHaveLength(600);
    expect(look.asked.length).toBeLessThanOrEqual(12);
  });
});

describe('connections', () => {
  const account = (more: object) => ({
    platform: 'facebook',
    connected: true,
    name: 'a',
    bulle_id: 'b',
    needs_reconnect: false,
    expires_at: text(NOW + 90 * DAY).slice(0, 19),
    ...more,
  });
  const both = [{}, { connected: false }];
  const soon = { expires_at: text(NOW + 3 * DAY).slice(0, 19) };
  it.each<[string, object[], string[]]>([
    ['one in order', [{}, {}], []],
    ['two of one name', [both, both.toReversed()], ['connection.lost']],
    ['one that is lost, once', [{}, { connected: false }, { connected: false }], ['connection.lost']],
    ['one that is lost at the first look', [{ needs_reconnect: true }], ['connection.lost']],
    ['one that expires, once', [{}, soon, soon], ['connection.expiring']],
    [
      'one that has expired',
      [soon, { expires_at: text(NOW - DAY).slice(0, 19) }],
      ['connection.expiring', 'connection.lost'],
    ],
    ['one that is back', [{ connected: false }, {}], ['connection.lost', 'connection.restored']],
    [
      'one whose name goes with it',
      [{}, { connected: false, name: null }, {}],
      ['connection.lost', 'connection.restored'],
    ],
    [
      'one that is lost again',
      [{ connected: false }, {}, { connected: false }],
      ['connection.lost', 'connection.restored', 'connection.lost'],
    ],
  ])('tells %s', async (_, looks, expected) => {
    let state = {};
    const events: Draft[] = [];
    for (const more of looks) {
      const look = lookOf(() => [more].flat().map(account));
      const found = await lookAtConnections(state, look);
      state = found.state;
      events.push(...found.events);
    }
    expect(events.map(({ type }) => type)).toEqual(expected);
    expect(new Set(events.map(({ type, key }) => JSON.stringify([type, key]))).size).toBe(events.length);
  });
});

describe('articles', () => {
  type Row = [id: number, status: string, hour: number];
  const articlesOf = (rows: readonly Row[], isReached = true) =>
    lookOf((_, params: number | { updated_since: string; offset: number }) => {
      const all = rows.map(([id, status, hour]) => ({
        id,
        status,
        updated_at: text(START + hour * HOUR),
        published_at: text(START),
      }));
      if (typeof params === 'number') return isReached ? null : undefined;
      const later = all
        .filter((one) => Date.parse(one.updated_at) > Date.parse(params.updated_since))
        .sort((a, b) => a.updated_at.localeCompare(b.updated_at));
      return {
        articles: later.slice(params.offset, params.offset + 2),
        total: later.length,
        limit: 2,
        offset: params.offset,
      };
    });
  const first: Row[] = [
    [1, 'published', 1],
    [2, 'published', 2],
    [3, 'draft', 3],
    [4, 'published', 4],
  ];
  it.each<[string, Row[], boolean, string[]]>([
    ['nothing', first, false, []],
    ['a change', first.with(0, [1, 'published', 9]), false, ['article.changed 1']],
    ['a change within the overlap', first.with(0, [1, 'published', 3.99]), false, ['article.changed 1']],
    ['a publication', first.with(2, [3, 'published', 9]), false, ['article.published 3']],
    ['one that went offline', first.with(1, [2, 'draft', 9]), false, ['article.unpublished 2']],
    [
      'one that went offline without a new date, once a day',
      first.with(1, [2, 'draft', 2]),
      true,
      ['article.unpublished 2'],
    ],
    ['a deleted one, once a day', first.toSpliced(1, 1), true, ['article.unpublished 2']],
    ['no deleted draft', first.toSpliced(2, 1), true, []],
    [
      'all changes, oldest first',
      first.map(([id, status], at): Row => [id, status, 20 - at]),
      false,
      ['article.changed 4', 'article.changed 2', 'article.changed 1'],
    ],
  ])('tells %s', async (_, rows, isListing, expected) => {
    const { state, events } = await lookAtArticles(undefined, articlesOf(first), true);
    expect(events).toEqual([]);
    const next = await lookAtArticles(state, articlesOf(rows), isListing);
    expect(told(next.events)).toEqual(expected);
    expect((await lookAtArticles(next.state, articlesOf(rows), true)).events).toEqual([]);
  });

  it('asks for few of 60 that were deleted, and tells all of them in the next looks', async () => {
    const rows = Array.from({ length: 60 }, (_, at): Row => [at + 10, 'published', 1]);
    let { state } = await lookAtArticles(undefined, articlesOf([...first, ...rows]), true);
    const counts: number[] = [];
    for (const isListing of [true, false, false, false]) {
      const look = articlesOf(first);
      const found = await lookAtArticles(state, look, isListing);
      expect(look.asked.filter((name) => name === 'articles.get')).toHaveLength(found.events.length);
      counts.push(found.events.length);
      state = found.state;
    }
    expect(counts).toEqual([25, 25, 10, 0]);
  });

  it('sees changes behind an article whose date is in the future', async () => {
    const ahead: Row[] = [...first, [5, 'published', 10_000]];
    const { state } = await lookAtArticles(undefined, articlesOf(ahead), true);
    const changed = ahead.with(0, [1, 'published', 24 * 30 + 1]);
    const next = await lookAtArticles(state, articlesOf(changed), false);
    expect(told(next.events)).toEqual(['article.changed 1']);
    expect((await lookAtArticles(next.state, articlesOf(changed), true)).events).toEqual([]);
  });

  it('tells once that a list cannot be read further, and what comes before', async () => {
    const { state } = await lookAtArticles(undefined, articlesOf(first), true);
    const rows = Array.from({ length: 5 }, (_, at): Row => [at + 10, 'published', 9]);
    const stuck = articlesOf([...first.with(0, [1, 'published', 8]), ...rows]);
    const ask = (name: keyof Reads, params: never) => stuck.ask(name, { ...(params as object), offset: 0 } as never);
    const look = { ...stuck, ask: ask as Look['ask'] };
    const next = await lookAtArticles(state, look, false);
    expect(next.events.map(({ type }) => type)).toContain('article.changed');
    expect(next.events.filter(({ type }) => type === 'watch.gap')).toHaveLength(1);
    expect((await lookAtArticles(next.state, look, false)).events).toEqual([]);
    const whole = await lookAtArticles(next.state, articlesOf([...first.with(0, [1, 'published', 8]), ...rows]), false);
    expect(whole.events).toHaveLength(3);
  });

  it('tells an article that is online again as another happening, and none that another brand has', async () => {
    const again = first.with(1, [2, 'draft', 9]);
    let { state } = await lookAtArticles(undefined, articlesOf(first), true);
    const keys: unknown[] = [];
    for (const rows of [
      again,
      again.with(1, [2, 'published', 10]),
      again.with(1, [2, 'draft', 11]),
      again.with(1, [2, 'published', 12]),
    ]) {
      const found = await lookAtArticles(state, articlesOf(rows), true);
      keys.push(...found.events.map(({ type, key }) => JSON.stringify([type, key])));
      state = found.state;
    }
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(4);
    expect((await lookAtArticles(state, articlesOf(first.toSpliced(1, 1), false), true)).events).toEqual([]);
  });
});

it.each<[string, number, number]>([
  ['100 new ones', 200, 0],
  ['100, of which one is not ready', 200, 1],
])('tells reports once, and a gap if none of %s is known', async (_, from, waiting) => {
  const reports = (from: number, count: number, waiting = 0) =>
    lookOf(() =>
      Array.from({ length: count }, (_, at) => ({
        fiche_name: 'f',
        report_name: `r${from + at}`,
        period: '2026-10',
        generated_at: text(START),
        pdf_url: at < waiting ? null : `https://files.example/${Math.random()}`,
      })),
    );
  const first = await lookAtReports(undefined, reports(0, 0));
  const second = await lookAtReports(first.state, reports(0, 4));
  expect(told(second.events)).toEqual(['report.ready r0', 'report.ready r1', 'report.ready r2', 'report.ready r3']);
  expect((await lookAtReports(second.state, reports(0, 4))).events).toEqual([]);
  for (const { state } of [first, second]) {
    const { events } = await lookAtReports(state, reports(from, 100, waiting));
    expect(told(events).slice(0, 2)).toEqual(['watch.gap', `report.ready r${from + waiting}`]);
    expect(events).toHaveLength(101 - waiting);
  }
});

it('tells reports apart that differ in their addresses only', async () => {
  const reports = (...names: string[]) =>
    lookOf(() => names.map((pdf_url) => ({ report_name: 'r', generated_at: text(START), pdf_url })));
  const first = await lookAtReports({ known: '' }, reports('b', 'a'));
  const second = await lookAtReports(first.state, reports('d', 'c', 'b', 'a'));
  const third = await lookAtReports(second.state, reports('d', 'c', 'b', 'a'));
  const addresses = [first, second, third].map(({ events }) => events.map(({ report }) => report?.pdf_url));
  expect(addresses).toEqual([['b', 'a'], ['d', 'c'], []]);
  expect(new Set([...first.events, ...second.events].map(({ key }) => `${key}`)).size).toBe(4);
  // An older cursor knows them as one.
  const { events } = await lookAtReports({ known: first.state.known.slice(-7) }, reports('b', 'a'));
  expect(events).toEqual([]);
});
