import { invoke } from '@multilocal/plans/inside';
import type { ClientOptions, Issue, MultilocalError } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { isMultilocalError } from 'multilocal/internal/errors';
import { isOutage } from 'multilocal/internal/retry';
import { DENIED } from '../failure.js';
import { ALL, type Answer, CHANGED, FAILURE, type Facts, factsOf, Observation, SECOND, SECOND_POST } from './facts.js';
import { type Known, knownReads } from './known.js';
import { Ids, reads } from './reads.js';
import { type Difference, differences, isField, join, observe, type Seen, type Shape, shapeOf } from './shape.js';

/** The largest number of requests of a check: one for each read, a few for facts, and the repetitions after a 429. */
const MOST_REQUESTS = 40;

/** A field that a response has in another way than the client expects. Calls fail because of it. */
export interface Drift {
  /** Place in the response: `[].id`. `''` for the whole. */
  readonly path: string;
  /** What was expected: `must be an integer; received a string`. Never a value. */
  readonly expected: string;
}

/** What the check found out about a read. */
export interface Result {
  readonly operation: string;
  /**
   * - `ok`: the response is as expected.
   * - `drift`: the client refuses the response.
   * - `empty`: the account has nothing of this kind, so the list says little.
   * - `failed`: there was no such response. `reason` says why.
   * - `skipped`: the key may not call it, or no other read shows the id that it needs.
   */
  readonly status: 'ok' | 'drift' | 'empty' | 'failed' | 'skipped';
  readonly reason?: string;
  readonly drift?: readonly Drift[];
  /** What the client accepts although the specification shows it otherwise. */
  readonly differences?: readonly Difference[];
  readonly shape?: Shape;
}

/** What a check found. */
export interface ContractCheck {
  readonly results: readonly Result[];
  readonly facts: Facts;
  readonly requests: number;
  /** Whether a read failed for a reason that passes: then another check may find more. */
  readonly isTransient: boolean;
}

/**
 * Calls every read once, and the few again that show facts. Writes nothing.
 * @param earlier results of a check that could not be finished: what they have is not read again.
 * @throws the error of the client if the service or the key cannot be used at all, and the reason of the signal.
 */
export async function checkContract(
  options: ClientOptions,
  signal: AbortSignal,
  earlier: readonly Result[] = [],
): Promise<ContractCheck> {
  return new Check(options, signal, earlier).run();
}

class Check {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #earlier: ReadonlyMap<string, Result>;
  readonly #known = knownReads();
  readonly #ids = new Ids();
  readonly #answers = new Map<string, Answer>();
  #requests = 0;
  #isTransient = false;
  /** Whether nothing more can be asked. */
  #isOver = false;
  #last: Answer | undefined;
  #issues: readonly Issue[] = [];

