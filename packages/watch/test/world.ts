import { createHash } from 'node:crypto';
import { Client, type ClientOptions } from 'multilocal';
import type { WatchCursor, WatchEvent } from 'multilocal/watch';
import { beforeEach, vi } from 'vitest';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START = Date.parse('2026-11-02T06:00:00Z');

const immediate = globalThis.setImmediate;

/** Fake timers, and hashes without threads: on a busy machine, those would be late, and a seed would tell another story. */
export function useClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
    const digest = async (_: unknown, data: Uint8Array) => createHash('sha256').update(data).digest().buffer;
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(digest as never);
  });
}

/** Lets time pass, and responses be read, which the timers do not know of. */
export async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 120_000) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 120_000));
    await new Promise((resolve) => immediate(resolve));
  }
}

interface Review {
  review_id: string;
  rating: number;
  review_timestamp: string;
  response_text: string | null;
  reply_date: string | null;
  responded: boolean;
}

/** A random number generator with a seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * A brand with a clock of its own, which knows what really happened. It is a third implementation of the reads, so that thousands of
 * requests cost little. Its clock goes on with the process, whatever `Date` is set to.
 */
export class World {
  readonly requests: number[] = [];
  /** What must be told: a key of each happening, with its moment. */
  readonly truth = new Map<string, number>();
  readonly listings = new Map<string, Review[]>();
  readonly posts = new Map<number, Record<string, unknown> & { id: number; status: string }>();
  readonly articles = new Map<number, { id: number; status: string; updated_at: string; published_at: string }>();
  readonly connections: Record<string, unknown>[] = [];
  readonly reports: Record<string, string>[] = [];
  /** What a request gets instead of a response. */
  fault: (() => Response | Promise<never> | undefined) | undefined;
  /** The status of what does not exist. */
  gone = 404;
  #published: number[] = [];
  readonly #began = performance.now();
  #ids = 1_000_000;

  constructor({ listings = 3, reviews = 30, posts = 40, articles = 20 } = {}) {
    for (let at = 0; at < listings; at++) this.listings.set(`accounts/1/locations/${at}`, []);
    const fiches = [...this.listings.keys()];
    for (let at = 0; at < reviews; at++) {
      const review = this.addReview(fiches[at % listings] as string, START - (reviews - at) * HOUR);
      if (at % 3 > 0) this.answer(review, START - HOUR);
    }
    for (let at = 0; at < posts; at++) this.addPost(START - (posts - at) * HOUR - DAY, ['facebook'], { isOld: true });
    for (let at = 0; at < articles; at++) this.changeArticle(at + 1, 'published', START - (articles - at) * HOUR);
    for (const fiche of fiches) this.connections.push(this.account(fiche));
    this.truth.clear();
  }

  now(): number {
    return START + performance.now() - this.#began;
  }

  addReview(fiche: string, at = this.now()): Review {
    const review = {
      review_id: `r${this.#ids++}`,
      rating: 5,
      review_timestamp: text(at),
      response_text: null,
      reply_date: null,
      responded: false,
    };
    (this.listings.get(fiche) as Review[]).unshift(review);
    this.truth.set(`review.new ${review.review_id}`, at);
    return review;
  }

  answer(review: Review, at = this.now()): void {
    Object.assign(review, { response_text: 'Merci', reply_date: text(at), responded: true });
    this.truth.set(`review.answered ${review.review_id}`, at);
  }

  addPost(at: number, platforms: string[], { isOld = false } = {}): number {
    const id = this.#ids++;
    const made = text(isOld ? at : this.now());
    const fields = platforms.map((name) => [`scheduled_${name}`, text(at)]);
    const post = {
      id,
      status: 'pending',
      platforms,
      bulle_id: 'b',
      created_at: made,
      updated_at: made,
      ...Object.fromEntries(fields),
    };
    this.posts.set(id, post);
    if (isOld) this.deliver(id, platforms, [], at);
    return id;
  }

