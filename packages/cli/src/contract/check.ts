import { invoke } from '@multilocal/plans/operation';
import type { ClientOptions, Issue, MultilocalError } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { isMultilocalError } from 'multilocal/internal/errors';
import { isPassing } from 'multilocal/internal/retry';
import { DENIED } from '../failure.js';
import type { Answer } from './answer.js';
import { type Facts, factsOf, Sight } from './facts.js';
import { type Known, knownReads, WORDS } from './known.js';
import { Ids, reads } from './reads.js';
import { type Difference, differences, look, Names, type Seen, type Shape, shapeOf } from './shape.js';

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
export interface Findings {
  readonly results: readonly Result[];
  readonly facts: Facts;
  readonly requests: number;
  /** Whether a read failed for a reason that passes: then another check may find more. */
  readonly isPassing: boolean;
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
): Promise<Findings> {
  return new Check(options, signal, earlier).run();
}

class Check {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #earlier: ReadonlyMap<string, Result>;
  readonly #known = knownReads();
  readonly #names = new Names(Object.values(WORDS).flat());
  readonly #ids = new Ids();
  readonly #answers = new Map<string, Answer>();
  readonly #results = new Map<string, Result>();
  #requests = 0;
  #isPassing = false;
  /** The error after which nothing more can be asked. */
  #end: MultilocalError | undefined;
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

