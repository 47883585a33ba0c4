import type { Article } from 'multilocal';
import { articleFields } from 'multilocal/internal/articles-reads-schema';
import { isLoopback, parseUrl } from 'multilocal/internal/config';
import * as s from 'multilocal/internal/schema';
import { isTimestamp } from 'multilocal/internal/timestamps';
import * as z from 'zod/mini';
import type { Pages } from './options.js';
import { Refusal } from './refusal.js';

/** Maximum size of the body of a confirmation, in bytes. */
const LONGEST_BODY = 8_192;

/** A route of the proxy, and the article it is about. */
export type Route =
  | { name: 'list' }
  | { name: 'categories' }
  | { name: 'get' | 'related' | 'confirm'; id: number | undefined };

/** The methods of each route, without `OPTIONS`. */
export const METHODS: Readonly<Record<Route['name'], readonly string[]>> = {
  list: ['GET', 'HEAD'],
  categories: ['GET', 'HEAD'],
  get: ['GET', 'HEAD'],
  related: ['GET', 'HEAD'],
  confirm: ['POST'],
};

/** How many articles a response has, and which of their fields. */
export interface PartQuery {
  limit: number;
  /** `undefined`: all. */
  fields?: readonly (keyof Article)[] | undefined;
}

/** The checked parameters of a list, with their defaults. */
export interface ListQuery extends PartQuery {
  order?: 'newest' | undefined;
  updated_since?: string | undefined;
  since?: string | undefined;
  bulle_id?: string | undefined;
  category?: string | undefined;
  slug?: string | undefined;
  offset: number;
}

const timestamp = s.matching(
  (text) => text.length <= 40 && isTimestamp(text),
  'an ISO 8601 date or date-time that exists, with `+` encoded as %2B',
);

/** Default numbers of articles. */
export const NEWEST = 20;
const PAGE = 50;
const RELATED = 3;

const integer = (pattern: RegExp, be: string) =>
  z.pipe(
    s.matching((text) => pattern.test(text), be),
    z.transform((text) => Number(text)),
  );

const partFields = {
  limit: z.optional(integer(/^([1-9]\d?|100)$/, 'an integer from 1 to 100')),
  fields: z.optional(
    z.pipe(
      s.matching(areFields, 'names of fields of an article, with commas between them'),
      z.transform((text) => [...new Set(text.split(','))] as (keyof Article)[]),
    ),
  ),
};

const bulleField = { bulle_id: z.optional(s.matching(isIdentifier, 'an identifier of 1 to 200 characters')) };

const listFields = {
  order: z.optional(z.literal('newest', s.must('newest'))),
  status: z.optional(z.literal('published', s.must('published'))),
  updated_since: z.optional(timestamp),
  since: z.optional(timestamp),
  ...bulleField,
  category: z.optional(s.text(1, 200)),
  slug: z.optional(s.text(1, 500)),
  ...partFields,
  offset: z.optional(integer(/^(0|[1-9]\d{0,8})$/, 'an integer, 0 or more')),
};

// `s.params` would name the unknown parameter. That is the visitor's text, which must not be in a response.
const strict = <Fields extends s.Shape>(fields: Fields) =>
  z.strictObject(fields, `must have no parameters other than ${Object.keys(fields).join(', ')}`);
const listSchema = strict(listFields);
const relatedSchema = strict(partFields);
const categoriesSchema = strict(bulleField);

const confirmationSchema = z.strictObject(
  {
    rendered_url: z.optional(
      s.text(1, 2048).check(s.rule(isPageUrl, 'must be an http:// or https:// URL without credentials')),
    ),
  },
  'must be an object with only `rendered_url`',
);

/**
 * The route of a path. Nothing is decoded, so an encoded path matches no route. `id` is `undefined` if no article can
 * have it.
 */
export function routeOf(pathname: string, prefix: string): Route | undefined {
  if (pathname === `${prefix}/api/v2/categories`) return { name: 'categories' };
  const root = `${prefix}/api/v2/articles`;
  if (pathname === root) return { name: 'list' };
  if (!pathname.startsWith(`${root}/`)) return undefined;
  const [id = '', last, ...more] = pathname.slice(root.length + 1).split('/');
  if (id === '' || more.length > 0 || (last !== undefined && last !== 'confirm' && last !== 'related'))
    return undefined;
  const number = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Number.NaN;
  return { name: last ?? 'get', id: Number.isSafeInteger(number) ? number : undefined };
}

/** @throws {Refusal} 400 if the request has a query. */
export function checkNoQuery(url: URL): void {
  if (url.search !== '') throw bad('This route takes no parameters.');
}

/** @throws {Refusal} 403 if the query asks for drafts; 400 if a parameter is unknown, repeated or malformed. */
export function listQuery({ searchParams }: URL): ListQuery {
  const status = searchParams.get('status');
  if (status === 'draft' || status === 'all') {
    throw new Refusal(403, 'Only published articles are served here: use `status=published`. A sync needs a key.');
  }
  const { status: _, offset = 0, ...query } = parse('query', listSchema, valuesOf(searchParams));
  return { ...query, offset, limit: query.limit ?? (query.order ? NEWEST : PAGE) };
}

