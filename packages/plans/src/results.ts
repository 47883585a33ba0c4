import type { Outcome, Post } from 'multilocal';
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
   * - `changed`: its key was carried out with other parameters, or under another key. `change` says what a run does.
   * - `refused`: `problems` says why.
   * - `unpreviewed`: no problem was found, but there was no preview. The operation has no preview, another
   *   action of the plan is invalid, or an earlier run lost its outcome and the next one looks for it: `summary` says which.
   * - `failed`: it was carried out, and a platform has refused it. `problems` says where and why.
   * - `done`: the journal says that it has happened.
   */
  readonly state: 'ready' | 'changed' | 'refused' | 'unpreviewed' | 'failed' | 'done';
  /** What a run does with what the key has made. */
  readonly change?: PlanChange | undefined;
  /** What would happen: location, platforms and moment, without a text. */
  readonly sentence: string;
  /** What would happen, for people: the sentence, the review that is answered, the whole text, and all else that is made. It has no contact. */
  readonly summary: string;
  /** More from the preview: `would be online at: Facebook 2026-12-01 09:00 (UTC+1)`. Of a correction, the old and the new values. */
  readonly details: readonly string[];
  /** Why the action cannot be carried out. */
  readonly problems: readonly PlanProblem[];
  /** What a person should look at. It prevents nothing. */
  readonly warnings: readonly PlanProblem[];
  /** What the action uses of monthly quotas. */
  readonly quota?: readonly PlanQuota[] | undefined;
  /** Where the action was written, if the plan says so: `semaine.csv:81`. */
  readonly source?: string | undefined;
}

/** What a run does with what a key has made. */
export interface PlanChange {
  /**
   * - `update`: a `PUT`.
   * - `replace`: it is deleted and made anew, which needs the permission `delete`.
   * - `retry`: it is published again on the `platforms` that have refused it, and only there.
   * - `adopt`: it was made under another key, and this key takes it over. No request.
   */
  readonly kind: 'update' | 'replace' | 'retry' | 'adopt';
  /** The parameters that differ. */
  readonly fields?: readonly string[] | undefined;
  /** Where a post is published again. */
  readonly platforms?: readonly string[] | undefined;
}

/** A pending post that an earlier version of the plan has made, and that the plan no longer has. */
export interface PlanLeftOver {
  /** The key under which it was made. */
  readonly key: string;
  /** The ids of its posts. */
  readonly ids: readonly (string | number)[];
  /** What it is and what would happen to it, for people: location, platforms, moment, and whole text, as the service has them. */
  readonly summary: string;
  /** The key of the action that seems to replace it. */
  readonly replacedBy?: string | undefined;
  /**
   * - `refuse`: it stops the plan. `problems` says why.
   * - `delete`: a run deletes it.
   * - `adopt`: the action `replacedBy` takes it over, and corrects it.
   * - `keep`: it stays, and appears.
   */
  readonly step: 'refuse' | 'delete' | 'adopt' | 'keep';
  /** Why it stops the plan. */
  readonly problems: readonly PlanProblem[];
  /** Its pending posts, as the service shows them. */
  readonly posts: readonly Post[];
}

/** The result of `rehearsePlan`. */
export interface Rehearsal {
  /** Whether a run with these options carries everything out. With `keepGoing`: everything that is not refused. */
  readonly ok: boolean;
  /** What a person should look at in the plan as a whole. */
  readonly warnings: readonly PlanProblem[];
  /** Each action of the plan, in its order. */
  readonly actions: readonly RehearsedAction[];
  /** The posts that the plan no longer has. */
  readonly leftOvers: readonly PlanLeftOver[];
  /** Requests that the rehearsal has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
  /**
   * SHA-256 of the name of the plan, of the actions with their keys and the places where they act, and of what else a run does: what it
   * deletes, moves, and publishes again. The order of parameters and platforms changes nothing, nor does a `Date` instead of the string of
   * the same moment. `runPlan` takes it as `approved`. `''` if the rehearsal is not `ok`: nothing may then be approved.
   */
  readonly hash: string;
}

/** What becomes of left-overs. */
export interface LeftOverOptions {
  /**
   * - `refuse`: the rehearsal is not `ok`, and a run sends nothing.
   * - `prune`: what was moved or reworded is corrected, and the rest is deleted.
   * - `keep`: they stay, and appear beside the plan.
   */
  readonly leftOver?: 'refuse' | 'prune' | 'keep' | undefined;
  /** Delete more than half of more than ten pending posts of the plan. */
  readonly allowMassDeletion?: boolean | undefined;
}

/** Choices that a rehearsal and a run share. */
export interface PlanChoices extends PlanOptions, LeftOverOptions {
  /** Make posts although the service already has the same ones, or had them: on the platforms where they were not seen online. */
  readonly again?: boolean | undefined;
  /** Go on with the other actions if one is refused, fails or stays unknown. Left-overs stop the plan all the same. */
  readonly keepGoing?: boolean | undefined;
  /** Publish posts that failed on a platform again, on that platform alone. What was due is then published at once. */
  readonly retryFailed?: boolean | undefined;
}

/** Options of `rehearsePlan`. */
export interface RehearseOptions extends PlanChoices {
  /** What has happened, by key. A rehearsal notes in it what it saw online, and what the service carried out instead of a preview. */
  readonly journal?: PlanJournal | undefined;
  /** Called with each action, as soon as it was rehearsed. Errors that it throws are ignored. */
  readonly onAction?: ((action: RehearsedAction) => unknown) | undefined;
}

/** What is known of one action after a run. */
export interface PlanStep {
  /** Number of the action, from 0. The deletion of a left-over has a number behind those of the actions. */
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
   * - `done`: every action has happened, and nothing is left to do or to find out.
   * - `partly`: with `keepGoing`, some have not. Their steps have a `problem`.
   * - `stopped`: the last step with a `problem` says why, or the `leftOvers`, or `signal` has ended the run. The next run goes on from
   *   there.
   */
  readonly state: 'done' | 'partly' | 'stopped';
  /**
   * A step for each action of the plan, in its order: those of earlier runs and those that were not reached, too. Empty if
   * `signal` ended the run before it knew the identity of its key.
   */
  readonly steps: readonly PlanStep[];
  /** What a rehearsal would have warned of. */
  readonly warnings: readonly PlanProblem[];
  /** The pending posts that the plan no longer has, and what became of them. */
  readonly leftOvers: readonly PlanLeftOver[];
  /** Requests that this run has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
}

/** Options of `runPlan`. */
export interface RunOptions extends PlanChoices {
  /** What has happened, by key. Several plans may share one: `fileJournal`, `sqlJournal` or `memoryJournal`. */
  readonly journal: PlanJournal;
  /** Called after each action that this run has settled. Errors that it throws are ignored. */
  readonly onStep?: ((step: PlanStep) => unknown) | undefined;
  /** The `hash` that was shown to the person who approved the plan. Another plan is refused. `''` and `undefined` refuse every plan. */
  readonly approved?: string;
}