  async run(): Promise<Findings> {
    for (const endpoint of reads) this.#results.set(endpoint.operation, await this.#read(endpoint));
    await this.#measure();
    const seen = new Map<string, Seen>();
    for (const { operation } of reads) {
      const answer = this.#answers.get(operation);
      const known = this.#known.get(operation);
      if (answer && answer.status < 400 && known) seen.set(operation, look(answer.body, known, this.#names));
    }
    const results = reads.map(({ operation }) => this.#describe(operation, seen.get(operation)));
    const facts = factsOf(new Sight(this.#answers, this.#names, seen));
    return { results, facts, requests: this.#requests, isPassing: this.#isPassing };
  }

  /** Keeps what the service sends, because the client may refuse or complete it. */
  async #fetch(send: typeof fetch, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const response = await send(input, init);
    const text = await response.clone().text();
    this.#last = { status: response.status, headers: response.headers, body: parse(text), at: Date.now() };
    return response;
  }

  async #read(endpoint: Endpoint): Promise<Result> {
    const { operation } = endpoint;
    const before = this.#earlier.get(operation);
    const isNeeded = ['health', 'me', 'bulles.list', 'posts.list', 'articles.list'].includes(operation);
    if (before && before.status !== 'failed' && !isNeeded) return before;
    if (this.#end) return { operation, status: 'failed', reason: 'not asked, because of the failure before' };
    const params = this.#ids.paramsOf(endpoint);
    if (typeof params === 'string') return { operation, status: 'skipped', reason: params };
    const error = await this.#ask(operation, endpoint, params);
    const answer = this.#answers.get(operation);
    if (answer) this.#ids.learn(operation, answer.body);
    if (error) return this.#failed(endpoint, error, answer);
    const drift = this.#drift(operation, answer?.body);
    if (drift.length > 0) return { operation, status: 'drift', drift };
    return { operation, status: isEmpty(answer?.body) ? 'empty' : 'ok' };
  }

  /** Resolves to the error of the client, if there is one. A request that came too early is retried once. */
  async #ask(
    name: string,
    endpoint: Endpoint,
    params: Params,
    extra?: Readonly<Record<string, string | number>>,
  ): Promise<MultilocalError | undefined> {
    for (let attempt = 1; ; attempt++) {
      this.#last = undefined;
      this.#issues = [];
      if (this.#requests >= MOST_REQUESTS) throw new Error(`more than ${MOST_REQUESTS} requests`);
      const error = await this.#call(endpoint, params, extra);
      // The limiter holds the next call back until the service takes it.
      if (error?.code === 'rate_limit' && this.#last && attempt === 1) continue;
      if (this.#last) this.#keep(name, this.#last);
      return error;
    }
  }

  async #call(endpoint: Endpoint, params: Params, extra: object | undefined): Promise<MultilocalError | undefined> {
    try {
      await invoke(this.#client, endpoint, params, { signal: this.#signal, ...(extra && { extra: { ...extra } }) });
      return undefined;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!isMultilocalError(error)) throw error;
      return error;
    }
  }

  #keep(name: string, answer: Answer): void {
    this.#answers.set(name, answer);
    this.#names.learn(answer.body);
  }

  #failed({ operation }: Endpoint, error: MultilocalError, answer: Answer | undefined): Result {
    const { code, status } = error as MultilocalError & { readonly status?: number };
    const isUnusable = operation === 'health' || operation === 'me' || code === 'authentication';
    if (answer && code === 'invalid_response') {
      const issues = this.#issues.length > 0 ? this.#drift(operation, answer.body) : [];
      if (issues.length > 0) return { operation, status: 'drift', drift: issues };
      const [type = 'no content type'] = answer.headers.get('content-type')?.split(';') ?? [];
      return { operation, status: 'drift', drift: [{ path: '', expected: `must be JSON; received ${type}` }] };
    }
    if (isUnusable) throw error;
    const reason = `${status === undefined ? '' : `${status} `}${code}`;
    if (DENIED.has(code) || status === 403)
      return { operation, status: 'skipped', reason: `the key may not: ${reason}` };
    if (code === 'no_fiche') return { operation, status: 'skipped', reason: 'the key has no listing' };
    if (operation === 'social.get' && status === 404) {
      return { operation, status: 'skipped', reason: 'no read shows the ids of social publications' };
    }
    if (code === 'rate_limit') this.#end = error;
    const passes = isPassing(error) || code === 'timeout';
    this.#isPassing ||= passes;
    return { operation, status: 'failed', reason };
  }

  /** The issues of the last response, a line for each kind of place. */
  #drift(operation: string, body: unknown): Drift[] {
    const known = this.#known.get(operation) as Known;
    const found = new Map<string, Drift>();
    for (const { path, message } of this.#issues) {
      const place = path.reduce<string>(
        (parent, key) => (typeof key === 'number' ? `${parent}[]` : this.#names.join(parent, key, known)),
        '',
      );
      found.set(`${place} ${message}`, { path: place, expected: `${message}${hint(body, path, this.#names)}` });
    }
    return [...found.values()];
  }

  /** Sends the few requests that show more than the reads. */
  async #measure(): Promise<void> {
    const of = (operation: string) => reads.find((one) => one.operation === operation) as Endpoint;
    const ask = async (
      name: string,
      operation: string,
      params: Params,
      extra?: Readonly<Record<string, string | number>>,
    ) => {
      if (!this.#end) await this.#ask(name, of(operation), params, extra);
    };
    if (this.#answers.has('articles.list')) {
      const sight = new Sight(this.#answers, this.#names);
      const middle = sight.middle();
      await ask('articles of all states', 'articles.list', { status: 'all' });
      if (sight.articles().length > 1) await ask('articles from the second', 'articles.list', {}, { offset: 1 });
      if (middle !== undefined) await ask('changed articles', 'articles.list', {}, { updated_since: middle });
    }
    const posts = this.#answers.get('posts.list')?.body;
    if (Array.isArray(posts) && posts.length > 1)
      await ask('posts from the second', 'posts.list', { limit: 2, offset: 1 });
    if (this.#answers.size > 2) await ask('no such article', 'articles.get', { article_id: NO_ARTICLE });
  }

  #describe(operation: string, seen: Seen | undefined): Result {
    const result = this.#results.get(operation) as Result;
    if (!seen || result.shape) return result;
    const all = differences(operation, seen, this.#known.get(operation) as Known, WORDS);
    const found = all.filter(({ path }) => result.drift?.some((one) => one.path === path) !== true);
    // What is wrong as a whole has no shape of its own to compare with the specification.
    const hasWhole = result.drift?.some(({ path }) => path === '') !== true;
    return { ...result, ...(hasWhole && found.length > 0 && { differences: found }), shape: shapeOf(seen) };
  }
}

/** An id that no article has. */
const NO_ARTICLE = 2 ** 31 - 1;

/** Names of the list in a response around it. Another name may be data. */
const ENVELOPE = /^(data|items|list|results?|rows|records|content)$/;

/** Says where a wrong response has what was expected. */
function hint(body: unknown, path: Issue['path'], names: Names): string {
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => Object(value)[key], body);
  const fields =
    typeof parent === 'object' && parent !== null ? Object.keys(parent).filter((name) => names.isField(name)) : [];
  const last = path.at(-1);
  if (last === undefined) {
    const list = fields.find((name) => ENVELOPE.test(name) && Array.isArray(Object(body)[name]));
    if (list !== undefined) return `. The list is in its field \`${list}\``;
  }
  const camel = String(last).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (camel !== last && fields.includes(camel)) return `. There is \`${camel}\``;
  if (path.length > 1) return '';
  const error = fields.filter((name) => ['detail', 'error', 'message', 'errors'].includes(name));
  return error.length > 0 ? `. It looks like an error: it has \`${error.join('`, `')}\`` : '';
}

function isEmpty(body: unknown): boolean {
  const { articles, reviews } = Object(body);
  const list = articles ?? reviews ?? body;
  return Array.isArray(list) && list.length === 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
