import type { CacheSettings } from './options.js';
import { Refusal } from './refusal.js';

/** Milliseconds for which a 404 is remembered, `maxAge` at most. */
const MISSING = 30_000;
/** Milliseconds after a renewal failed before the next visitor starts another. */
const RENEWAL_PAUSE = 10_000;

/** Hand work to the runtime which goes on after the answer: `ctx.waitUntil` where there is one. */
export type Background = (work: Promise<unknown>) => void;

/** JSON with its age in milliseconds. */
export interface Kept {
  body: string;
  age: number;
}

export interface Question {
  key: string;
  /** Ask the service. `isNew`: no answer to this question is kept. */
  load(isNew: boolean): Promise<string>;
  /** An old answer is of no use. */
  freshOnly?: boolean;
}

interface Entry {
  /** JSON, or what there is no such thing of. */
  answer: string | Refusal;
  at: number;
  /** No renewal before. */
  renewAt: number;
}

interface Flight {
  promise: Promise<string>;
  startedAt: number;
}

/** Answers in memory, the least recently asked for first; one request however many ask at once. */
export class Cache {
  readonly #settings: CacheSettings | undefined;
  /** Milliseconds after which a flight is taken for lost: some runtimes stop work whose visitor has gone. */
  readonly #lostAfter: number;
  readonly #entries = new Map<string, Entry>();
  readonly #flights = new Map<string, Flight>();
  #size = 0;

  constructor(settings: CacheSettings | undefined, timeout: number) {
    this.#settings = settings;
    // The question after one article may take two requests.
    this.#lostAfter = 3 * timeout;
  }

  /** The answer to a question. @throws {Refusal} where there is none, not even an old one. */
  async read(question: Question, background: Background): Promise<Kept> {
    const { key, freshOnly } = question;
    const entry = this.#entries.get(key);
    if (!entry || !this.#settings) return { body: await this.#fly(question, background), age: 0 };
    this.#entries.delete(key);
    this.#entries.set(key, entry);

    const { maxAge, staleWhileRevalidate, staleIfError } = this.#settings;
    const { answer, at, renewAt } = entry;
    const now = Date.now();
    const age = Math.max(0, now - at);
    if (answer instanceof Refusal) {
      if (age < Math.min(MISSING, maxAge)) throw answer;
      return { body: await this.#fly(question, background), age: 0 };
    }
    if (age < maxAge) return { body: answer, age };
    if (!freshOnly && age < maxAge + staleWhileRevalidate) {
      if (now >= renewAt) this.#fly(question, background);
      return { body: answer, age };
    }
    try {
      return { body: await this.#fly(question, background), age: 0 };
    } catch (error) {
      const isOutage = error instanceof Refusal && error.outage;
      if (!freshOnly && isOutage && age < maxAge + staleIfError) return { body: answer, age };
      throw error;
    }
  }

  /** Keep an answer that came with another. */
  keep(key: string, answer: string | Refusal): void {
    const size = sizeOf(answer);
    this.#drop(key);
    if (!this.#settings || size > this.#settings.maxSize) return;
    const now = Date.now();
    this.#entries.set(key, { answer, at: now, renewAt: now });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#settings.maxEntries && this.#size <= this.#settings.maxSize) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) this.#size -= sizeOf(entry.answer);
    this.#entries.delete(key);
  }

  /** Ask, or wait with those who have asked already. */
  #fly(question: Question, background: Background): Promise<string> {
    const { key } = question;
    const underway = this.#flights.get(key);
    if (underway && Date.now() - underway.startedAt < this.#lostAfter) return underway.promise;
    const flight: Flight = { promise: this.#load(question), startedAt: Date.now() };
    this.#flights.set(key, flight);
    const landed = flight.promise
      .catch(() => {})
      .finally(() => {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
    // The visitor who asked first may leave; the others still want the answer.
    background(landed);
    return flight.promise;
  }

  async #load({ key, load }: Question): Promise<string> {
    try {
      const body = await load(!this.#entries.has(key));
      this.keep(key, body);
      return body;
    } catch (error) {
      const refusal = error instanceof Refusal ? error : undefined;
      if (refusal?.status === 404) this.keep(key, refusal);
      else if (!refusal?.outage) this.#drop(key);
      const old = this.#entries.get(key);
      if (old) old.renewAt = Date.now() + RENEWAL_PAUSE;
      throw error;
    }
  }
}

function sizeOf(answer: string | Refusal): number {
  return typeof answer === 'string' ? answer.length : 100;
}
