import type { ApiPromise, Client, Identity } from 'multilocal';
import { needed } from 'multilocal/internal/response';
import * as s from 'multilocal/internal/schema';
import * as z from 'zod/mini';
import { PAGE, type Reads } from './look.js';

/** Everything that a watcher asks. */
export interface Questions extends Reads {
  me: [undefined, Identity];
}

type Question<Name extends keyof Questions> = {
  send(client: Client, params: Questions[Name][0]): ApiPromise<Questions[Name][1]>;
  /** What a look uses of the response. What else differs is a `drift` event. */
  needs: s.Schema;
};

const counts = s.object({ all: s.integer, responded: s.integer, drafts: s.integer, unresponded: s.integer });
const review = s.object({ review_id: s.string, responded: s.boolean });
const post = s.object({ id: s.integer, status: s.string, platforms: s.list(s.string), updated_at: s.string });
const article = s.object({ id: s.integer, status: s.string, updated_at: s.string });
const ofId = s.object({ id: s.string });

const QUESTIONS: { [Name in keyof Questions]: Question<Name> } = {
  me: {
    send: (client) => client.me(),
    needs: s.object({ sphere: ofId, bulle: z.nullable(ofId), gmb_fiches: s.list(ofId) }),
  },
  'reviews.list': {
    send: (client, params) => client.reviews.list({ ...params, limit: PAGE, sort_by: 'date_desc' }),
    needs: s.object({ reviews: s.list(review), status_counts: counts, total_pages: s.integer }),
  },
  'posts.list': {
    send: (client, params) => client.posts.list({ ...params, limit: PAGE }),
    needs: s.list(post),
  },
  'posts.get': { send: (client, id) => client.posts.get(id), needs: post },
  'connections.list': {
    send: (client) => client.connections.list(),
    needs: s.list(s.object({ platform: s.string, connected: s.boolean, needs_reconnect: s.boolean })),
  },
  'articles.list': {
    send: (client, { updated_since, offset }) =>
      client.articles.list({ status: 'all', updated_since }, offset > 0 ? { extra: { offset } } : {}),
    needs: s.object({ articles: s.list(article) }),
  },
  'articles.get': { send: (client, id) => client.articles.get(id), needs: article },
  'reports.list': { send: (client) => client.reports.list({ limit: PAGE }), needs: s.list(s.object({})) },
};

/** Sends one request. Resolves to what it got and to the date of the response. */
export async function send<Name extends keyof Questions>(
  client: Client,
  name: Name,
  params: Questions[Name][0],
): Promise<{ data: Questions[Name][1]; date: number | undefined }> {
  const question = QUESTIONS[name] as Question<Name>;
  const result = await question.send(client, params).withResponse();
  return { data: needed(result, question.needs), date: dateOf(result.response.headers) };
}

/** The `Date` of a response, in ms. */
export function dateOf(headers: { get(name: string): string | null } | undefined): number | undefined {
  const date = Date.parse(headers?.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}
