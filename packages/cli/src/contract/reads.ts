import { pathNames } from '@multilocal/plans/operation';
import type { Identity } from 'multilocal';
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
  readonly #bulles: string[] = [];
  #own: string | undefined;
  #isSphere = true;
  #fiche: string | undefined;
  #post: number | undefined;
  #article: number | undefined;

  /** Remembers the ids in the response of a read. */
  learn(operation: string, body: unknown): void {
    if (operation === 'me') {
      const { bulle, gmb_fiches }: Partial<Identity> = Object(body);
      this.#isSphere = !bulle;
      this.#own = idOf(bulle);
      this.#fiche = idOf(Array.isArray(gmb_fiches) ? gmb_fiches[0] : undefined);
    }
    const items = operation === 'articles.list' ? Object(body).articles : body;
    if (!FIRST.includes(operation) || !Array.isArray(items)) return;
    if (operation === 'bulles.list') this.#bulles.push(...items.flatMap((one) => idOf(one) ?? []));
    if (operation === 'posts.list') this.#post ??= numberOf(items);
    if (operation === 'articles.list') this.#article ??= numberOf(items);
    // A location that has posts or articles shows more than the first of the list.
    if (operation !== 'bulles.list') this.#own ??= items.map((one) => Object(one).bulle_id).find(isString);
  }

  /** Returns the parameters of a read. A text says why it cannot be called. */
  paramsOf(endpoint: Endpoint): Params | string {
    const { target, targetRequired } = endpoint;
    const known: Record<string, unknown> = {
      bulle_id: this.#own ?? this.#bulles[0],
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

function idOf(value: unknown): string | undefined {
  const { id } = Object(value) as { id?: unknown };
  return isString(id) ? id : undefined;
}

/** A service may write the ids of its objects as strings. */
function numberOf(items: readonly unknown[]): number | undefined {
  const ids = items.map((one) => Number(Object(one).id));
  return ids.find((id) => Number.isSafeInteger(id) && id > 0);
}

function isString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
