import { randomUUID } from 'node:crypto';
import { LONGEST_ANSWER, Refused } from './refused.js';

/** Options of one read. */
export interface Wanted {
  /** The fields of each item. `undefined`: those of the first call, else all of them, long texts cut. */
  readonly fields?: readonly string[] | undefined;
  /** Maximum number of items. */
  readonly limit: number;
}

/** A part of what was read. `next` reads on: the id of the reading, its items before, and the characters of an item that is too long. */
export type Part = Readonly<Record<string, unknown>> & { readonly next?: string | undefined };

/** Stands among the items of a list, and is no item. */
export class Note {
  constructor(
    readonly about: unknown,
    /** Whether nothing more is requested for this part. */
    readonly endsPart = false,
  ) {}
}

/** What is read. */
export interface Source {
  readonly operation: string;
  readonly fields: Wanted['fields'];
  /** Whether the answer is a list. Otherwise its only item is the answer. */
  readonly isList: boolean;
  /** The fields beside a list, and its own name. Without a name, the answer is the list. */
  readonly about?: object | undefined;
  readonly name?: string | undefined;
  readonly total?: number | undefined;
  /** Begins the items, and begins them again after a failure. */
  open(): AsyncIterable<unknown>;
}

/** The readings that can be continued. */
export class Readings {
  readonly #open = new Map<string, Reading>();

  async begin(source: Source, wanted: Wanted): Promise<Part> {
    const reading = new Reading(source);
    const part = await reading.part(0, 0, wanted);
    if (part.next !== undefined) this.#open.set(reading.id, reading);
    for (const id of [...this.#open.keys()].slice(0, -20)) this.#open.delete(id);
    return part;
  }

  /** Reads on. A `next` that is repeated gives the same part again: its answer may have been lost. */
  async continue(next: string, operation: string, wanted: Wanted): Promise<Part> {
    const [id = '', at, from] = next.split('.');
    const found = this.#open.get(id);
    if (found?.source.operation === operation) return found.part(Number(at) || 0, Number(from) || 0, wanted);
    const message = '`next` belongs to no reading of this operation, or to one that was forgotten.';
    throw new Refused('unknown_next', message, 'Call `read` again without `next`.');
  }
}

/** What is left of an answer for its other fields. */
const ROOM = LONGEST_ANSWER - 1_000;

/** JSON in a JSON string needs up to twice its length. */
const TEXT_PART = 11_000;

/** A read that keeps its items, so nothing is requested twice, and a page only when its items are asked for. */
class Reading {
  readonly id = randomUUID().slice(0, 8);
  readonly source: Source;
  readonly #items: unknown[] = [];
  readonly #known = new Set<string>();
  #rest: AsyncIterator<unknown> | undefined;
  #isDone = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(source: Source) {
    this.source = source;
  }

  /** Returns the items from `at` on. Those of a part that fails are not lost: the same call goes on. */
  async part(at: number, from: number, { fields = this.source.fields, limit }: Wanted): Promise<Part> {
    const { isList, about = {}, name, total } = this.source;
    await this.#fill(at, limit);
    const beside = at + from === 0 ? about : {};
    let room = ROOM - JSON.stringify(beside).length;
    const items: unknown[] = [];
    const notes: unknown[] = [];
    let end = at;
    for (const item of this.#items.slice(at, at + limit)) {
      const note = item instanceof Note ? item.about : undefined;
      room -= JSON.stringify(note ?? shape(item, fields) ?? null).length + 1;
      if (room < 0 || from > 0) break;
      end += 1;
      if (note === undefined) items.push(item);
      else notes.push(note);
      if (endsPart(item)) break;
    }
    if (end === at && this.#items.length > at) return this.#text(at, from, beside, fields);
    const list = items.map((item) => shape(item, fields));
    const data = isList ? (name === undefined ? list : { ...beside, [name]: list }) : list[0];
    const left = total === undefined ? undefined : Math.max(0, total - end);
    const said = { data, ...(notes.length > 0 && { notes }), ...unknown(fields, items), left };
    return { ...said, next: await this.#next(end) };
  }

  /** A part of an item that is too long. */
  async #text(at: number, from: number, beside: object, fields: Wanted['fields']): Promise<Part> {
    const text = JSON.stringify(shape(this.#items[at], fields));
    const to = from + TEXT_PART;
    const next = to < text.length ? `${this.id}.${at}.${to}` : await this.#next(at + 1);
    return { ...(Object.keys(beside).length > 0 && { data: beside }), text: text.slice(from, to), next };
  }

  /** What reads on behind `end` items. A known total saves the request of a page that may never be asked for. */
  async #next(end: number): Promise<string | undefined> {
    const { total } = this.source;
    const isPaused = endsPart(this.#items[end - 1]);
    if (total === undefined && !isPaused) await this.#fill(end, 1);
    const hasMore = end < this.#items.length || (!this.#isDone && (isPaused || end < (total ?? 0)));
    return hasMore ? `${this.id}.${end}` : undefined;
  }

  /** Takes items until there are `count` from `at` on, one call after the other. */
  #fill(at: number, count: number): Promise<unknown> {
    const isEnough = () => this.#isDone || this.#items.length >= at + count || this.#items.slice(at).some(endsPart);
    const take = async () => {
      while (!isEnough()) await this.#take();
    };
    this.#turn = this.#turn.then(take, take);
    return this.#turn;
  }

  async #take(): Promise<void> {
    this.#rest ??= this.source.open()[Symbol.asyncIterator]();
    const { done, value } = await this.#rest.next().catch((error) => {
      // An iteration ends with a failed page. The next call begins it again, and skips what it knows.
      this.#rest = undefined;
      throw error;
    });
    if (done) this.#isDone = true;
    else if (value instanceof Note || this.#known.size < this.#known.add(keyOf(value)).size) this.#items.push(value);
  }
}

function endsPart(item: unknown): boolean {
  return item instanceof Note && item.endsPart;
}

function keyOf(item: unknown): string {
  const { id, review_id } = Object(item);
  return JSON.stringify(id ?? review_id ?? item);
}

/** The fields that were asked for and that nothing has, with those that there are. */
function unknown(fields: readonly string[] = [], items: readonly unknown[]): object {
  const names = new Set(items.flatMap((item) => Object.keys(Object(item))));
  const missing = fields.filter((name) => !names.has(name));
  return names.size === 0 || missing.length === 0 ? {} : { unknown_fields: missing, fields: [...names] };
}

/** Longest text that is shown without being asked for. */
const LONGEST_TEXT = 400;

/** Fields that are shown only if they are asked for. */
const ON_REQUEST: ReadonlySet<string> = new Set(['content_html']);

/** Picks the fields of an item. Without a choice, long texts are cut. */
function shape(item: unknown, fields: readonly string[] | undefined): unknown {
  if (fields) {
    const chosen = (one: unknown) =>
      Object.fromEntries(Object.entries(Object(one)).filter(([name]) => fields.includes(name)));
    return Array.isArray(item) ? item.map(chosen) : chosen(item);
  }
  return shorten(item);
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    return `${value.slice(0, LONGEST_TEXT)}… (${value.length - LONGEST_TEXT} more characters: name this field in \`fields\`)`;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).filter(([name, field]) => !ON_REQUEST.has(name) && field !== null);
  return Object.fromEntries(shown.map(([name, field]) => [name, shorten(field)]));
}
