import type { ViewStage } from '../core/call.js';
import type { Endpoint } from '../core/endpoint.js';
import { DryRunUnsupportedError, type ErrorContext } from '../core/errors/index.js';
import type { CallOptions, ExtraHeaders, RequestOptions } from '../core/options.js';
import type { OwnParams } from '../core/request.js';

/** The settings of a view of a client. */
interface ViewSettings {
  readonly bulle_id?: string | undefined;
  readonly fiche_id?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly options?: RequestOptions | undefined;
}

/** What `forBulle`, `forFiche`, `dryRun` and `withOptions` add to each call. */
export class View implements ViewSettings, ViewStage {
  readonly bulle_id: string | undefined;
  readonly fiche_id: string | undefined;
  readonly dryRun: boolean | undefined;
  readonly options: RequestOptions | undefined;

  constructor({ bulle_id, fiche_id, dryRun, options }: ViewSettings = {}) {
    this.bulle_id = bulle_id;
    this.fiche_id = fiche_id;
    this.dryRun = dryRun;
    this.options = options;
  }

  /** Returns this view with further settings. Options are added to those before. */
  with({ options, ...settings }: ViewSettings): View {
    // A view without options would not copy those of the caller.
    const merged = options && new View({ options: this.options ?? {} }).merge(options);
    return new View({ ...this, ...settings, ...(merged && { options: merged }) });
  }

  /** @throws {DryRunUnsupportedError} if the view only previews and the operation is a write without a preview. */
  refuseWrite({ operation, method, dryRun }: Endpoint, contextOf: () => ErrorContext): void {
    if (!this.dryRun || method === 'GET' || dryRun) return;
    const message = `${operation} has no preview, so client.dryRun refuses it. Nothing was sent.`;
    throw new DryRunUnsupportedError(message, contextOf());
  }

  /**
   * Adds the view's target if the route takes one and the caller passed none. Adds `dry_run` if the view only previews.
   */
  fill({ target, dryRun }: Endpoint, params: OwnParams): void {
    if (target && params[target] === undefined) params[target] = this[target];
    if (this.dryRun && dryRun) params.dry_run = true;
  }

  /**
   * Merges the options of the view with those of a call. Options of the call win, except `undefined`. `headers`,
   * `fetchOptions` and `extra` are merged name by name.
   */
  merge(options: CallOptions = {}): CallOptions {
    const { options: defaults } = this;
    if (!defaults) return options;
    return {
      ...defaults,
      ...withoutUndefined(options),
      headers: { ...byName(defaults.headers), ...byName(options.headers) },
      fetchOptions: { ...defaults.fetchOptions, ...options.fetchOptions },
      extra: { ...defaults.extra, ...withoutUndefined(options.extra ?? {}) },
    };
  }
}

/** The signal of a view. Methods that do more than send requests use it if their caller passes none. */
export function signalOf({ view }: { readonly view: ViewStage | undefined }): AbortSignal | undefined {
  return view?.options?.signal;
}

/** Copies an object without its fields that are `undefined`. */
export function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<Value>;
}

/** Names of headers are compared without case. */
function byName(headers: ExtraHeaders = {}): ExtraHeaders {
  const entries = Object.entries(withoutUndefined(headers));
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
