import type { Client, Identity, Review } from 'multilocal';
import type { CallOptions } from 'multilocal/internal/options';
import { type Action, at, type PlanProblem } from './actions.js';
import { problemOf } from './problems.js';
import { isRefusal } from './refusals.js';
import type { Thing } from './shown.js';
import type { There } from './sides.js';

/** What people must see of the target of an action. */
export interface Shown {
  /** The name of the location or listing. */
  readonly place?: string | undefined;
  /** The review that a reply answers. */
  readonly review?: Review | undefined;
  /** The post or article that it names by its id, as the service has it, and the location of that. */
  readonly thing?: Thing | undefined;
  readonly owner?: string | undefined;
}

/**
 * Reads what the actions name: the locations once, and each post and article of an action without a preview, so that a wrong id shows
 * before the plan is carried out.
 */
export class Targets {
  readonly #client: Client;
  readonly #options: CallOptions;
  #bulles: Promise<ReadonlyMap<string, string>> | undefined;
  /** Those that a step has asked for. */
  readonly #reviews: There['reviews'];
  readonly #things = new WeakMap<object, Thing>();

  constructor(client: Client, options: CallOptions, reviews: There['reviews'] = new Map()) {
    this.#client = client;
    this.#options = options;
    this.#reviews = reviews;
  }

  /** Returns the problems of an action. @throws the error of the service if a post or an article does not exist. */
  async problemsOf(action: Action): Promise<PlanProblem[]> {
    const { params } = action;
    const { post_id, article_id, bulle_id } = params;
    // Plans accept ids as texts, too. The schema has checked that they are ids.
    if (post_id !== undefined) this.#things.set(params, await this.#client.posts.get(post_id as number, this.#options));
    if (article_id !== undefined)
      this.#things.set(params, await this.#client.articles.get(article_id as number, this.#options));
    if (typeof bulle_id !== 'string' || (await this.#locations()).has(bulle_id)) return [];
    return [problemOf('bulle_not_found', { operation: action.operation }, at(action, 'bulle_id'))];
  }

  /** Returns what people must see of an action. What cannot be read is left out: a preview says why. */
  async shownOf({ operation, params }: Pick<Action, 'operation' | 'params'>): Promise<Shown> {
    const { bulle, gmb_fiches = [] } = this.#client.identity ?? {};
    const { bulle_id, review_id } = params;
    const listing = listingOf(params, gmb_fiches);
    const named = async (id: string) => (bulle?.id === id ? bulle.name : (await known(this.#locations()))?.get(id));
    const covered = () => gmb_fiches.find(({ id }) => id === listing)?.name ?? bulle?.name;
    const place = (typeof bulle_id === 'string' ? await named(bulle_id) : covered()) ?? undefined;
    const thing = this.#things.get(params);
    if (thing) {
      const { bulle_id: id } = thing;
      const name = 'platforms' in thing && id ? await named(id) : Reflect.get(thing, 'bulle_name');
      return { place, thing, owner: name ?? id ?? undefined };
    }
    if (operation !== 'reviews.reply' || typeof listing !== 'string') return { place };
    return { place, review: this.#reviews.get(listing)?.get(String(review_id)) };
  }

  #locations(): Promise<ReadonlyMap<string, string>> {
    this.#bulles ??= this.#client.bulles
      .list(this.#options)
      .then((all) => new Map(all.map(({ id, name }) => [id, name ?? id])));
    return this.#bulles;
  }
}

/** The listing of an action. That of a review is the beginning of its id, or the only one of the key. */
export function listingOf({ fiche_id, review_id }: Action['params'], fiches: Identity['gmb_fiches']): unknown {
  const [, own] = /^(accounts\/[^/]+\/locations\/[^/]+)\/reviews\//.exec(String(review_id)) ?? [];
  return fiche_id ?? own ?? (fiches.length === 1 && review_id !== undefined ? fiches[0]?.id : undefined);
}

/** What was read, unless the service refuses to show it. */
function known<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return reading.catch((error) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
}
