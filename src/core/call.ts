import { type Endpoint, isRepeatable } from './endpoint.js';
import type { ApiError, ErrorContext, FieldsOf, MultilocalError } from './errors/index.js';
import { type ClientEvent, type EventBase, tell } from './events.js';
import { joinHeaders } from './headers.js';
import type { Identity } from './identity.js';
import type { CallOptions, Config } from './options.js';
import type { BuiltRequest } from './request.js';
import type { Outcome } from './types.js';

/** Milliseconds for one attempt where neither the call nor the client says. */
const TIMEOUT = 30_000;
const SLOW_TIMEOUT = 180_000;

/** Characters of the service's text that a message repeats; `detail` has them all. */
const LONGEST_QUOTE = 500;
/** Characters of a JSON body that an error holds parsed. */
const LONGEST_SHOWN = 250_000;

/** What a client and its views share. */
export interface Session {
  readonly config: Config;
  /** The last `GET /me` response, or the `identity` option. */
  identity: Identity | undefined;
  /** When the wait ends that the user was warned of last, by `performance.now()`. */
  announcedUntil?: number;
}

/** A response whose body has been read. */
export interface Received {
  readonly response: Response;
  readonly text: string;
  /** Absent if the text is not JSON, or too large. */
  readonly json: { readonly value: unknown } | undefined;
  /** The body goes on beyond what was read, or would take too long to parse. */
  readonly isTooLarge?: boolean;
}

type Without<Base, Event> = Event extends Base ? Omit<Event, keyof Base> : never;

/** One call on its way: what was asked, how often it was sent, and what is known of its outcome. */
export class Call {
  readonly headers: Headers;
  /** Takes the key, and whatever else no error may show, out of texts. */
  readonly redactor: Config['redactor'];
  readonly timeout: number;
  readonly totalTimeout: number | undefined;
  readonly maxRetries: number;
  readonly validation: Config['validation'];
  /** Sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
  readonly started = performance.now();

  /** Requests sent so far. */
  attempts = 0;
  /** Of a write: `'unknown'` from the moment it is sent until a response says more. */
  outcome: Outcome = 'not_applied';
  /** The outcome before the last attempt: an attempt that did nothing leaves it as it was. */
  outcomeBefore: Outcome = 'not_applied';
  /** The headers of the last attempt came; the body may still be on its way. */
  response: Response | undefined;
  /** The last attempt, once its body has been read. */
  received: Received | undefined;
  /** Ends every wait of the call. */
  readonly controller = new AbortController();
  /** Gives the place in the limiter back. */
  release: ((result?: 'unsent') => void) | undefined;
  /** The attempt failed, and another one will follow. */
  isRetrying = false;
  /** Milliseconds that the limiter holds every call of the key back for, since the service asked this one to wait. */
  holdBack = 0;

  constructor(
    readonly session: Session,
    readonly endpoint: Endpoint,
    readonly request: BuiltRequest,
    readonly options: CallOptions,
    confidential: readonly string[],
  ) {
    const { config } = session;
    this.timeout = options.timeout ?? config.timeout ?? (endpoint.slow ? SLOW_TIMEOUT : TIMEOUT);
    this.totalTimeout = options.totalTimeout ?? config.totalTimeout;
    this.maxRetries = options.maxRetries ?? config.maxRetries;
    this.validation = options.validation ?? config.validation;
    this.repeatable = isRepeatable(endpoint, request.dryRun);
    this.headers = joinHeaders(
      { Accept: 'application/json' },
      config.headers,
      options.headers,
      { 'Content-Type': request.body === undefined ? null : 'application/json' },
      { 'X-API-Key': endpoint.permission === null ? null : config.apiKey },
    );
    this.redactor = config.redactorWith(confidential);
  }

  get config(): Config {
    return this.session.config;
  }

  get isWrite(): boolean {
    return this.endpoint.method !== 'GET';
  }

  get url(): string {
    return `${this.config.root}${this.request.path}${this.request.query}`;
  }

  /** For errors and events: a key that was passed for an id is not in it. */
  get path(): string {
    return this.redactor.mask(this.request.path);
  }

  /** An attempt is about to be sent. */
  begin(): void {
    this.outcomeBefore = this.outcome;
    this.outcome = 'unknown';
    this.attempts++;
    this.isRetrying = false;
    this.response = undefined;
    this.received = undefined;
    this.options.onAttempt?.();
    this.emit({ type: 'request' });
  }

  /** An earlier attempt deleted it, and only its response was lost. */
  isAlreadyDeleted(status: number): boolean {
    return status === 404 && this.endpoint.method === 'DELETE' && this.outcomeBefore === 'unknown';
  }

  /** The attempt certainly did nothing. */
  undo(): void {
    this.outcome = this.outcomeBefore;
  }

  /** The attempt has its response, which this returns. */
  receive(received: Received, duration: number): Received {
    const { status, ok } = received.response;
    this.received = received;
    if (ok) this.outcome = 'applied';
    else if (status >= 400 && status < 500 && status !== 408) this.undo();
    this.emit({ type: 'response', status, duration });
    return received;
  }

  /** The body for an error: without secrets, and only its beginning if it is long or not JSON. */
  shownBody(): unknown {
    const { received, redactor } = this;
    if (!received) return undefined;
    const { text, json } = received;
    return json && text.length <= LONGEST_SHOWN ? redactor.json(json.value) : redactor.beginning(text) || undefined;
  }

  /**
   * The error of this call. The message says what happened, where, the words of the service, what to do about it (`hint`),
   * and what became of a write.
   */
  error<E extends MultilocalError>(
    Kind: new (message: string, fields: FieldsOf<E>) => E,
    what: string,
    fields: FieldsOf<E>,
    hint = '',
  ): E {
    const { operation, method } = this.endpoint;
    const { path, attempts } = this;
    const outcome = this.isWrite ? this.outcome : 'not_applied';
    const context: ErrorContext = { operation, method, path, attempts, outcome };
    const { status, detail, origin } = fields as Partial<ApiError>;
    const place = `${status ? `${status}, ` : ''}${method} ${path}`;
    const said =
      detail && origin === 'service' ? `The service said: "${detail.slice(0, LONGEST_QUOTE).replace(/\.$/, '')}".` : '';
    const sentences = [`${operation}: ${what} (${place}).`, said, hint, this.#fate(outcome)];
    return new Kind(sentences.filter(Boolean).join(' '), { ...context, ...fields });
  }

  /** What became of a write, and what to do next. */
  #fate(outcome: Outcome): string {
    const { trace } = this.endpoint;
    if (outcome === 'applied') return 'The request succeeded: do not repeat it.';
    if (outcome === 'not_applied') return '';
    const next = this.repeatable
      ? 'You can call it again.'
      : trace
        ? `If it was, ${trace}.`
        : 'Find out before you repeat it.';
    return `It is unknown whether the write was carried out. ${next}`;
  }

  emit(event: Without<EventBase, ClientEvent>, attempt = this.attempts): void {
    const { operation, method } = this.endpoint;
    tell(this.config.onEvent, { operation, method, path: this.path, attempt, ...event } as ClientEvent);
  }
}
