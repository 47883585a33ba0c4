import type { Config } from './config.js';
import type { Endpoint, Params } from './endpoint.js';
import { type ErrorContext, isMultilocalError } from './errors/index.js';
import type { CallEvent, EventDetails, FailureCode, Listener } from './events.js';
import { headerFields } from './headers.js';
import type { AcquireOptions, Release } from './limiter/queue.js';
import { type CallOptions, fetchOptionsOf, type RequestOptions } from './options.js';
import type { BuiltRequest, Extras, OwnParams, Preview, ProblemsLeft } from './request.js';
import type { Identity, Method, Outcome, Timestamp } from './types.js';

/** The default timeout of one attempt, in ms. */
export const TIMEOUT = 30_000;
/** The same where the service calls a provider first. */
export const SLOW_TIMEOUT = 180_000;

/** Returns the default timeout of one attempt. */
export function timeoutOf({ slow }: Endpoint): number {
  return slow ? SLOW_TIMEOUT : TIMEOUT;
}

/** Why a request was certainly not sent: what happened, and what to do about it. */
export interface UnsentReason {
  readonly what: string;
  readonly hint: string;
  /** Another attempt would fail in the same way. */
  readonly isPermanent?: boolean;
}

/** With these options, `fetch` sends a request only once. */
export interface SendOnceOptions {
  /** Options that `fetchOptions` may replace. */
  readonly defaults?: object;
  readonly init?: object;
  readonly fetch?: typeof globalThis.fetch;
  close?(): void;
}

/**
 * What a client adds to its calls. Every call takes the same five steps: parameters, request, ky, attempt, response. A
 * client can plug in more steps, called stages. A client that is built without a stage does not carry its code.
 */
export interface Stages {
  /** Get every event of every call, in this order. */
  readonly listeners: readonly Listener[];
  /** `stages/preflight.ts`: refuses a call that the service would refuse. */
  readonly preflight?: (endpoint: Endpoint, params: Params, identity: Identity, contextOf: () => ErrorContext) => void;
  /** `stages/extra.ts`: checks parameters together with `extra`. Without it, `extra` replaces no check. */
  readonly problemsLeft?: ProblemsLeft;
  /** `stages/view.ts`: sends `dry_run`, and checks that the response is a preview. */
  readonly dryRun?: {
    /** Removes `dry_run` from the parameters and from `extra`, and returns it. */
    take(params: OwnParams, extras: Extras): Preview;
    /** Whether the call is a preview of an operation for which the service has shown that it executes nothing. */
    isHonored(call: Call): boolean;
    /** Throws if the body of a response is not a preview. */
    checkPreview(call: Call, body: unknown): void;
  };
  /** `resources/parameters.ts`: writes parameters in the form that the service understands. `given` is what they are a copy of. */
  readonly normalize?: (params: OwnParams, given: unknown) => void;
  /** `stages/listeners.ts`: converts a moment of this machine's clock to the clock of the service. */
  readonly clock?: { at(moment: Timestamp): string };
  /** `stages/trace.ts`: publishes a call while it runs, if its channel has subscribers. */
  readonly trace?: {
    readonly channel: { readonly hasSubscribers?: boolean } | undefined;
    publish<T>(endpoint: Endpoint, config: Config, work: (listener?: Listener) => Promise<T>): Promise<T>;
  };
  /** `stages/limiter.ts`: keeps the calls within the budget of the key. */
  readonly limiter?: {
    /** Waits for room for the next attempt. Returns the function that frees the place, if the call counts. */
    admit(call: Call, waiting: Pick<AcquireOptions, 'signal' | 'pause'>): Promise<Release | undefined>;
    /** Makes all calls of the key wait, if it counts this one. `false`: this one may not wait that long. */
    hold(call: Call, ms: number): boolean | undefined;
    /** Notes the limits of an identity that has become known, for all clients of the key. */
    learn(session: Session): void;
    /** How many more requests may leave today. `undefined` if nothing limits them. */
    leftToday(session: Session, operation: string): Promise<number | undefined>;
  };
  /** `stages/texts.ts`: explains error responses. */
  readonly texts?: {
    /** The meaning of each status of the service. */
    readonly meanings: Readonly<Record<number, string>>;
    /** Describes the error of a text that the client knows. `code` is the code of its class. */
    about(code: string, params: Params, identity: Identity | undefined): { said: string | undefined; fields: object };
    /** Returns what to do about an error of `Client` alone. `isGeneric`: any server could send its text. */
    hint(call: Call, status: number, isGeneric: boolean): string | undefined;
  };
  /** `stages/network.ts`: knows servers' `fetch`. */
  readonly network?: {
    /** Explains a failure that proves that the request was never sent. */
    whyUnsent(thrown: unknown): UnsentReason | undefined;
    /** Runs before each attempt. */
    readIncoming?: (() => Promise<void>) | undefined;
    /** Returns options of `fetch` that make the request leave only once. */
    sendOnce?(call: Call): SendOnceOptions | undefined;
  };
}

