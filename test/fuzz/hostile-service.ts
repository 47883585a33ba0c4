import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Article } from '../../src/index.js';
import type { Random } from './random.js';

const PAGE = 100;

type Fault = 'none' | '503' | '429' | 'slow' | 'reset before' | 'reset within' | 'truncated' | 'malformed' | 'stall';

/** These cost the client nothing but a request. */
const CHEAP: readonly Fault[] = ['503', '429', 'slow'];
/** These cost it a back-off, a time-out or the run. */
const DEAR: readonly Fault[] = ['reset before', 'reset within', 'truncated', 'malformed', 'stall'];

/** The articles list over real HTTP: it fails as it likes, and its articles change with every request. */
export class HostileService {
  /** By id; the order is that of `updated_at`, since what is written goes to the end. */
  readonly articles = new Map<number, Article>();
  /** Faults, as often as they happened. */
  readonly faults: Partial<Record<Fault, number>> = {};
  requests = 0;
  isQuiet = false;
  onRequest: () => void = () => {};
  readonly #random: Random;
  readonly #server: Server;
  #tick = 0;
  #nextId = 1;
  #dearLeft = 4;

  constructor(random: Random, count: number) {
    this.#random = random;
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
    const body = Buffer.from(JSON.stringify(this.#list(url)));
    const json = { 'content-type': 'application/json', 'content-length': body.length };
    switch (fault) {
      case 'none':
        return void response.writeHead(200, json).end(body);
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
    const matching = [...this.articles.values()].filter((article) => {
      return article.updated_at > since && (status === 'all' || article.status === status);
    });
    // What is written from here on is later than all that this answer shows.
    this.#tick++;
    return { articles: matching.slice(offset, offset + PAGE), total: matching.length, limit: PAGE, offset };
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
      this.#put({ ...article, title: `${article.title}.`, status: kind === 'flip' ? flipped : article.status });
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

  #put(article: Article): void {
    const seconds = String(Math.floor(this.#tick / 1_000_000) % 60).padStart(2, '0');
    const micros = String(this.#tick % 1_000_000).padStart(6, '0');
    this.articles.set(article.id, { ...article, updated_at: `2026-01-01T00:00:${seconds}.${micros}+00:00` });
  }
}
