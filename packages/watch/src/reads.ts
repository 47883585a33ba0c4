import type { ApiPromise, Client } from 'multilocal';
import { InvalidResponseError } from 'multilocal/internal/errors';
import { issuesOf, printIssues } from 'multilocal/internal/issues';
import * as s from 'multilocal/internal/schema';
import * as z from 'zod/mini';

/** Items of a page: the most that the service gives. */
export const PAGE = 100;

const ofId = s.object({ id: s.string });
const counts = s.object({ all: s.integer, responded: s.integer, drafts: s.integer, unresponded: s.integer });
const review = s.object({ review_id: s.string, responded: s.boolean });
const post = s.object({ id: s.integer, status: s.string, platforms: s.list(s.string), updated_at: s.string });
const article = s.object({ id: s.integer, status: s.string, updated_at: s.string });
const account = s.object({ platform: s.string, connected: s.boolean, needs_reconnect: s.boolean });

interface Read<Params, Data> {
  send(client: Client, params: Params): ApiPromise<Data>;
  /** What a look uses of the response. What else differs is a `drift` event. */
  needs: s.Schema;
}

function read<Data, Params = undefined>(needs: s.Schema, send: Read<Params, Data>['send']): Read<Params, Data> {
  return { needs, send };
}

/** Which reviews of a listing. */
export interface ReviewQuestion {
  fiche_id: string;
  page: number;
  status?: 'responded' | 'unresponded' | 'drafts';
  date_from?: string;
  date_to?: string;
}

const READS = {
  me: read(s.object({ sphere: ofId, bulle: z.nullable(ofId), gmb_fiches: s.list(ofId) }), (client) => client.me()),
  'reviews.list': read(
    s.object({ reviews: s.list(review), status_counts: counts, total_pages: s.integer }),
    (client, params: ReviewQuestion) => client.reviews.list({ ...params, limit: PAGE, sort_by: 'date_desc' }),
  ),
  'posts.list': read(s.list(post), (client, params: { status: 'pending' | 'error' | 'published'; offset: number }) =>
    client.posts.list({ ...params, limit: PAGE }),
  ),
  'posts.get': read(post, (client, id: number) => client.posts.get(id)),
  'connections.list': read(s.list(account), (client) => client.connections.list()),
  'articles.list': read(
    s.object({ articles: s.list(article) }),
    (client, { updated_since, offset }: { updated_since: string; offset: number }) =>
      client.articles.list({ status: 'all', updated_since }, offset > 0 ? { extra: { offset } } : {}),
  ),
  'articles.get': read(article, (client, id: number) => client.articles.get(id)),
  'reports.list': read(s.list(s.object({})), (client) => client.reports.list({ limit: PAGE })),
};

/** The reads of a watcher: parameters and result of each. */
export type Reads = {
  [Name in keyof typeof READS]: (typeof READS)[Name] extends Read<infer Params, infer Data> ? [Params, Data] : never;
};

/** Sends one request. Resolves to what it got and to the date of the response. */
export async function send<Name extends keyof Reads>(
  client: Client,
  name: Name,
  params: Reads[Name][0],
): Promise<{ data: Reads[Name][1]; date: number | undefined }> {
  const reads: { [Each in keyof Reads]: Read<Reads[Each][0], Reads[Each][1]> } = READS;
  const { send, needs } = reads[name];
  const { data, response } = await send(client, params).withResponse();
  const issues = issuesOf(needs, data);
  if (!issues) return { data, date: dateOf(response.headers) };
  const fields = { operation: name, issues, body: undefined, status: response.status };
  throw new InvalidResponseError(`watch: ${name}: ${printIssues(issues, 'The response')}`, fields);
}

/** The Google listings to look at: that of a view, or those of the key. */
export function fichesOf({ gmb_fiches }: Reads['me'][1], ofView: string | undefined): string[] {
  return ofView === undefined ? gmb_fiches.map(({ id }) => id) : [ofView];
}

/** The `Date` of a response, in ms. */
export function dateOf(headers: { get(name: string): string | null } | undefined): number | undefined {
  const date = Date.parse(headers?.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}