/** `stages/view.ts`: what a view of a client adds to each call. */
export interface ViewStage {
  /** The location of the view. */
  readonly bulle_id: string | undefined;
  readonly options: RequestOptions | undefined;
  readonly signals: readonly AbortSignal[];
  /** Returns this view for requests that other calls share: without target, `extra`, time limits and signals. */
  shared(): ViewStage;
  /** Throws if the view only previews and the operation is a write without a preview. */
  refuseWrite(endpoint: Endpoint, contextOf: () => ErrorContext): void;
  /** Adds the target and the dry run of the view to the parameters. */
  fill(endpoint: Endpoint, params: OwnParams, extras: Extras): void;
  /** Runs work with a signal that aborts as soon as a signal of the caller or of the view does. */
  following<T>(
    signal: AbortSignal | null | undefined,
    work: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T>;
  /** Adds the options of the view to a call's options. */
  merge(options: CallOptions | undefined): CallOptions;
}

/** The state that a client shares with its views. */
export interface Session {
  readonly config: Config;
  readonly stages: Stages;
  /** The last `GET /me` response, or the `identity` option. */
  identity: Identity | undefined;
}

/** A response whose body has been read. */
export interface Received {
  readonly response: Response;
  readonly text: string;
  /** Absent if the text is not JSON, or too large. */
  readonly json: { readonly value: unknown } | undefined;
  /** The body is longer than the limit, or parsing it would take too long. */
  readonly isTooLarge?: boolean;
}

/** The state of one call: its request, its attempts so far, and the outcome as far as it is known. */
export class Call {
  readonly headers: Headers;
  readonly fetchOptions: RequestInit;
  readonly timeout: number;
  readonly totalTimeout: number | undefined;
  readonly maxRetries: number;
  readonly started = performance.now();

  /** Requests sent so far. */
  attempts = 0;
  /** For a write: `'unknown'` from the moment it is sent until a response shows more. */
  outcome: Outcome = 'not_applied';
  /** The outcome before the last attempt. An attempt that did nothing restores it. */
  #outcomeBefore: Outcome = 'not_applied';
  /** The response of the last attempt. Its body may still be arriving. */
  response: Response | undefined;
  /** The response of the last attempt, once its body has been read. */
  received: Received | undefined;
  /** How long the attempt waited in the limiter, in ms. */
  waited = 0;
  #redactor: Config['redactor'] | undefined;
  /** When the first attempt was sent, on the clock of this machine. */
  #sentAt: Date | undefined;
  /** When the attempt was sent, by `performance.now()`. */
  #sent = 0;
  readonly #id = nextCall();
  readonly #listeners: readonly Listener[];

  constructor(
    readonly session: Session,
    readonly endpoint: Endpoint,
    readonly request: BuiltRequest,
    readonly options: CallOptions,
    listener?: Listener,
  ) {
    const { config, stages } = session;
    this.timeout = options.timeout ?? config.timeout ?? timeoutOf(endpoint);
    this.totalTimeout = options.totalTimeout ?? config.totalTimeout;
    this.maxRetries = options.maxRetries ?? config.maxRetries;
    this.fetchOptions = fetchOptionsOf(config.fetchOptions, options.fetchOptions);
    const fields = {
      accept: 'application/json',
      ...headerFields(config.headers),
      ...headerFields(options.headers),
      'content-type': request.body === undefined ? null : 'application/json',
      'x-api-key': endpoint.permission === null ? null : config.apiKey,
    };
    // `null` removes a header.
    this.headers = new Headers(Object.entries(fields).filter((field): field is [string, string] => field[1] != null));
    this.#listeners = [listener, options.listener, ...stages.listeners].filter((each) => each !== undefined);
  }

  get config(): Config {
    return this.session.config;
  }

  /** Masks the key and everything else that no error may show. A call that succeeds needs none. */
  get redactor(): Config['redactor'] {
    const hide = this.#redactor ? undefined : this.endpoint.confidential?.(this.request.params);
    this.#redactor ??= hide ? this.config.redactorWith(hide) : this.config.redactor;
    return this.#redactor;
  }

