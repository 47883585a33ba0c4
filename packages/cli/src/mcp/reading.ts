import { randomUUID } from 'node:crypto';
import { LONGEST_ANSWER } from './refused.js';

/** Options of one read. */
export interface ReadOptions {
  /** The fields of each item. `undefined`: those of the first call, else all of them, long texts cut. */
  readonly fields?: readonly string[] | undefined;
  /** Maximum number of items. */
  readonly limit: number;
  /** Ends this call, and no other one that continues the reading. */
  readonly signal: AbortSignal;
}

/** A part of what was read. `next` reads on: the id of the reading, its items before, and the characters of an item that is too long. */
export type Part = Readonly<Record<string, unknown>> & { readonly next?: string | undefined };

/** Stands among the items of a list, but is not one of them. */
export class Note {
  constructor(readonly about: unknown) {}
}

/** Ends a part: nothing is requested before the next one is asked for. */
export class Stop {
  constructor(readonly why: string) {}
}

/** What is read. */
export interface Source {
  readonly operation: string;
  readonly fields: ReadOptions['fields'];
  /** The fields beside a list, which the first part has. */
  readonly about?: object | undefined;
  /** Makes items the data of an answer. Without it, they are the data. */
  readonly wrap?: ((items: readonly unknown[], about: object) => unknown) | undefined;
  readonly total?: number | undefined;
  /** Whether this is no list, so a null at its top may be what the answer says: a location that was never scanned. */
  readonly isOne?: boolean;
  /** Begins the items, and begins them again after a failure. */
  open(signal: AbortSignal): AsyncIterable<unknown>;
}

/** What is left of an answer for its other fields. */
const ROOM = LONGEST_ANSWER - 1_000;

/** JSON in a JSON string needs up to twice its length. */
const TEXT_PART = 11_000;

/** A read that keeps its items, so nothing is requested twice, and a page only when its items are asked for. */
export class Reading {
  readonly id = randomUUID().slice(0, 8);
  readonly #items: unknown[] = [];
  readonly #known = new Set<string>();
  #rest: AsyncIterator<unknown> | undefined;
  #isDone = false;
  #turn: Promise<unknown> = Promise.resolve();
  #stop: AbortController;

  /** `stop`: aborts what the source has begun. */
  constructor(
    readonly source: Source,
    stop = new AbortController(),
  ) {
    this.#stop = stop;
  }

  /** Returns the items from `at` on, one call after the other. Those of a part that fails are not lost: the same call goes on. */
  part(at: number, from: number, options: ReadOptions): Promise<Part> {
    const work = () => {
      // What an earlier call has aborted begins again.
      if (this.#stop.signal.aborted) {
        this.#stop = new AbortController();
        this.#rest = undefined;
      }
      return abortable(options.signal, this.#stop, () => this.#part(at, from, options));
    };
    const turn = this.#turn.then(work, work);
    this.#turn = turn;
    return turn;
  }

  async #part(at: number, from: number, { fields = this.source.fields, limit }: ReadOptions): Promise<Part> {
    const pause = await this.#fill(at, limit);
    const { total, wrap = (items) => items, isOne } = this.source;
    const about = (at + from === 0 && this.source.about) || {};
    const parts = this.#items.slice(at, at + limit).map((item) => ({ item, shown: shape(item, fields, isOne) }));
    const fits = from > 0 ? 0 : fitting(parts, ROOM - JSON.stringify(about).length);
    if (fits === 0 && parts.length > 0) return this.#text(parts[0]?.shown, at, from, about);
    const end = at + fits;
    const isPaused = pause !== undefined && end === this.#items.length;
    const taken = parts.slice(0, fits);
    const items = taken.flatMap(({ item }) => (item instanceof Note ? [] : [item]));
    const data = taken.flatMap(({ item, shown }) => (item instanceof Note ? [] : [shown]));
    const notes = taken.flatMap(({ item }) => (item instanceof Note ? [item.about] : []));
    if (isPaused) notes.push(pause.why);
    const next = await this.#next(end, isPaused);
    return {
      data: wrap(data, about),
      notes: notes.length > 0 ? notes : undefined,
      ...unknown(fields, items),
      left: total === undefined || (next && end >= total) ? undefined : Math.max(0, total - end),
      next,
    };
  }

