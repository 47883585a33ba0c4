import type { Client } from 'multilocal';
import type { CallOptions } from 'multilocal/internal/options';
import { type Action, at, type PlanProblem } from './actions.js';

/**
 * Reads what the actions without a preview name, so that a wrong id shows before the plan is carried out: the locations
 * once, each post and each article.
 */
export class Targets {
  readonly #client: Client;
  readonly #options: CallOptions;
  #bulles: Promise<ReadonlySet<string>> | undefined;

  constructor(client: Client, options: CallOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Returns the problems of an action. @throws the error of the service if a post or an article does not exist. */
  async problemsOf(action: Action): Promise<PlanProblem[]> {
    const { post_id, article_id, bulle_id } = action.params;
    // Plans accept ids as texts, too. The schema has checked that they are ids.
    if (post_id !== undefined) await this.#client.posts.get(post_id as number, this.#options);
    if (article_id !== undefined) await this.#client.articles.get(article_id as number, this.#options);
    if (typeof bulle_id !== 'string' || (await this.#locations()).has(bulle_id)) return [];
    const message = `${action.operation}: \`bulle_id\` is not a location that the key covers.`;
    return [{ code: 'bulle_not_found', message, path: at(action, 'bulle_id') }];
  }

  #locations(): Promise<ReadonlySet<string>> {
    this.#bulles ??= this.#client.bulles.list(this.#options).then((all) => new Set(all.map(({ id }) => id)));
    return this.#bulles;
  }
}
