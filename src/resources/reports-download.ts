import { LONGEST_TIMER, until } from '../core/abort.js';
import { TIMEOUT } from '../core/call.js';
import type { Config } from '../core/config.js';
import { isLoopback, parseUrl } from '../core/config.js';
import {
  ApiError,
  ConnectionError,
  type ErrorContext,
  type FieldsOf,
  RedirectError,
  TimeoutError,
} from '../core/errors/index.js';
import { redirectTarget } from '../core/failure.js';
import { headerOf } from '../core/headers.js';
import { fetchOptionsOf, type RequestOptions } from '../core/options.js';
import { createRedactor } from '../core/redact.js';
import { invalid } from '../core/request.js';

/** Options of `reports.download`. */
export interface ReportDownloadOptions extends Pick<RequestOptions, 'signal' | 'timeout' | 'fetchOptions'> {
  /** The file to fetch. Default `'pdf'`. */
  format?: 'pdf' | 'csv' | undefined;
}

const MOST_REDIRECTS = 5;
const EXPIRED = 'The address may have expired: list the reports again.';
const PLACE = 'an address that begins with https:// (or http:// for this machine), without credentials';

/**
 * Fetches the file of a report, without the key and without the headers of the client. Anybody with the address can read
 * the file, so no error shows more of it than its origin.
 */
export async function download(
  config: Config,
  name: string,
  address: unknown,
  { signal, timeout = config.timeout ?? TIMEOUT, fetchOptions }: ReportDownloadOptions,
  context: ErrorContext,
): Promise<Response> {
  signal?.throwIfAborted();
  let url = safeUrl(address);
  if (!url) throw invalid([{ path: [name], message: `must be ${PLACE}` }], context);
  const timer = new AbortController();
  const timeoutId = setTimeout(() => timer.abort(), Math.min(timeout, LONGEST_TIMER));
  // The signal of the caller also ends the reading of the body.
  const both = signal ? AbortSignal.any([signal, timer.signal]) : timer.signal;
  const own = { method: 'GET', headers: {}, redirect: 'manual', signal: both } as const;
  const secrets: string[] = [];
  try {
    for (let attempts = 1; ; attempts++) {
      const { origin, href } = url;
      secrets.push(...secretsOf(url));
      const sent = { ...context, attempts };
      const work = async () => {
        const response = await (config.fetch ?? globalThis.fetch)(href, {
          ...fetchOptionsOf(config.fetchOptions, fetchOptions),
          ...own,
        });
        if (response.type === 'error') throw new Error('no response');
        return response;
      };
      const response = await until(work(), both).catch((thrown: unknown) => {
        signal?.throwIfAborted();
        if (timer.signal.aborted) throw failure(TimeoutError, `no response of ${origin} within ${timeout} ms`, sent);
        const cause = config.redactorWith(createRedactor(secrets).mask).cause(thrown);
        throw failure(ConnectionError, `the connection to ${origin} failed`, { ...sent, cause });
      });
      if (response.ok) return response;
      // An unread body keeps its connection.
      response.body?.cancel?.().catch(() => {});
      url = nextUrl(response, url, sent);
    }
  } finally {
    clearTimeout(timeoutId);
  }
}

/** Returns the target of a redirect. @throws an error for every other response, and for a target that is not allowed. */
function nextUrl(response: Response, { origin, href }: URL, sent: ErrorContext & { attempts: number }): URL {
  const { status, type } = response;
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400 && headerOf(response, 'location'));
  if (!isRedirect) {
    const fields = { ...sent, status, detail: '', body: undefined, headers: new Headers(), origin: 'service' } as const;
    throw failure(ApiError, `${origin} responded with ${status}`, fields satisfies FieldsOf<ApiError>, EXPIRED);
  }
  const target = redirectTarget(response, href);
  const next = sent.attempts <= MOST_REDIRECTS ? safeUrl(target?.href) : undefined;
  if (next) return next;
  const fields = { ...sent, status, location: target?.origin } satisfies FieldsOf<RedirectError>;
  const hint = `At most ${MOST_REDIRECTS} redirects are followed, each to ${PLACE}.`;
  throw failure(RedirectError, `a redirect of ${origin} is not followed`, fields, hint);
}

/** Returns an address to which a request may be sent. */
function safeUrl(address: unknown): URL | undefined {
  const url = typeof address === 'string' ? parseUrl(address) : undefined;
  const isPrivate = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  return isPrivate && !url.username && !url.password ? url : undefined;
}

/** The parts of an address that may be secret: libraries write addresses into their errors. */
function secretsOf({ pathname, search, searchParams }: URL): string[] {
  return [`${pathname}${search}`, search, ...searchParams.values()].filter((part) => part.length > 1);
}

function failure<E extends Error, Fields>(
  Kind: new (message: string, fields: Fields) => E,
  what: string,
  fields: Fields,
  hint = '',
): E {
  return new Kind(`reports.download: ${what}.${hint && ` ${hint}`}`, fields);
}
