import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Article } from '../../src/index.js';

const PAGE = 100;

type Fault = 'none' | '503' | '429' | 'slow' | 'reset before' | 'reset within' | 'truncated' | 'malformed' | 'stall';

/** These cost the client nothing but a request. */
const CHEAP: readonly Fault[] = ['503', '429', 'slow'];
/** These cost it a back-off, a time-out or the run. */
const DEAR: readonly Fault[] = ['reset before', 'reset within', 'truncated', 'malformed', 'stall'];

/** What a service does wrong with its list, each with the chance that a response shows it. */
export interface Habits {
  /** Articles of one timestamp come in another order. */
  shuffles: number;
  /** A change gives articles an earlier timestamp. */
  restores: number;
  /** `total` counts something else. */
  miscounts: number;
  /** The newest changes are not there yet. */
  lags: number;
}

/** A service that only fails as networks do. */
export const ORDERLY: Habits = { shuffles: 0, restores: 0, miscounts: 0, lags: 0 };
export const DISORDERLY: Habits = { shuffles: 0.15, restores: 0.3, miscounts: 0.3, lags: 0.2 };

/** The articles list over real HTTP: it fails as it likes, and its articles change with every request. */
export class HostileService {
  /** By id. */
  readonly articles = new Map<number, Article>();
  /** Articles that were a draft at some time. */
  readonly everOffline = new Set<number>();
  /** Articles whose timestamp went back: nobody can see it by a cursor. */
  readonly restored = new Set<number>();
  /** Faults, as often as they happened. */
  readonly faults: Partial<Record<Fault, number>> = {};
  requests = 0;
  isQuiet = false;
  onRequest: () => void = () => {};
  readonly #random: Random;
  readonly #habits: Habits;
  readonly #server: Server;
  #tick = 0;
  #nextId = 1;
  #dearLeft = 4;

