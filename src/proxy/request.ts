import { parseTimestamp } from '../core/timestamps.js';
import { Refusal } from './refusal.js';

/** Bytes that the body of a confirmation may have. */
const LONGEST_BODY = 8_192;

/** A route of the proxy and what may be asked of it. */
export type Route = { name: 'list' } | { name: 'get' | 'confirm'; id: number | undefined };

/** The methods of each route, `OPTIONS` aside. */
export const METHODS = { list: 'GET', get: 'GET', confirm: 'POST' } as const;

/** The parameters of a list, checked: text as the visitor sent it. */
export interface ListQuery {
  updated_since?: string;
  since?: string;
  bulle_id?: string;
  offset?: number;
}

/**
 * The route of a path, compared as it is: nothing is decoded, so no encoding leads elsewhere.
 * An id that no article can have is `undefined`.
 */
export function routeOf(pathname: string, prefix: string): Route | undefined {
  const root = `${prefix}/api/v2/articles`;
  if (pathname === root) return { name: 'list' };
  if (!pathname.startsWith(`${root}/`)) return undefined;
  const [id = '', last, ...more] = pathname.slice(root.length + 1).split('/');
  if (id === '' || more.length > 0 || (last !== undefined && last !== 'confirm')) return undefined;
  const number = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Number.NaN;
  return { name: last ?? 'get', id: Number.isSafeInteger(number) ? number : undefined };
}

/** @throws {Refusal} 400 for a query where none is taken. */
export function checkNoQuery(url: URL): void {
  if (url.search !== '') throw bad('This route takes no parameters.');
}

/** @throws {Refusal} 400 for a parameter that is unknown, repeated or malformed; 403 for one that asks for drafts. */
export function listQuery(url: URL): ListQuery {
  const query: ListQuery = {};
  const seen = new Set<string>();
  for (const [name, value] of url.searchParams) {
    if (seen.has(name)) throw bad('A parameter is repeated.');
    seen.add(name);
    if (name === 'status') checkStatus(value);
    else if (name === 'updated_since' || name === 'since') query[name] = timestamp(name, value);
    else if (name === 'bulle_id') query.bulle_id = identifier(value);
    else if (name === 'offset') Object.assign(query, offset(value));
    else throw bad('A parameter is unknown. Known: status, updated_since, since, bulle_id, offset.');
  }
  return query;
}

function checkStatus(value: string): void {
  if (value === 'draft' || value === 'all') {
    throw new Refusal(403, 'Only published articles are served here: ask for `status` published; a sync needs a key.');
  }
  if (value !== 'published') throw bad('`status` must be published.');
}

function timestamp(name: string, value: string): string {
  if (value.length > 40 || value !== value.trim() || !parseTimestamp(value)) {
    throw bad(`\`${name}\` must be an ISO 8601 date or date-time, its \`+\` encoded as %2B.`);
  }
  return value;
}

function identifier(value: string): string {
  if (!/^[^\s\p{Cc}\ufffd]{1,200}$/u.test(value)) throw bad('`bulle_id` must be an identifier.');
  return value;
}

/** 0 is the same question as none. */
function offset(value: string): { offset?: number } {
  if (!/^(0|[1-9]\d{0,8})$/.test(value)) throw bad('`offset` must be an integer, 0 or more.');
  return value === '0' ? {} : { offset: Number(value) };
}

/**
 * The page that a confirmation names, checked; `undefined` where it names none.
 * @throws {Refusal} 415, 413 or 400 for a body that is not what the route takes; 403 for a page elsewhere.
 */
export async function renderedUrl(request: Request, pages: ReadonlySet<string>): Promise<string | undefined> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new Refusal(415, 'Content-Type must be application/json.');
  }
  const body = parseObject(await readText(request));
  const { rendered_url: page, ...others } = body;
  if (Object.keys(others).length > 0) throw bad('The body may hold `rendered_url` alone.');
  if (!Object.hasOwn(body, 'rendered_url')) return undefined;
  const isPage = typeof page === 'string' && /^https?:\/\/[^\s\p{Cc}\\]+$/u.test(page) && [...page].length <= 2048;
  if (!isPage || !URL.canParse(page))
    throw bad('`rendered_url` must be a URL of http or https, 2048 characters long at most.');
  const { origin, username, password } = new URL(page);
  if (username || password) throw bad('`rendered_url` must hold no credentials.');
  if (!pages.has(origin)) throw new Refusal(403, '`rendered_url` is on an origin that this proxy does not confirm.');
  return page;
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad('The body must be JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad('The body must be a JSON object.');
  return value as Record<string, unknown>;
}

/** Read no more than a confirmation can need, whatever `Content-Length` says. */
async function readText(request: Request): Promise<string> {
  const tooLong = new Refusal(413, `The body must not be longer than ${LONGEST_BODY} bytes.`);
  if (Number(request.headers.get('content-length')) > LONGEST_BODY) throw tooLong;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = request.body?.getReader();
  let text = '';
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw bad('The body broke off.');
    });
    if (done) break;
    length += value.byteLength;
    if (length > LONGEST_BODY) {
      reader.cancel().catch(() => {});
      throw tooLong;
    }
    text += decode(() => decoder.decode(value, { stream: true }));
  }
  return text + decode(() => decoder.decode());
}

function decode(read: () => string): string {
  try {
    return read();
  } catch {
    throw bad('The body must be UTF-8.');
  }
}

function bad(detail: string): Refusal {
  return new Refusal(400, detail);
}