  constructor(options: ClientOptions, signal: AbortSignal, earlier: readonly Result[]) {
    this.#signal = signal;
    this.#earlier = new Map(earlier.map((one) => [one.operation, one]));
    this.#client = new Client({
      ...options,
      validation: 'warn',
      maxRetries: 0,
      logLevel: 'off',
      fetch: (input, init) => this.#fetch(options.fetch ?? fetch, input, init),
      onEvent: (event) => {
        if (event.type === 'request') this.#requests++;
        if (event.type === 'drift') this.#issues = event.issues;
      },
    });
  }

  async run(): Promise<ContractCheck> {
    const found: Result[] = [];
    for (const endpoint of reads) found.push(await this.#read(endpoint));
    await this.#measure();
    const seen = new Map<string, Seen>();
    for (const [operation, known] of this.#known) {
      const answer = this.#answers.get(operation);
      if (answer && answer.status < 400) seen.set(operation, observe(answer.body, known));
    }
    const results = found.map((result) => this.#described(result, seen.get(result.operation)));
    const facts = factsOf(new Observation(this.#answers, seen));
    return { results, facts, requests: this.#requests, isTransient: this.#isTransient };
  }

  /** Keeps what the service sends, because the client may refuse or complete it. */
  async #fetch(send: typeof fetch, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const response = await send(input, init);
    const body = await response
      .clone()
      .json()
      .catch(() => undefined);
    this.#last = { status: response.status, headers: response.headers, body, at: Date.now() };
    return response;
  }

  async #read(endpoint: Endpoint): Promise<Result> {
    const { operation } = endpoint;
    const before = this.#earlier.get(operation);
    const isNeeded = ['health', 'me', 'bulles.list', 'posts.list', 'articles.list'].includes(operation);
    if (before && before.status !== 'failed' && !isNeeded) return before;
    if (this.#isOver) return { operation, status: 'failed', reason: 'not asked, because of the failure before' };
    const params = this.#ids.paramsOf(endpoint);
    if (typeof params === 'string') return { operation, status: 'skipped', reason: params };
    const error = await this.#ask(operation, endpoint, params);
    const body = this.#answers.get(operation)?.body;
    this.#ids.learn(operation, body);
    if (error) return this.#failed(endpoint, error);
    const drift = this.#drift(operation, body);
    if (drift.length > 0) return { operation, status: 'drift', drift };
    const { articles, reviews = articles ?? body } = Object(body);
    return { operation, status: Array.isArray(reviews) && reviews.length === 0 ? 'empty' : 'ok' };
  }

  /** Resolves to the error of the client, if there is one. A request that came too early is retried once. */
  async #ask(name: string, endpoint: Endpoint, params: Params, extra?: Extra): Promise<MultilocalError | undefined> {
    for (let attempt = 1; ; attempt++) {
      this.#last = undefined;
      this.#issues = [];
      if (this.#requests >= MOST_REQUESTS) throw new Error(`more than ${MOST_REQUESTS} requests`);
      const error = await this.#call(endpoint, params, extra);
      // The limiter holds the next call back until the service takes it.
      if (error?.code === 'rate_limit' && this.#last && attempt === 1) continue;
      if (this.#last) this.#answers.set(name, this.#last);
      return error;
    }
  }

  async #call(endpoint: Endpoint, params: Params, extra?: Extra): Promise<MultilocalError | undefined> {
    try {
      await invoke(this.#client, endpoint, params, { signal: this.#signal, ...(extra && { extra }) });
      return undefined;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!isMultilocalError(error)) throw error;
      return error;
    }
  }

  #failed({ operation }: Endpoint, error: MultilocalError): Result {
    const { code, status }: MultilocalError & { readonly status?: number } = error;
    const answer = this.#answers.get(operation);
    if (answer && code === 'invalid_response') {
      const [type = 'no content type'] = answer.headers.get('content-type')?.split(';') ?? [];
      const drift = this.#drift(operation, answer.body);
      const whole = { path: '', expected: `must be JSON; received ${type}` };
      return { operation, status: 'drift', drift: drift.length > 0 ? drift : [whole] };
    }
    if (operation === 'health' || operation === 'me' || code === 'authentication') throw error;
    const reason = `${status === undefined ? '' : `${status} `}${code}`;
    const skipped =
      DENIED.has(code) || status === 403
        ? `the key may not: ${reason}`
        : code === 'no_fiche'
          ? 'the key has no listing'
          : operation === 'social.get' && status === 404
            ? 'no read shows the ids of social publications'
            : undefined;
    if (skipped !== undefined) return { operation, status: 'skipped', reason: skipped };
    this.#isOver ||= code === 'rate_limit';
    this.#isTransient ||= this.#isOver || isOutage(error);
    return { operation, status: 'failed', reason };
  }

  /** The issues of the last response, a line for each kind of place. */
  #drift(operation: string, body: unknown): Drift[] {
    const known = this.#known.get(operation) as Known;
    const found = new Map<string, Drift>();
    for (const { path, message } of this.#issues) {
      const step = (parent: string, key: string | number) =>
        typeof key === 'number' ? `${parent}[]` : join(parent, key, known);
      const place = path.reduce(step, '');
      found.set(`${place} ${message}`, { path: place, expected: `${message}${hint(body, path)}` });
    }
    return [...found.values()];
  }

  /** Sends the few requests that show more than the reads. */
  async #measure(): Promise<void> {
    const ask = async (name: string, operation: string, params: Params, extra?: Extra) => {
      const endpoint = reads.find((one) => one.operation === operation) as Endpoint;
      if (!this.#isOver) await this.#ask(name, endpoint, params, extra);
    };
    const given = new Observation(this.#answers);
    const middle = given.middle();
    if (this.#answers.has('articles.list')) await ask(ALL, 'articles.list', { status: 'all' });
    if (given.list('articles.list').length > 1) await ask(SECOND, 'articles.list', {}, { offset: 1 });
    if (middle !== undefined) await ask(CHANGED, 'articles.list', {}, { updated_since: middle });
    if (given.list('posts.list').length > 1) await ask(SECOND_POST, 'posts.list', { limit: 2, offset: 1 });
    // An id that no article has.
    if (this.#answers.size > 2) await ask(FAILURE, 'articles.get', { article_id: 2 ** 31 - 1 });
  }

  /** Adds the shape to a result, and what the client accepts although the specification shows it otherwise. */
  #described(result: Result, seen: Seen | undefined): Result {
    if (!seen || result.shape) return result;
    const all = differences(result.operation, seen, this.#known.get(result.operation) as Known);
    const found = all.filter(({ path }) => result.drift?.some((one) => one.path === path) !== true);
    // What is wrong as a whole has no shape of its own to compare with the specification.
    const hasWhole = result.drift?.some(({ path }) => path === '') !== true;
    return { ...result, ...(hasWhole && found.length > 0 && { differences: found }), shape: shapeOf(seen) };
  }
}

type Extra = Record<string, string | number>;

/** Names of the list in a response around it. Another name may be data. */
const ENVELOPE = /^(data|items|list|results?|rows|records|content)$/;

/** Says where a wrong response has what was expected. */
function hint(body: unknown, path: Issue['path']): string {
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => Object(value)[key], body);
  const fields = typeof parent === 'object' ? Object.keys(Object(parent)).filter(isField) : [];
  const last = String(path.at(-1) ?? '');
  const list = fields.find((name) => ENVELOPE.test(name) && Array.isArray(Object(body)[name]));
  if (path.length === 0 && list !== undefined) return `. The list is in its field \`${list}\``;
  const camel = last.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (camel !== last && fields.includes(camel)) return `. There is \`${camel}\``;
  const error = fields.filter((name) => ['detail', 'error', 'message', 'errors'].includes(name));
  return path.length < 2 && error.length > 0 ? `. It looks like an error: it has \`${error.join('`, `')}\`` : '';
}