  constructor(random: Random, count: number, habits: Habits) {
    this.#random = random;
    this.#habits = habits;
    // One run of equal timestamps is longer than two pages.
    this.#create(250);
    while (this.articles.size < count) {
      this.#create(
        Math.min(count - this.articles.size, random.pick([1, 1, 2, 7, 30, 99, 100, 101, random.int(1, 60)])),
      );
    }
    this.#server = createServer((request, response) => this.#answer(new URL(request.url ?? '', 'http://x'), response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #answer(url: URL, response: ServerResponse): void {
    this.requests++;
    this.onRequest();
    if (!this.isQuiet) this.#change();
    const fault = this.#nextFault();
    this.faults[fault] = (this.faults[fault] ?? 0) + 1;
    const id = /\/articles\/(\d+)$/.exec(url.pathname)?.[1];
    const article = this.articles.get(Number(id));
    const isMissing = id !== undefined && !article;
    const content = id === undefined ? this.#list(url) : (article ?? { detail: 'Article introuvable.' });
    const body = Buffer.from(JSON.stringify(content));
    const json = { 'content-type': 'application/json', 'content-length': body.length };
    switch (isMissing ? 'none' : fault) {
      case 'none':
        return void response.writeHead(isMissing ? 404 : 200, json).end(body);
      case '503':
      case '429':
        return void response.writeHead(Number(fault), { 'retry-after': '0' }).end('{"detail":"plus tard"}');
      case 'slow':
        response.writeHead(200, json).write(body.subarray(0, body.length / 2));
        return void setTimeout(() => response.end(body.subarray(body.length / 2)), this.#random.int(1, 60));
      case 'reset before':
        return void response.socket?.resetAndDestroy();
      case 'reset within':
        response
          .writeHead(200, json)
          .write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy());
        return;
      case 'truncated':
        // Ends in order, but before the length that it announced.
        response.writeHead(200, json).write(body.subarray(0, this.#random.int(1, body.length - 1)), () => {
          response.socket?.end();
        });
        return;
      case 'malformed': {
        // As long as it says, so that it cannot be taken for one that was cut.
        const nonsense = `${body.subarray(0, body.length / 2)}]}`;
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(nonsense) };
        return void response.writeHead(200, headers).end(nonsense);
      }
      case 'stall':
        return;
    }
  }

  #nextFault(): Fault {
    if (this.isQuiet || !this.#random.chance(0.2)) return 'none';
    if (this.#dearLeft === 0 || !this.#random.chance(0.2)) return this.#random.pick(CHEAP);
    this.#dearLeft--;
    return this.#random.pick(DEAR);
  }

  #list(url: URL): unknown {
    const since = url.searchParams.get('updated_since') ?? '';
    const status = url.searchParams.get('status') ?? 'published';
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const newest = this.#has('lags') ? timestampOf(this.#tick - this.#random.int(1, 30)) : timestampOf(this.#tick);
    const rank = this.#has('shuffles') ? this.#random.int(2, 9) : 1;
    const matching = [...this.articles.values()]
      .filter(({ updated_at }) => updated_at > since && updated_at <= newest)
      .filter((article) => status === 'all' || article.status === status)
      .sort((a, b) => compare(a.updated_at, b.updated_at) || (a.id % rank) - (b.id % rank) || a.id - b.id);
    const articles = matching.slice(offset, offset + PAGE);
    const total = this.#has('miscounts')
      ? this.#random.pick([0, -1, articles.length, matching.length - 1, matching.length + 40])
      : matching.length;
    // What is written from here on is later than all that this answer shows.
    this.#tick++;
    return { articles, total, limit: PAGE, offset };
  }

  #has(habit: keyof Habits): boolean {
    return !this.isQuiet && this.#random.chance(this.#habits[habit]);
  }

  /** What others do meanwhile: some requests see nothing, some see many articles change at one instant. */
  #change(): void {
    if (this.#random.chance(0.5)) return;
    const ids = [...this.articles.keys()];
    // Articles at both ends of the list, where the walk has been and where it is going.
    const some = () => {
      return Array.from({ length: this.#random.pick([1, 1, 3, 9]) }, () => {
        return ids[Math.floor(ids.length * (this.#random.chance(0.3) ? 0.02 : 1) * this.#random.next())] as number;
      });
    };
    this.#tick++;
    const kind = this.#random.pick(['create', 'touch', 'touch', 'flip', 'flip', 'delete'] as const);
    if (kind === 'create') {
      this.#create(this.#random.pick([1, 1, 2, 12]));
      return;
    }
    for (const id of some()) {
      const article = this.articles.get(id);
      if (!article) continue;
      this.articles.delete(id);
      if (kind === 'delete') continue;
      const flipped = article.status === 'draft' ? 'published' : 'draft';
      const isRestored = this.#has('restores');
      if (isRestored) this.restored.add(id);
      else this.restored.delete(id);
      this.#put(
        { ...article, title: `${article.title}.`, status: kind === 'flip' ? flipped : article.status },
        isRestored ? this.#random.int(0, this.#tick) : this.#tick,
      );
    }
  }

  #create(count: number): void {
    this.#tick++;
    for (let index = 0; index < count; index++) {
      const id = this.#nextId++;
      this.#put({
        id,
        title: `Article ${id}`,
        content_html: `<p>${'Texte. '.repeat(this.#random.int(1, 30))}</p>`,
        status: this.#random.chance(0.15) ? 'draft' : 'published',
        created_at: '2026-01-01T00:00:00.000000+00:00',
        updated_at: '',
      });
    }
  }

  #put(article: Article, tick = this.#tick): void {
    if (article.status !== 'published') this.everOffline.add(article.id);
    this.articles.set(article.id, { ...article, updated_at: timestampOf(tick) });
  }
}

function timestampOf(tick: number): string {
  const seconds = String(Math.floor(tick / 1_000_000) % 60).padStart(2, '0');
  return `2026-01-01T00:00:${seconds}.${String(Math.max(0, tick) % 1_000_000).padStart(6, '0')}+00:00`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A source of numbers that gives the same ones for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both bounds included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)] as T;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