  deliver(id: number, published: readonly string[], failed: readonly string[], at = this.now()): void {
    const post = this.posts.get(id) as Record<string, unknown>;
    for (const name of published) post[`published_${name}`] = text(at);
    for (const name of failed) post[`error_${name}`] = 'refusé';
    post.updated_at = text(at);
    post.status = failed.length > 0 ? 'error' : 'published';
    if (failed.length === 0) this.#published.unshift(id);
    for (const name of published) this.truth.set(`post.published ${id} ${name}`, at);
    for (const name of failed) this.truth.set(`post.failed ${id} ${name}`, at);
  }

  changeArticle(id: number, status: 'published' | 'draft', at = this.now()): void {
    const before = this.articles.get(id);
    const type = status === 'draft' ? 'unpublished' : before?.status === 'published' ? 'changed' : 'published';
    const published_at = type === 'published' ? text(at) : (before?.published_at ?? text(at));
    this.articles.set(id, { ...before, id, status, updated_at: text(at), published_at });
    const date = type === 'published' ? published_at : text(at);
    this.truth.set(`article.${type} ${id} ${date}`, at);
  }

  deleteArticle(id: number): void {
    const isOnline = this.articles.get(id)?.status === 'published';
    this.articles.delete(id);
    if (isOnline) this.truth.set(`article.unpublished ${id} deleted`, this.now());
  }

  account(bulle_id: string): Record<string, unknown> {
    const expires_at = text(START + 400 * DAY).slice(0, 19);
    return { platform: 'facebook', connected: true, name: 'page', bulle_id, expires_at, needs_reconnect: false };
  }

  breakAccount(at: number, needs_reconnect: boolean, count: number): void {
    Object.assign(this.connections[at] as object, { needs_reconnect });
    this.truth.set(
      `connection.${needs_reconnect ? 'lost' : 'restored'} ${this.connections[at]?.bulle_id} ${count}`,
      this.now(),
    );
  }

  addReport(name: string): void {
    const generated_at = text(this.now());
    this.reports.unshift({
      fiche_name: 'f',
      report_name: name,
      period: '2026-10',
      generated_at,
      pdf_url: 'https://files.example/a.pdf',
    });
    this.truth.set(`report.ready ${name}`, this.now());
  }

  /** The key of an event in {@link truth}. */
  keyOf(event: WatchEvent, counts: Map<string, number>): string {
    if ('review' in event) return `${event.type} ${event.review.review_id}`;
    if ('post' in event) return `${event.type} ${event.post.id} ${event.platform}`;
    if ('report' in event) return `${event.type} ${event.report.report_name}`;
    if ('article' in event) return `${event.type} ${event.article.id} ${event.deleted ? 'deleted' : event.at}`;
    if (!('connection' in event)) return event.type;
    const account = `${event.type} ${event.connection.bulle_id}`;
    counts.set(account, (counts.get(account) ?? 0) + 1);
    return `${account} ${counts.get(account)}`;
  }

  client(more: Partial<ClientOptions> = {}): Client {
    const fixed = { baseUrl: 'http://localhost', fetch: this.fetch, logLevel: 'off', rateLimit: false } as const;
    return new Client({ apiKey: 'key_live_0123456789', ...fixed, ...more });
  }

