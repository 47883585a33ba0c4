import { type Endpoint, isRepeatable } from './endpoint.js';
import type { ApiError, ErrorContext, FieldsOf, MultilocalError } from './errors/index.js';
import { type ClientEvent, type EventBase, tell } from './events.js';
import { joinHeaders } from './headers.js';
import type { Identity } from './identity.js';
import { type Log, type LostAttempt, lineOf } from './log.js';
import type { CallOptions, Config } from './options.js';
import type { BuiltRequest } from './request.js';
import type { Outcome } from './types.js';

/** Default timeouts of one attempt, in ms. */
const TIMEOUT = 30_000;
const SLOW_TIMEOUT = 180_000;

/** Maximum length of the service's text in a message. `detail` has the whole text. */
const LONGEST_QUOTE = 500;
/** Maximum length of a JSON body that an error holds in parsed form. */
const LONGEST_SHOWN = 250_000;

/** The state that a client shares with its views. */
export interface Session {
  readonly config: Config;
  /** The last `GET /me` response, or the `identity` option. */
  identity: Identity | undefined;
  /** The end of the last wait that a warning announced, by `performance.now()`. */
  announcedUntil?: number;
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

type Without<Base, Event> = Event extends Base ? Omit<Event, keyof Base> : never;

/** The state of one call: its request, its attempts so far, and the outcome as far as it is known. */
export class Call {
  readonly headers: Headers;
  /** Masks the key, and whatever else no error may show. */
  readonly redactor: Config['redactor'];
  readonly timeout: number;
  readonly totalTimeout: number | undefined;
  readonly maxRetries: number;
  readonly validation: Config['validation'];
  /** Whether sending the request twice has the same effect as sending it once. */
  readonly repeatable: boolean;
  readonly started = performance.now();

  /** Requests sent so far. */
  attempts = 0;
  /** For a write: `'unknown'` from the moment it is sent until a response shows more. */
  outcome: Outcome = 'not_applied';
  /** The outcome before the last attempt. An attempt that did nothing restores it. */
  outcomeBefore: Outcome = 'not_applied';
  /** The response of the last attempt. Its body may still be arriving. */
  response: Response | undefined;
  /** The response of the last attempt, once its body has been read. */
  received: Received | undefined;
  /** Ends every wait of the call. */
  readonly controller = new AbortController();
  /** Frees the place in the limiter. */
  release: ((result?: 'unsent') => void) | undefined;
  /** Whether the attempt failed and another one follows. */
  isRetrying = false;
  /** How long the limiter delays every call of the key because the service asked this call to wait, in ms. */
  holdBack = 0;
  /** How long the attempt waited in the limiter, in ms. */
  waited = 0;
  /** When the attempt was sent, by `performance.now()`. */
  #sent = 0;

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

  /** Whether the call changes something. A preview changes nothing. */
  get isChange(): boolean {
    return this.isWrite && !this.request.dryRun;
  }

  get url(): string {
    return `${this.config.root}${this.request.path}${this.request.query}`;
  }

  /** The path for errors and events, without a key that was passed as an id. */
  get path(): string {
    return this.redactor.mask(this.request.path);
  }

  /** Records that an attempt is about to be sent. */
  begin(): void {
    this.outcomeBefore = this.outcome;
    this.outcome = 'unknown';
    this.attempts++;
    this.isRetrying = false;
    this.response = undefined;
    this.received = undefined;
    this.#sent = performance.now();
    this.options.onAttempt?.();
    this.emit({ type: 'request' });
  }

  /** Whether an earlier attempt deleted the resource and only its response was lost. */
  isAlreadyDeleted(status: number): boolean {
    return status === 404 && this.endpoint.method === 'DELETE' && this.outcomeBefore === 'unknown';
  }

  /** Records that the attempt certainly did nothing. */
  undo(): void {
    this.outcome = this.outcomeBefore;
  }

  /** Records the response of the attempt and returns it. */
  receive(received: Received): Received {
    const { status, ok } = received.response;
    this.received = received;
    if (ok) this.outcome = 'applied';
    else if (status >= 400 && status < 500 && status !== 408) this.undo();
    this.emit({ type: 'response', status, duration: performance.now() - this.#sent });
    return received;
  }

  /** Logs the end of an attempt that got no response. The attempts with a response have a line already. */
  lose(code: string): void {
    if (this.received) return;
    this.#logEvent({ ...this.#place(), type: 'lost', code, duration: performance.now() - this.#sent });
  }

  /** Returns the body for an error, without secrets. A long text, or a text that is not JSON, is cut. */
  shownBody(): unknown {
    const { received, redactor } = this;
    if (!received) return undefined;
    const { text, json } = received;
    return json && text.length <= LONGEST_SHOWN ? redactor.json(json.value) : redactor.beginning(text) || undefined;
  }

  /**
   * Creates the error of this call. The message says what happened (`what`), where, what the service wrote, what to do
   * (`hint`), and whether a write happened.
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

  /** Says whether a write happened and what to do next. */
  #fate(outcome: Outcome): string {
    const { trace } = this.endpoint;
    if (outcome === 'applied') return 'The request succeeded: do not send it again.';
    if (outcome === 'not_applied') return '';
    if (this.repeatable) return 'It is unknown whether the write happened. You can call it again.';
    const next = trace ? `If it happened, ${trace}.` : 'Check this before you call it again.';
    return `It is unknown whether the write happened. ${next}`;
  }

  emit(event: Without<EventBase, ClientEvent>, attempt = this.attempts): void {
    const whole = { ...this.#place(), attempt, ...event } as ClientEvent;
    // The observer may change the event, so the log comes first.
    this.#logEvent(whole);
    tell(this.config.onEvent, whole);
  }

  /** Logs a line without the secrets of this call. */
  log(...[level, line]: Parameters<Log['write']>): void {
    this.config.log.write(level, () => this.redactor.mask(line()));
  }

  #logEvent(event: ClientEvent | LostAttempt): void {
    const line = lineOf(event, this);
    if (line) this.log(...line);
  }

  #place(): EventBase {
    const { operation, method } = this.endpoint;
    return { operation, method, path: this.path, attempt: this.attempts };
  }
}
