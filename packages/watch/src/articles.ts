import type { Article } from 'multilocal';
import { walk } from 'multilocal/internal/walk';
import { type Draft, type Found, gapOf, type Look, MINUTE, ofBulle, textOf, timeOf } from './look.js';

/** Earlier than any article. With `updated_since`, the service sorts by change. */
export const BEGINNING = '1970-01-01T00:00:00Z';

/** What a cursor remembers of the articles. */
export interface ArticlesState {
  /** The latest `updated_at` that was seen. */
  since: string;
  /** The versions of the last minutes before `since`, which the next look sees again. */
  seen: Record<number, string>;
  /** Ids of the articles that are online. */
  online: number[];
  /** Those of them that the last listing did not show, and that no look has asked for yet. */
  missing?: number[];
  /** The position behind which the list could not be read, which was told. */
  stalled?: string;
}

/** `updated_since` is strict, and a change may become visible after one with a later date. */
const OVERLAP = 2 * MINUTE;

/** Looks at the articles that have changed. The first look lists all of them, and so does one look a day. */
export async function lookAtArticles(
  before: ArticlesState | undefined,
  look: Look,
  isListing: boolean,
): Promise<Found<ArticlesState>> {
  const articles = new ArticlesLook(before, look);
  const start = before && !isListing ? textOf(timeOf(before.since) - OVERLAP) : BEGINNING;
  const listed = new Set<number>();
  const mask = (text: string) => text;
  const list = (position: { updated_since: string; offset: number }) => look.ask('articles.list', position);
  try {
    for await (const step of walk<Article>({ list, mask }, start)) {
      for (const article of step.articles) {
        listed.add(article.id);
        articles.take(article);
      }
    }
    if (before && start === BEGINNING) articles.miss(listed);
    await articles.askForMissing();
  } catch (error) {
    const { code, cursor } = Object(error) as { code?: string; cursor?: string };
    if (!before || code !== 'sync_stalled' || cursor === undefined) throw error;
    articles.stall(cursor);
  }
  return { events: articles.events, state: articles.state() };
}

class ArticlesLook {
  readonly #events = new Map<string, Draft>();
  readonly #before: ArticlesState | undefined;
  readonly #look: Look;
  readonly #online: Set<number>;
  readonly #seen = new Map<number, string>();
  readonly #missing: Set<number>;
  #since: string;
  #stalled: string | undefined;

  constructor(before: ArticlesState | undefined, look: Look) {
    this.#before = before;
    this.#look = look;
    this.#online = new Set(before?.online);
    this.#missing = new Set(before?.missing);
    this.#since = before?.since ?? BEGINNING;
    for (const [id, version] of Object.entries(before?.seen ?? {})) this.#seen.set(Number(id), version);
  }

  get events(): Draft[] {
    return [...this.#events.values()];
  }

  /** The service repeats a page, so what is behind this position cannot be read. Other kinds can. */
  stall(cursor: string): void {
    this.#stalled = cursor;
    if (timeOf(cursor) < timeOf(this.#since)) this.#since = cursor;
    if (this.#before?.stalled !== cursor) this.#events.set('gap', gapOf('articles', [cursor], this.#look));
  }

  take(article: Article): void {
    const { id, status, updated_at, published_at } = article;
    const wasOnline = this.#online.has(id);
    const isOnline = status === 'published';
    const isChange = this.#isChange(article);
    this.#seen.set(id, updated_at);
    this.#missing.delete(id);
    if (timeOf(updated_at) > timeOf(this.#since)) this.#since = updated_at;
    if (isOnline) this.#online.add(id);
    else this.#online.delete(id);
    if (!this.#before) {
      const since = this.#look.since ?? Number.POSITIVE_INFINITY;
      if (!isOnline || !(timeOf(updated_at) > since || timeOf(published_at) > since)) return;
      this.#tell(timeOf(published_at) > since ? 'article.published' : 'article.changed', article);
    } else if (isOnline && !wasOnline) this.#tell('article.published', article);
    else if (isOnline && isChange) this.#tell('article.changed', article);
    else if (!isOnline && wasOnline) this.#tell('article.unpublished', article);
  }

  /** Notes the articles that are online and in no list. */
  miss(listed: ReadonlySet<number>): void {
    for (const id of this.#online) if (!listed.has(id)) this.#missing.add(id);
  }

  /** Asks for some of them. A 404 shows that one was deleted. */
  async askForMissing(): Promise<void> {
    for (const id of [...this.#missing].slice(0, this.#look.single)) {
      this.#missing.delete(id);
      const article = await this.#look.ask('articles.get', id);
      if (article) {
        this.take(article);
        continue;
      }
      this.#online.delete(id);
      // One that another brand has now was not deleted.
      if (article === undefined) continue;
      const at = textOf(this.#look.now());
      const gone = { type: 'article.unpublished', key: [id, 'deleted'], at, article: { id }, deleted: true } as const;
      this.#events.set(`${id}`, gone);
    }
  }

  state(): ArticlesState {
    // A date that is ahead of the service must not hide the changes before it.
    const now = this.#look.now();
    const isAhead = timeOf(this.#since) > now;
    const since = isAhead ? textOf(Math.max(now, timeOf(this.#before?.since) || 0)) : this.#since;
    const from = timeOf(since) - OVERLAP;
    const recent = [...this.#seen].filter(([, version]) => !(timeOf(version) < from));
    const stalled = this.#stalled !== undefined && { stalled: this.#stalled };
    const missing = this.#missing.size > 0 && { missing: [...this.#missing] };
    return { since, seen: Object.fromEntries(recent), online: [...this.#online], ...missing, ...stalled };
  }

  /** Whether this version was not seen before. The listing of a day shows old ones again. */
  #isChange({ id, updated_at }: Article): boolean {
    if (this.#seen.get(id) === updated_at) return false;
    return !(timeOf(updated_at) < timeOf(this.#before?.since) - OVERLAP);
  }

  /** Several changes of an article are one event. */
  #tell(type: 'article.published' | 'article.changed' | 'article.unpublished', article: Article): void {
    const { id, updated_at, published_at, bulle_id } = article;
    const told = this.#events.get(`${id}`);
    // It was online for a moment only, which nobody was told.
    if (told?.type === 'article.published' && type === 'article.unpublished') return void this.#events.delete(`${id}`);
    const kept = told?.type === 'article.published' && type === 'article.changed' ? told.type : type;
    // One that is online again may keep the date of the first time.
    const isAgain = timeOf(published_at) < timeOf(this.#before?.since) - OVERLAP;
    const at = kept === 'article.published' && !isAgain ? (published_at ?? updated_at) : updated_at;
    this.#events.set(`${id}`, { type: kept, key: [id, at], at, ...ofBulle(bulle_id), article });
  }
}
