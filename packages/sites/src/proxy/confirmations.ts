import type { ArticleConfirmation } from 'multilocal';
import { Budget, spent } from './budget.js';
import type { Background } from './copy.js';
import type { Settings } from './options.js';
import { refusalOf, unavailable } from './refusal.js';
import { ago, type Moment, since } from './time.js';

/** The part of `perDay` that visitors can spend with confirmations. */
const SHARE = 2 / 5;
/** Milliseconds for one confirmation, including the queue of the client's limiter. */
export const TIMEOUT = 10_000;

interface Sent {
  body: Promise<string>;
  readonly at: Moment;
  isDone: boolean;
}

/** Sends confirmations to the service, the same page of an article at most once in `refresh`. */
export class Confirmations {
  readonly #settings: Settings;
  readonly #all: Budget;
  readonly #own: Budget;
  /** Oldest first. */
  readonly #sent = new Map<string, Sent>();
  /** When `onError` got an error of each kind. */
  readonly #reported = new Map<string, Moment>();

  constructor(settings: Settings, all: Budget) {
    this.#settings = settings;
    this.#all = all;
    this.#own = new Budget(settings.perDay * SHARE);
  }

  /** The JSON of the confirmation. @throws {Refusal} */
  async confirm(id: number, rendered_url: string | undefined, background: Background): Promise<string> {
    for (const [key, { at, isDone }] of this.#sent) {
      // Some runtimes end the request when its visitor leaves.
      if (!(since(at) < (isDone ? this.#settings.refresh : 2 * TIMEOUT))) this.#sent.delete(key);
    }
    // Visitors can invent any number of queries, and all of them are the same page.
    const key = JSON.stringify([id, rendered_url?.replace(/[?#].*$/s, '')]);
    const before = this.#sent.get(key);
    if (before) return before.body;
    if (this.#all.left < 1 || this.#own.left < 1) {
      this.#report(
        spent('the confirmations of `perDay` are used up, so more of them get a 503', 'articles.confirm'),
        'spent',
      );
      throw unavailable(60_000);
    }
    for (const budget of [this.#all, this.#own]) budget.take();
    const sent: Sent = { body: this.#send(id, rendered_url), at: ago(), isDone: false };
    this.#sent.set(key, sent);
    const ended = sent.body.then(
      () => {
        sent.isDone = true;
      },
      () => this.#sent.delete(key),
    );
    // The visitor may leave while others wait for the same response.
    background(ended);
    return sent.body;
  }

  async #send(id: number, rendered_url: string | undefined): Promise<string> {
    try {
      // A retry would delay the response. Visitors can retry themselves.
      const options = { totalTimeout: TIMEOUT, maxRetries: 0, validation: 'throw' } as const;
      const params = rendered_url === undefined ? {} : { rendered_url };
      const { article_id, confirmed_at, confirmation_source } = await this.#settings.articles.confirm(
        id,
        params,
        options,
      );
      return JSON.stringify({ article_id, confirmed_at, confirmation_source } satisfies ArticleConfirmation);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status !== 404) this.#report(error, String(Object(error).code ?? refusal.status));
      throw refusal;
    }
  }

  /** Every visitor may cause the same error. */
  #report(error: unknown, kind: string): void {
    const before = this.#reported.get(kind);
    if (before && since(before) < this.#settings.refresh) return;
    this.#reported.set(kind, ago());
    this.#settings.onError(error);
  }
}