/** @throws {Refusal} 400 if a parameter is unknown, repeated or malformed. */
export function relatedQuery({ searchParams }: URL): PartQuery {
  const { fields, limit = RELATED } = parse('query', relatedSchema, valuesOf(searchParams));
  return { fields, limit };
}

/** The location of a request for categories. @throws {Refusal} 400 if a parameter is unknown, repeated or malformed. */
export function categoriesQuery({ searchParams }: URL): string | undefined {
  return parse('query', categoriesSchema, valuesOf(searchParams)).bulle_id;
}

/** The parameters. Only `fields` may be repeated. */
function valuesOf(query: URLSearchParams): Record<string, string> {
  const names = [...query.keys()].filter((name) => name !== 'fields');
  if (new Set(names).size < names.length) throw bad('A parameter is repeated.');
  return { ...Object.fromEntries(query), ...(query.has('fields') && { fields: query.getAll('fields').join(',') }) };
}

/**
 * The checked page of a confirmation. `undefined` if the confirmation names none.
 * @throws {Refusal} 415, 413 or 400 if the body is not a valid confirmation; 403 if `pages` does not contain the page.
 */
export async function renderedUrl(request: Request, pages: Pages): Promise<string | undefined> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new Refusal(415, 'Content-Type must be application/json.');
  }
  const { rendered_url } = parse('body', confirmationSchema, parseJson(await readText(request)));
  if (rendered_url === undefined) return undefined;
  const { origin } = new URL(rendered_url);
  const isAllowed = pages.origins ? pages.origins.has(origin) : origin === ownOrigin(request, pages.isServiceLocal);
  if (!isAllowed)
    throw new Refusal(403, '`rendered_url` is on an origin that this proxy does not confirm. See `confirm.origins`.');
  // A host can be written in many ways (`https://blog。example.com`), and the service may not know this one.
  return rendered_url.replace(/^https?:\/+[^/?#]*/, () => origin);
}

/** @throws {Refusal} 400 if a text that is not empty is not JSON. */
function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw bad('The body must be JSON.');
  }
}

/**
 * The origin of the request's URL, where it can be trusted. A server of one's own takes scheme and host from the visitor:
 * from `Host`, or from a request line such as `POST https://evil.example/…`.
 */
function ownOrigin(request: Request, isServiceLocal: boolean): string | undefined {
  const own = new URL(request.url);
  const isOwn = isLoopback(own) ? isServiceLocal : own.protocol === 'https:' && isOnPlatform(request);
  return isOwn ? own.origin : undefined;
}

/** Whether a platform serves the request: Cloudflare Workers, Vercel, Deno Deploy. They serve only hosts of the site. */
function isOnPlatform(request: Request): boolean {
  const { env } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {};
  return isWorker(request) || env?.VERCEL === '1' || Boolean(env?.DENO_DEPLOYMENT_ID);
}

/** Whether Cloudflare Workers serve the request. Only the runtime can add `cf`. */
function isWorker(request: Request): boolean {
  return 'cf' in request && request.cf !== undefined;
}

/** @throws {Refusal} 400 with the first issue. The detail names only known fields and repeats no value. */
function parse<Schema extends z.ZodMiniType>(what: string, schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, value);
  if (success) return data;
  const { path, message } = error.issues[0] as z.core.$ZodIssue;
  throw bad(`${path.length > 0 ? `\`${path.join('.')}\`` : `The ${what}`} ${message}.`);
}

function areFields(text: string): boolean {
  return text.split(',').every((name) => Object.hasOwn(articleFields, name));
}

function isIdentifier(text: string): boolean {
  return /^[^\s\p{Cc}\ufffd]{1,200}$/u.test(text);
}

function isPageUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}\\]+$/u.test(text)) return false;
  const url = parseUrl(text);
  return url?.username === '' && url.password === '';
}

/**
 * Reads at most as many bytes as a confirmation can need, whatever `Content-Length` says. A framework that has read the body
 * before, such as Express with `express.json()`, leaves an empty one.
 */
async function readText(request: Request): Promise<string> {
  const tooLong = new Refusal(413, `The body must have at most ${LONGEST_BODY} bytes.`);
  const declared = Number(request.headers.get('content-length'));
  if (declared > LONGEST_BODY) throw tooLong;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    // The end of the loop cancels a body that is too long.
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length > LONGEST_BODY) throw tooLong;
      chunks.push(chunk);
    }
    if (declared > 0 && length === 0) throw declared;
    return new TextDecoder('utf-8', { fatal: true }).decode(await new Blob(chunks).arrayBuffer());
  } catch (error) {
    throw error === tooLong ? tooLong : bad('The body must be complete and UTF-8.');
  }
}

function bad(detail: string): Refusal {
  return new Refusal(400, detail);
}