  /**
   * Whether the call changes nothing: it is a read, or a preview. Until the service has shown that it honours `dry_run`, a
   * preview counts as the write that it would be.
   */
  get isHarmless(): boolean {
    return this.endpoint.method === 'GET' || this.session.stages.dryRun?.isHonored(this) === true;
  }

  /** Whether sending the request twice has the same effect as sending it once. */
  get repeatable(): boolean {
    return this.isHarmless || isRepeatable(this.endpoint);
  }

  get url(): string {
    return `${this.config.root}${this.request.path}${this.request.query}`;
  }

  /** The path for errors and events, without a key that was passed as an id. */
  get path(): string {
    return this.redactor.mask(this.request.path);
  }

  /** The outcome that errors and events show. */
  get #effect(): Outcome {
    return this.isHarmless ? 'not_applied' : this.outcome;
  }

  /** The fields that every error of the call has. */
  get context(): ErrorContext & { method: Method; path: string; outcome: Outcome } {
    const { operation, method } = this.endpoint;
    const outcome = this.#effect;
    const sentAt = outcome === 'unknown' && { sentAt: this.#sentAt };
    return { operation, method, path: this.path, attempts: this.attempts, outcome, ...sentAt };
  }

  /** Records that an attempt is about to be sent. */
  begin(): void {
    this.#outcomeBefore = this.outcome;
    this.outcome = 'unknown';
    this.attempts++;
    // Frameworks forbid a look at the clock before a read while they prerender (`cacheComponents` of Next.js).
    if (this.endpoint.method !== 'GET') this.#sentAt ??= new Date();
    this.response = undefined;
    this.received = undefined;
    this.#sent = performance.now();
    this.emit({ type: 'request' });
  }

  /** Records that the attempt certainly did nothing. */
  undo(): void {
    this.outcome = this.#outcomeBefore;
  }

  /** Records the response of the attempt. */
  receive(received: Received): void {
    const { status, ok } = received.response;
    this.received = received;
    if (ok || this.isAlreadyDeleted(status)) this.outcome = 'applied';
    else if (status >= 400 && status < 500 && status !== 408) this.undo();
    this.emit({ type: 'response', status, duration: performance.now() - this.#sent });
  }

  /** Records that the attempt ended without a response, if it did. */
  fail(error: unknown): void {
    const code = codeOf(error);
    if (!this.received) this.emit({ type: 'failure', code, duration: performance.now() - this.#sent });
  }

  /** Records that the call is over. `code` is the code of the error with which it rejects. */
  end(code?: FailureCode): void {
    const { attempts } = this;
    if (attempts === 0) return;
    const duration = performance.now() - this.started;
    this.emit({ type: 'end', outcome: this.#effect, status: this.response?.status, code, attempts, duration });
  }

  /** Whether an earlier attempt deleted the resource and only its response was lost. */
  isAlreadyDeleted(status: number): boolean {
    return status === 404 && this.endpoint.method === 'DELETE' && this.#outcomeBefore === 'unknown';
  }

  /** Sends an event to all listeners. */
  emit(details: EventDetails, attempt = this.attempts): void {
    const { operation, method } = this.endpoint;
    const describe = () => ({ call: this.#id, operation, method, path: this.path, attempt, ...details }) as CallEvent;
    for (const listener of this.#listeners) listener(details, this, describe);
  }
}

/** Copies of the package in one process (ESM and CommonJS, or two versions) count together. */
const CALLS = Symbol.for('multilocal.calls');

/** Returns the number of a new call. */
function nextCall(): number {
  const counter = globalThis as { [CALLS]?: number };
  counter[CALLS] = (counter[CALLS] ?? 0) + 1;
  return counter[CALLS];
}

/** The code for events. Other errors than ours come from the caller: a reason of `signal`, or a limiter of its own. */
export function codeOf(error: unknown): FailureCode {
  return isMultilocalError(error) ? error.code : 'aborted';
}

/** Whether sending the request twice has the same effect as sending it once. */
export function isRepeatable({ method, idempotent }: Endpoint): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE' || idempotent === true;
}

/** Whether an option makes `fetch` answer from a cache, or could do so. */
export function isCaching([name, value]: readonly [name: string, value: unknown]): boolean {
  return name === 'next' || (name === 'cache' && value !== 'no-store' && value !== 'reload');
}
