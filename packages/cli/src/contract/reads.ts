import { pathNames } from '@multilocal/plans/inside';
import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { endpoints } from 'multilocal/internal/endpoints';

/** Their responses have the ids that the others need. */
const FIRST = ['health', 'me', 'bulles.list', 'posts.list', 'articles.list'];

/** Every read of the service, those first whose responses have ids. */
export const reads: readonly Endpoint[] = endpoints
  .filter(({ method }) => method === 'GET')
  .sort((a, b) => rankOf(a) - rankOf(b));

function rankOf({ operation }: Endpoint): number {
  const rank = FIRST.indexOf(operation);
  return rank < 0 ? FIRST.length : rank;
}

/** The ids that responses have shown. */
export class Ids {
  #isSphere = true;
  #bulle: unknown;
  /** A location that has posts or articles shows more than the first of the list. */
  #own: unknown;
  #fiche: unknown;
  #post: number | undefined;
  #article: number | undefined;

  /** Remembers the ids in the response of a read. */
  learn(operation: string, body: unknown): void {
    const { bulle, gmb_fiches, articles = body } = Object(body);
    if (operation === 'me') {
      this.#isSphere = !bulle;
      this.#own = fieldIn([bulle], 'id');
      this.#fiche = fieldIn(gmb_fiches, 'id');
    }
    if (operation === 'bulles.list') this.#bulle ??= fieldIn(body, 'id');
    if (operation === 'posts.list') this.#post ??= numberIn(body);
    if (operation === 'articles.list') this.#article ??= numberIn(articles);
    if (operation === 'posts.list' || operation === 'articles.list') this.#own ??= fieldIn(articles, 'bulle_id');
  }

  /** Returns the parameters of a read. A text says why it cannot be called. */
  paramsOf(endpoint: Endpoint): Params | string {
    const { target, targetRequired } = endpoint;
    const known: Record<string, unknown> = {
      bulle_id: this.#own ?? this.#bulle,
      fiche_id: this.#fiche,
      post_id: endpoint.operation === 'social.get' ? this.#post?.toString() : this.#post,
      article_id: this.#article,
    };
    const names = pathNames(endpoint);
    const needsTarget = target === 'fiche_id' || (this.#isSphere && targetRequired === true);
    if (target !== undefined && needsTarget && known[target] !== undefined) names.push(target);
    const missing = names.find((name) => known[name] === undefined);
    if (missing !== undefined) return `no read shows a \`${missing}\``;
    return Object.fromEntries(names.map((name) => [name, known[name]]));
  }
}

/** Returns the first text that a field has in a list. */
function fieldIn(items: unknown, field: string): unknown {
  const values = Array.isArray(items) ? items.map((one) => Object(one)[field]) : [];
  return values.find((value) => typeof value === 'string' && value !== '');
}

/** Returns the first id of a list. A service may write the ids of its objects as strings. */
function numberIn(items: unknown): number | undefined {
  const ids = Array.isArray(items) ? items.map((one) => Number(Object(one).id)) : [];
  return ids.find((id) => Number.isSafeInteger(id) && id > 0);
}
