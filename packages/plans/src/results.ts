import type { Outcome } from 'multilocal';
import type { PlanJournal } from 'multilocal/node';
import type { PlanProblem } from './actions.js';
import type { PlanOptions } from './context.js';
import type { PlanQuota } from './describe.js';

/** What would happen to one action. */
export interface RehearsedAction {
  /** Number of the action, from 0. */
  readonly index: number;
  /** The key of the action. `''` if the action is invalid. */
  readonly key: string;
  /** The operation of the action. `''` if the plan names none. */
  readonly operation: string;
  /** The location, listing or object of the action. `undefined` if it has none, or is invalid. */
  readonly target: string | undefined;
  /**
   * - `ready`: the service has previewed the action.
   * - `changed`: its key was carried out with other parameters. A run corrects what it has made, as `change` says.
   * - `refused`: `problems` says why.
   * - `unpreviewed`: no problem was found, but there was no preview. The operation has no preview, another
   *   action of the plan is invalid, or an earlier run lost its outcome: `summary` says which.
   * - `done`: the journal says that it has happened.
   */
  readonly state: 'ready' | 'changed' | 'refused' | 'unpreviewed' | 'done';
  /** The correction of a `changed` action. */
  readonly change?: PlanChange | undefined;
  /** What would happen, for people: location, platforms, moment, whole text, and the review that is answered. It has no contact. */
  readonly summary: string;
  /** More from the preview: `would be online at: Facebook 2026-12-01 09:00 (UTC+1)`. Of a correction, the old and the new values. */
  readonly details: readonly string[];
  /** Why the action cannot be carried out. */
  readonly problems: readonly PlanProblem[];
  /** What a person should look at. It prevents nothing, but a twin on the service stops a run without `again`. */
  readonly warnings: readonly PlanProblem[];
  /** What the action uses of monthly quotas. */
  readonly quota?: readonly PlanQuota[] | undefined;
}

/** The correction of what an action has made. */
export interface PlanChange {
  /** `update`: a `PUT`. `replace`: it is deleted and made anew, which needs the permission `delete`. */
  readonly kind: 'update' | 'replace';
  /** The parameters that differ. */
  readonly fields: readonly string[];
}

/** A post that a plan with `prune` deletes. */
export interface PrunedPost {
  /** The key of the action that has made it. */
  readonly key: string;
  /** The id of the post. */
  readonly id: string | number;
  /** What would happen, for people. */
  readonly summary: string;
  /** Why the post cannot be deleted. */
  readonly problems: readonly PlanProblem[];
}

/** The result of `rehearsePlan`. */
export interface Rehearsal {
  /** Whether no action and no deletion is refused. */
  readonly ok: boolean;
  /** What a person should look at in the plan as a whole: posts that it no longer has (`left_over`, `unknown_outcome`). */
  readonly warnings: readonly PlanProblem[];
  /** Each action of the plan, in its order. */
  readonly actions: readonly RehearsedAction[];
  /** With `prune`, the pending posts that a run deletes. */
  readonly prune: readonly PrunedPost[];
  /** Requests that the rehearsal has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
  /**
   * SHA-256 of the actions with their keys, the places where they act and, with `prune`, the keys that are deleted. The order of parameters changes nothing, nor does a `Date` instead of the string of the same
   * moment. `runPlan` takes it as `approved`. `''` if an action is invalid.
   */
  readonly hash: string;
}

/** Options of `rehearsePlan`. */
export interface RehearseOptions extends PlanOptions {
  /** What earlier runs have done. Without it, every action counts as new. */
  readonly journal?: PlanJournal | undefined;
  /** Say which pending posts a run with `prune` deletes. */
  readonly prune?: boolean | undefined;
  /** Called after each action. Errors that it throws are ignored. */
  readonly onAction?: ((action: RehearsedAction) => unknown) | undefined;
}

/** What is known of one action after a run. */
export interface PlanStep {
  /** Number of the action, from 0. A deletion of `prune` has a number behind those of the actions. */
  readonly index: number;
  /** The key of the action. */
  readonly key: string;
  /** The operation of the action. */
  readonly operation: string;
  /** Whether the action happened, in this run or an earlier one. */
  readonly outcome: Outcome;
  /** Ids of what was made. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** The body of the response. Absent if an earlier run has carried the action out. */
  readonly result?: unknown;
  /** Why the action did not happen, or may not have, and what to do. */
  readonly problem?: PlanProblem | undefined;
  /** What the response says against an action that was carried out. */
  readonly warning?: PlanProblem | undefined;
  /** The error of the action. */
  readonly error?: unknown;
}

/** The result of `runPlan`. */
export interface PlanRun {
  /**
   * - `done`: every action has happened.
   * - `partly`: with `keepGoing`, some have not. Their steps have a `problem`.
   * - `stopped`: the last step with a `problem` says why, or `signal` has ended the run. The next run goes on from there.
   */
  readonly state: 'done' | 'partly' | 'stopped';
  /**
   * A step for each action of the plan, in its order: those of earlier runs and those that were not reached, too. Empty if
   * `signal` ended the run before it knew the identity of its key.
   */
  readonly steps: readonly PlanStep[];
  /** Requests that this run has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
}

/** Options of `runPlan`. */
export interface RunOptions extends PlanOptions {
  /** What has happened, by key. Several plans may share one: `fileJournal`, `sqlJournal` or `memoryJournal`. */
  readonly journal: PlanJournal;
  /** Called after each action that this run has settled. Errors that it throws are ignored. */
  readonly onStep?: ((step: PlanStep) => unknown) | undefined;
  /** The `hash` that was shown to the person who approved the plan. Another plan is refused, and `''` refuses every plan. */
  readonly approved?: string | undefined;
  /** Carry an action out although the service already has the same post and the journal does not know it. */
  readonly again?: boolean | undefined;
  /** Go on with the other actions if one is refused, fails or stays unknown. */
  readonly keepGoing?: boolean | undefined;
  /**
   * Delete pending posts whose key begins with the name of the plan and a slash, and that the plan no longer has, unless a plan
   * with another name has made them.
   */
  readonly prune?: boolean | undefined;
}