  readonly fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.requests.push(this.now());
    const fault = this.fault?.();
    if (fault) return fault;
    const body = this.#answer(url.pathname.replace('/api/v2', ''), url.searchParams);
    const headers = { date: new Date(this.now()).toUTCString(), 'content-type': 'application/json' };
    return new Response(JSON.stringify(body ?? { detail: 'Introuvable' }), { status: body ? 200 : this.gone, headers });
  };

  #answer(path: string, query: URLSearchParams): unknown {
    const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)];
    if (path === '/me') return this.#me();
    if (path === '/connections') return this.connections;
    if (path === '/reports') return this.reports.slice(0, limit);
    if (path === '/reviews') return this.#reviews(query, limit);
    if (path === '/articles') return this.#articles(Date.parse(query.get('updated_since') ?? ''), offset);
    if (path === '/posts') return this.#postsOf(query.get('status') ?? '', offset, limit);
    const id = Number(path.split('/')[2]);
    return path.startsWith('/posts/') ? this.posts.get(id) : this.articles.get(id);
  }

  #me(): unknown {
    const gmb_fiches = [...this.listings.keys()].map((id) => ({ id, name: id, address: '', service_area: false }));
    const rest = { permissions: ['read'], rate_limits: { per_minute: 60, per_day: 1000 }, connected_platforms: [] };
    const sphere = { id: 's', name: 's', slug: 's' };
    return { api_version: '2.0', bulle: null, sphere, ...rest, gmb_fiches };
  }

  #reviews(query: URLSearchParams, limit: number): unknown {
    const all = this.listings.get(query.get('fiche_id') ?? '') ?? [];
    const page = Number(query.get('page') ?? 1);
    const [from, to] = [query.get('date_from') ?? '', query.get('date_to') ?? '9'];
    const stateOf = ({ responded }: Review) => (responded ? 'responded' : 'unresponded');
    const status = query.get('status');
    const fits = all.filter(
      (one) => (!status || stateOf(one) === status) && one.review_timestamp >= from && one.review_timestamp <= to,
    );
    const reviews = fits
      .sort((a, b) => Date.parse(b.review_timestamp) - Date.parse(a.review_timestamp))
      .slice((page - 1) * limit, page * limit);
    const responded = all.filter((one) => one.responded).length;
    const status_counts = { all: all.length, responded, drafts: 0, unresponded: all.length - responded };
    const counts = { total_reviews: all.length, filtered_count: fits.length, status_counts };
    return { reviews, ...counts, page, total_pages: Math.ceil(fits.length / limit) };
  }

  #articles(since: number, offset: number): unknown {
    const later = [...this.articles.values()].filter((one) => Date.parse(one.updated_at) > since);
    const sorted = later.sort((a, b) => Date.parse(a.updated_at) - Date.parse(b.updated_at) || a.id - b.id);
    const articles = sorted.slice(offset, offset + 50).map((one) => ({ ...one, created_at: text(START) }));
    return { articles, total: sorted.length, limit: 50, offset };
  }

  #postsOf(status: string, offset: number, limit: number): unknown {
    if (status === 'published')
      return this.#published
        .sort((a, b) => b - a)
        .slice(offset, offset + limit)
        .map((id) => this.posts.get(id));
    const found = [...this.posts.values()].filter((post) => post.status === status).reverse();
    return found.slice(offset, offset + limit);
  }
}

/** A store of a cursor that outlives the processes. Each process has a cursor of its own, so a killed one writes no more. */
export class Disk {
  text: string | null = null;
  largest = 0;
  #owner: object | undefined;

  /** `onSave`: called before and after each save. One that never resolves is a killed process. */
  cursor(onSave: () => Promise<void> | void = () => {}): WatchCursor {
    const own = {};
    return {
      load: async () => this.text,
      save: async (next, previous) => {
        await onSave();
        if (this.#owner !== own || this.text !== previous) return false;
        this.text = next;
        this.largest = Math.max(this.largest, next.length);
        await onSave();
        return true;
      },
      lease: async () => {
        await onSave();
        this.#owner = own;
        return Object.assign(() => {}, { renew: () => this.#owner === own });
      },
    };
  }
}

/** The most requests in any 24 hours. */
export function mostInADay(times: readonly number[]): number {
  let [most, from] = [0, 0];
  times.forEach((time, at) => {
    while ((times[from] as number) <= time - DAY) from++;
    most = Math.max(most, at - from + 1);
  });
  return most;
}

function text(time: number): string {
  return new Date(time).toISOString();
}
