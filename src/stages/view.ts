import { withFirst } from '../core/abort.js';
import type { Call, Stages, ViewStage } from '../core/call.js';
import type { Endpoint, Params } from '../core/endpoint.js';
import { DryRunNotHonoredError, DryRunUnsupportedError, type ErrorContext } from '../core/errors/index.js';
import { callError, shownBody } from '../core/failure.js';
import { headerFields } from '../core/headers.js';
import { type CallOptions, fetchOptionsOf, type RequestOptions } from '../core/options.js';
import { type Extras, invalid, type OwnParams, type Preview, withExtras, withoutUndefined } from '../core/request.js';
import { mustBe } from '../core/schema.js';
import { looksLikePreview } from '../core/types.js';

/** The settings of a view of a client. */
interface ViewSettings {
  readonly bulle_id?: string | undefined;
  readonly fiche_id?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly options?: RequestOptions | undefined;
  readonly signals?: readonly AbortSignal[];
  /** The targets that are nearer to the call than `extra` of the options. */
  readonly nearer?: readonly string[];
}

const CONTRADICTION = { path: ['extra', 'dry_run'], message: 'contradicts `dry_run` of the outer view' };
const WITH_OPTIONS = { operation: 'withOptions' };

/** What `forBulle`, `forFiche`, `dryRun` and `withOptions` add to each call. */
export class View implements ViewSettings, ViewStage {
  readonly bulle_id: string | undefined;
  readonly fiche_id: string | undefined;
  readonly dryRun: boolean | undefined;
  /** The options, except `signal`. */
  readonly options: RequestOptions | undefined;
  /** The signals of this view and of those that it was made from. */
  readonly signals: readonly AbortSignal[];
  readonly nearer: readonly string[];

  constructor({ bulle_id, fiche_id, dryRun, options, signals = [], nearer = [] }: ViewSettings = {}) {
    this.bulle_id = bulle_id;
    this.fiche_id = fiche_id;
    this.dryRun = dryRun;
    this.options = options;
    this.signals = signals;
    this.nearer = nearer;
  }

  /**
   * Returns this view with further settings. Options are added to those before. The last view to name a target wins.
   * @throws {InvalidRequestError} if `extra` of one asks for a preview and `extra` of the other does not.
   */
  with({ options, ...settings }: ViewSettings): View {
    if (!options) return new View({ ...this, ...settings, nearer: [...this.nearer, ...Object.keys(settings)] });
    const { signal, ...others } = options;
    const [before, now] = [this.options, others].map((given) => given?.extra?.dry_run);
    if (before !== undefined && now !== undefined && before !== now) throw invalid([CONTRADICTION], WITH_OPTIONS);
    // A view without options would not copy the caller's options.
    const merged = new View({ options: this.options ?? {} }).merge(others);
    const named = withoutUndefined(others.extra ?? {});
    const nearer = this.nearer.filter((target) => !(target in named));
    return new View({ ...this, nearer, options: merged, signals: [...this.signals, ...(signal ? [signal] : [])] });
  }

  /** @throws {DryRunUnsupportedError} if the view only previews and the operation is a write without a preview. */
  refuseWrite({ operation, method, dryRun }: Endpoint, contextOf: () => ErrorContext): void {
    if (!this.dryRun || method === 'GET' || dryRun) return;
    const message = `${operation} has no preview, so client.dryRun refuses it. Nothing was sent.`;
    throw new DryRunUnsupportedError(message, contextOf());
  }

  /**
   * Adds the view's target if the route takes one and nothing nearer to the call names one, `extra` included. Adds `dry_run`
   * if the view only previews.
   * @throws {InvalidRequestError} if the call asks that view to execute.
   */
  fill({ target, dryRun }: Endpoint, params: OwnParams, extras: Extras): void {
    const view = target && this.nearer.includes(target) ? {} : extras.view;
    if (target && withExtras(params, { ...extras, view })[target] === undefined) params[target] = this[target];
    if (!this.dryRun || !dryRun) return;
    if (params.dry_run === false) {
      throw invalid([
        { path: ['dry_run'], message: 'is `false`, but client.dryRun only previews. Use the client itself' },
      ]);
    }
    params.dry_run = true;
  }

  /** Returns the location or listing on which calls that name none act. */
  targetOf(target: 'bulle_id' | 'fiche_id'): string | undefined {
    const extra = this.nearer.includes(target) ? undefined : this.options?.extra?.[target];
    return (extra as string | undefined) ?? this[target];
  }

  shared(): View {
    const options = { ...this.options, extra: undefined, timeout: undefined, totalTimeout: undefined };
    return new View({ ...this, bulle_id: undefined, fiche_id: undefined, options, signals: [] });
  }

  async following<T>(
    signal: AbortSignal | null | undefined,
    work: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    const signals = signal ? [...this.signals, signal] : this.signals;
    if (signals.length > 1) return withFirst(signals, work);
    signals[0]?.throwIfAborted();
    return work(signals[0]);
  }

  /**
   * Merges the options of the view and of a call. Options of the call win, except `undefined`. `headers`,
   * `fetchOptions` and `extra` are merged name by name.
   */
  merge(options: CallOptions = {}): CallOptions {
    const { options: defaults } = this;
    if (!defaults) return { ...options };
    return {
      ...defaults,
      ...withoutUndefined(options),
      headers: { ...headerFields(defaults.headers), ...headerFields(options.headers) },
      fetchOptions: fetchOptionsOf(defaults.fetchOptions, options.fetchOptions),
      extra: { ...defaults.extra, ...withoutUndefined(options.extra ?? {}) },
    };
  }
}

/** Returns the `dry_run` of a request. @throws {InvalidRequestError} if its sources name two: none may undo that of another. */
export function onlyDryRun(sources: readonly (Params | undefined)[]): unknown {
  const [value, other] = new Set(sources.map((source) => source?.dry_run).filter((given) => given !== undefined));
  if (other === undefined) return value;
  throw invalid([{ path: ['dry_run'], message: 'is both `true` and `false`, with `extra`' }]);
}

/** The stage of a call for operations that preview. */
export class DryRun implements NonNullable<Stages['dryRun']> {
  /** The operations whose previews the service has shown to this client. */
  readonly #honored = new Set<string>();

  /**
   * Removes `dry_run` from the parameters, and returns it.
   * @throws {InvalidRequestError} if the call or its view names two values: neither may execute what the other previews.
   */
  take(params: OwnParams, { call, view }: Extras): Preview {
    const value = onlyDryRun([params, call, view]);
    delete params.dry_run;
    if (value === undefined) return {};
    if (typeof value !== 'boolean') throw invalid([{ path: ['dry_run'], message: mustBe('a boolean', value) }]);
    return { dry_run: value };
  }

  /** Whether the call is a preview that changes nothing for certain. Until then, it may be executed. */
  isHonored({ request, endpoint }: Call): boolean {
    return request.dryRun && this.#honored.has(endpoint.operation);
  }

  /** @throws {DryRunNotHonoredError} if the body of the response does not show a preview. */
  checkPreview(call: Call, body: unknown): void {
    const { operation } = call.endpoint;
    if (!looksLikePreview(body)) {
      this.#honored.delete(operation);
      const what = 'the response does not show a preview, so the operation may have been executed';
      throw callError(call, DryRunNotHonoredError, what, { body: shownBody(call) });
    }
    this.#honored.add(operation);
    call.outcome = 'not_applied';
  }
}