  /** A part of an item that is too long. */
  async #text(item: unknown, at: number, from: number, about: object): Promise<Part> {
    const text = JSON.stringify(item);
    const to = from + TEXT_PART;
    const next = to < text.length ? `${this.id}.${at}.${to}` : await this.#next(at + 1);
    return { ...(Object.keys(about).length > 0 && { data: about }), text: text.slice(from, to), next };
  }

  /** What reads on behind `end` items. A total saves the request of a page that may never be asked for, but it may be too low. */
  async #next(end: number, isPaused = false): Promise<string | undefined> {
    const { total = 0 } = this.source;
    const hasMore = isPaused || (!this.#isDone && end < total) || (await this.#fill(end, 1));
    return hasMore || end < this.#items.length ? `${this.id}.${end}` : undefined;
  }

  /** Takes items until there are `count` from `at` on, unless the source pauses. */
  async #fill(at: number, count: number): Promise<Stop | undefined> {
    while (!this.#isDone && this.#items.length < at + count) {
      this.#stop.signal.throwIfAborted();
      const pause = await this.#take();
      if (pause) return pause;
    }
    return undefined;
  }

  async #take(): Promise<Stop | undefined> {
    this.#rest ??= this.source.open(this.#stop.signal)[Symbol.asyncIterator]();
    const { done, value } = await this.#rest.next().catch((error) => {
      // An iteration ends with a failed page. The next call begins it again, and skips what it knows.
      this.#rest = undefined;
      throw error;
    });
    if (value instanceof Stop) return value;
    const { platform, id, review_id } = Object(value);
    // Each platform of sites has its own ids.
    const key = JSON.stringify([platform, id ?? review_id ?? value]);
    if (done) this.#isDone = true;
    else if (value instanceof Note || this.#known.size < this.#known.add(key).size) this.#items.push(value);
    return undefined;
  }
}

/** Works for a call. Its signal aborts what it waits for, and nothing that a later call waits for. */
export async function abortable<Value>(signal: AbortSignal, stop: AbortController, work: () => Promise<Value>) {
  signal.throwIfAborted();
  const abort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** How many of the items an answer has room for. */
function fitting(parts: readonly { readonly shown: unknown }[], room: number): number {
  let length = 0;
  for (const [index, { shown }] of parts.entries()) {
    length += JSON.stringify(shown ?? null).length + 1;
    if (length > room) return index;
  }
  return parts.length;
}

/** The fields that were asked for and that nothing has, with those that there are. */
function unknown(fields: readonly string[] = [], items: readonly unknown[]): object {
  const names = new Set(items.flatMap((item) => Object.keys(Object(item))));
  const missing = fields.filter((name) => !names.has(name));
  return names.size === 0 || missing.length === 0 ? {} : { unknown_fields: missing, fields: [...names] };
}

/** Longest text that is shown without being asked for. */
const LONGEST_TEXT = 400;

/** Picks the fields of an item. Without a choice, long texts are cut, and `content_html` is left out. */
function shape(item: unknown, fields: readonly string[] | undefined, isOne = false): unknown {
  if (item instanceof Note) return item.about;
  if (!fields) return shorten(item, isOne);
  const chosen = (one: unknown) =>
    Object.fromEntries(Object.entries(Object(one)).filter(([name]) => fields.includes(name)));
  return Array.isArray(item) ? item.map(chosen) : chosen(item);
}

function shorten(value: unknown, keepsNull = false): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    return `${value.slice(0, LONGEST_TEXT)}… (${value.length - LONGEST_TEXT} more characters: name this field in \`fields\`)`;
  }
  if (Array.isArray(value)) return value.map((one) => shorten(one));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => keepsNull || field !== null);
  const shown = fields.filter(([name]) => name !== 'content_html');
  return Object.fromEntries(shown.map(([name, field]) => [name, shorten(field)]));
}
