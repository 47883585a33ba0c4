import { randomUUID } from 'node:crypto';
import { ListPromise } from 'multilocal/internal/pages';
import { LONGEST_ANSWER, Refused } from './refused.js';

/** What a call asks of a reading. */
export interface Wanted {
  /** The fields of each item. `undefined`: all of them, long texts cut. */
  readonly fields?: readonly string[] | undefined;
  /** Most items. */
  readonly limit: number;
}

/** A part of what was read. */
export interface Part {
  readonly data?: unknown;
  /** A part of JSON that is too long for one answer. */
  readonly text?: string;
  /** Fields that were asked for, and that nothing has. */
  readonly unknown_fields?: readonly string[] | undefined;
  /** The fields that there are. Only if some are unknown. */
  readonly fields?: readonly string[] | undefined;
  /** Items behind this part, if that is known. */
  readonly left?: number | undefined;
  /** Reads on. Absent at the end. */
  readonly next?: string | undefined;
}

interface Kept {
  readonly reading: Reading;
  readonly fields: Wanted['fields'];
  /** What was answered to this `next`. */
  part?: Promise<Part>;
}

/** The readings that can be continued. */
export class Readings {
  readonly #open = new Map<string, Kept>();

  /** Takes a part, and keeps what has more. */
  async take(reading: Reading, wanted: Wanted): Promise<Part> {
    const part = await reading.take(wanted);
    if (!reading.hasMore) return part;
    const next = randomUUID().slice(0, 8);
    this.#open.set(next, { reading, fields: wanted.fields });
    // Of those that were never continued, the oldest are forgotten.
    for (const name of [...this.#open.keys()].slice(0, -50)) this.#open.delete(name);
    return { ...part, next };
  }

  /** Reads on. A `next` that is repeated gives the same part again: its answer may have been lost. */
  async continue(next: string, operation: string, wanted: Wanted): Promise<Part> {
    const found = this.#open.get(next);
    if (found?.reading.operation !== operation) {
      const message = '`next` belongs to no reading of this operation, or to one that was forgotten.';
      throw new Refused('unknown_next', message, 'Call `read` again without `next`.');
    }
    found.part ??= this.take(found.reading, { ...wanted, fields: wanted.fields ?? found.fields });
    return found.part.catch((error) => {
      delete found.part;
      throw error;
    });
  }
}

/** What is left of an answer for its other fields. */
const ROOM = LONGEST_ANSWER - 1_000;

/** JSON in a JSON string needs up to twice its length. */
const TEXT_PART = 11_000;

/**
 * A read whose answer is given in parts, to its end. Nothing is requested twice, and a page only when its items are asked
 * for.
 */
export class Reading {
  readonly operation: string;
  hasMore = true;
  readonly #isList: boolean;
  readonly #start: () => unknown;
  #items: AsyncIterator<unknown> | undefined;
  /** The items that the iteration has given. */
  readonly #known = new Set<string>();
  /** The name of the list in its wrapper. */
  readonly #name: string | undefined;
  readonly #total: number | undefined;
  readonly #learn: (item: unknown, page: unknown) => unknown;
  readonly #page: unknown;
  readonly #waiting: unknown[] = [];
  #about: object;
  #taken = 0;
  #text = '';

  /** `start` calls the method of the operation. `learn` sees each item, and returns it without contacts. */
  static async begin(
    operation: string,
    start: () => unknown,
    learn: (item: unknown, page: unknown) => unknown,
  ): Promise<Reading> {
    const call = start();
    return new Reading(operation, start, call, await call, learn);
  }

  private constructor(
    operation: string,
    start: () => unknown,
    call: unknown,
    page: unknown,
    learn: (item: unknown, page: unknown) => unknown,
  ) {
    this.operation = operation;
    this.#page = page;
    this.#learn = learn;
    this.#start = start;
    this.#items = iteratorOf(call);
    this.#isList = this.#items !== undefined;
    const { total, filtered_count, limit, offset, page: at, total_pages, ...about } = Object(page);
    const isWrapped = this.#isList && !Array.isArray(page);
    [this.#name] = isWrapped ? (Object.entries(about).find(([, field]) => Array.isArray(field)) ?? []) : [];
    if (this.#name !== undefined) delete about[this.#name];
    this.#about = isWrapped ? about : {};
    this.#total = [total, filtered_count].find((count) => typeof count === 'number');
  }

  async take(wanted: Wanted): Promise<Part> {
    if (this.#text !== '') return this.#takeText();
    return this.#isList ? this.#takeItems(wanted) : this.#takeWhole(wanted);
  }

  #takeText(): Part {
    const text = this.#text.slice(0, TEXT_PART);
    this.#text = this.#text.slice(TEXT_PART);
    if (this.#text === '' && !this.#isList) this.hasMore = false;
    return { text };
  }

  #takeWhole({ fields }: Wanted): Part {
    const whole = this.#learn(this.#page, this.#page);
    const data = shape(whole, fields);
    if (JSON.stringify(data ?? null).length > ROOM) {
      this.#text = JSON.stringify(data);
      return this.#takeText();
    }
    this.hasMore = false;
    return { data, ...unknown(fields, [whole]) };
  }

  async #takeItems({ fields, limit }: Wanted): Promise<Part> {
    const about = this.#about;
    this.#about = {};
    const [taken, seen, given]: [unknown[], unknown[], unknown[]] = [[], [], []];
    let room = ROOM - JSON.stringify(about).length;
    while (taken.length < limit) {
      const item = await this.#nextItem().catch((error) => {
        // What this call has taken is not lost: the next one gives it.
        this.#waiting.unshift(...given);
        this.#taken -= given.length;
        this.#about = about;
        throw error;
      });
      if (item === END) break;
      const clean = this.#learn(item, this.#page);
      const shaped = shape(clean, fields);
      room -= JSON.stringify(shaped).length + 1;
      if (room < 0 && taken.length === 0) {
        this.#about = about;
        this.#taken += 1;
        this.#text = JSON.stringify(shaped);
        return this.#takeText();
      }
      if (room < 0) {
        this.#waiting.push(item);
        break;
      }
      this.#taken += 1;
      taken.push(shaped);
      seen.push(clean);
      given.push(item);
    }
    await this.#look();
    const left = this.#total === undefined ? undefined : Math.max(0, this.#total - this.#taken);
    const data = this.#name === undefined ? taken : { ...about, [this.#name]: taken };
    return { data, ...unknown(fields, seen), left };
  }

  async #nextItem(): Promise<unknown> {
    if (this.#waiting.length > 0) return this.#waiting.shift();
    for (;;) {
      if (!this.hasMore) return END;
      this.#items ??= iteratorOf(this.#start());
      const { done, value } = await (this.#items as AsyncIterator<unknown>).next().catch((error) => {
        // An iteration ends with a failed page. The next call begins it again, and skips what it knows.
        this.#items = undefined;
        throw error;
      });
      if (done) this.hasMore = false;
      else if (this.#known.size < this.#known.add(keyOf(value)).size) return value;
    }
  }

  /** Finds out whether there is more. A known total saves the request of a page that may never be asked for. */
  async #look(): Promise<void> {
    if (!this.hasMore || this.#waiting.length > 0) return;
    if (this.#total !== undefined) {
      this.hasMore = this.#taken < this.#total;
      return;
    }
    const item = await this.#nextItem();
    if (item !== END) this.#waiting.push(item);
  }
}

const END = Symbol('end');

function iteratorOf(call: unknown): AsyncIterator<unknown> | undefined {
  return call instanceof ListPromise ? call[Symbol.asyncIterator]() : undefined;
}

function keyOf(item: unknown): string {
  const { id, review_id } = Object(item);
  return JSON.stringify(id ?? review_id ?? item);
}

function unknown(fields: readonly string[] = [], items: readonly unknown[]): Pick<Part, 'unknown_fields' | 'fields'> {
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
