import type { ExtraHeaders } from './headers.js';
import type { CallOptions, RequestOptions } from './options.js';

/**
 * Merges the options of a view with those of a call. Options of the call win, except `undefined`. `headers`,
 * `fetchOptions` and `extra` are merged name by name.
 */
export function mergeOptions(defaults: RequestOptions | undefined, options: CallOptions = {}): CallOptions {
  if (!defaults) return options;
  return {
    ...defaults,
    ...withoutUndefined(options),
    headers: { ...byName(defaults.headers), ...byName(options.headers) },
    fetchOptions: { ...defaults.fetchOptions, ...options.fetchOptions },
    extra: { ...defaults.extra, ...options.extra },
  };
}

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<Value>;
}

/** Names of headers are compared without case. */
function byName(headers: ExtraHeaders = {}): ExtraHeaders {
  const entries = Object.entries(withoutUndefined(headers));
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
