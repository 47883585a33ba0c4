import { momentOf } from './accounts.js';
import { type Action, at, type PlanProblem } from './actions.js';

const HOUR = 3_600_000;

/** Warns about what a plan itself shows: moments in the past, actions that it has twice, posts that follow too soon. */
export class PlanWarnings {
  readonly #now: number;
  /** The first action of each hash. */
  readonly #first = new Map<string, Action>();
  /** The moments of the posts so far, for each account. */
  readonly #posts = new Map<string, { index: number; due: number }[]>();

  /** `now` is in ms since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  /** Returns the warnings about the next action of the plan. */
  next(action: Action): PlanProblem[] {
    return [...this.#past(action), ...this.#again(action), ...this.#soon(action)];
  }

  #past(action: Action): PlanProblem[] {
    const names = Object.keys(action.params).filter((name) => name.startsWith('scheduled_'));
    return names.flatMap((name) => {
      const due = momentOf(action.params, name.replace('scheduled_', ''));
      if (due === undefined || due >= this.#now) return [];
      const message = `\`${name}\` is in the past. The service may publish at once.`;
      return [{ code: 'in_the_past', message, path: at(action, name) }];
    });
  }

  #again(action: Action): PlanProblem[] {
    const first = this.#first.get(action.hash);
    if (!first) this.#first.set(action.hash, action);
    if (!first) return [];
    const message = `Action ${first.index + 1} of the plan is the same. Both would happen.`;
    return [{ code: 'same_action', message, path: at(action) }];
  }

  #soon(action: Action): PlanProblem[] {
    const { operation, params, index } = action;
    if (operation !== 'posts.create' && operation !== 'social.publish') return [];
    return [params.platforms].flat().flatMap((given) => {
      const platform = String(given);
      const due = momentOf(params, platform);
      if (due === undefined) return [];
      const account = `${platform} ${params.bulle_id ?? ''}`;
      const others = this.#posts.get(account) ?? [];
      const near = others.find((other) => Math.abs(other.due - due) < HOUR);
      this.#posts.set(account, [...others, { index, due }]);
      if (!near) return [];
      const message = `${platform}: action ${near.index + 1} publishes on the same account within an hour.`;
      return [{ code: 'same_account', message, path: at(action, 'platforms') }];
    });
  }
}
