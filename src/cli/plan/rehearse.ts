import * as z from 'zod/mini';
import {
  type Client,
  type Identity,
  isMultilocalError,
  type MultilocalError,
  QuotaExceededError,
} from '../../index.js';
import type { PostIssue } from '../../resources/posts-check.js';
import { postCreateParamsSchema } from '../../resources/posts-schema.js';
import { preflight } from '../../stages/preflight.js';
import { inCommandWords } from '../wording.js';
import type { Journal } from './journal.js';
import type { Plan, PlanAction } from './plan.js';
import { Previewer, type PreviewOptions } from './preview.js';
import { invalidPlan, type PlanProblem, type Position } from './problem.js';
import { isOpen, isUnresolved, PREVIEWED } from './resume.js';
import { DOUBTFUL } from './run.js';
import { Targets } from './targets.js';
import { type Cost, costsOf, describe, detailsOf, warningsOf } from './verdict.js';

/** What would happen to one action. */
export interface Verdict extends Position {
  /** Number of the action, from 0. */
  readonly action: number;
  readonly operation: string;
  /** The location, listing or object of the action. */
  readonly target: string | undefined;
  /**
   * - `ready`: the service has previewed the action.
   * - `no_preview`: the operation has no preview. Key, target and parameters are fine.
   * - `refused`: `problems` says why.
   * - `done`: the journal says that it has happened.
   * - `open`: an earlier run lost its outcome. The next run looks it up, or a person must settle it.
   */
  readonly state: 'ready' | 'no_preview' | 'refused' | 'done' | 'open';
  /** What would happen. It never shows a contact, and texts of previews are cut. */
  readonly summary: string;
  /** More from the preview: `use slug: pain-au-levain`. */
  readonly details: readonly string[];
  readonly costs: readonly Cost[];
  readonly problems: readonly PlanProblem[];
  /** Warnings, which prevent nothing. */
  readonly hints: readonly string[];
}

/** Options of {@link rehearsePlan}. */
export interface RehearseOptions extends PreviewOptions {
  /** Called after each action. */
  readonly onVerdict?: ((verdict: Verdict) => unknown) | undefined;
}

/**
 * Says for each action of a plan what would happen. Executes nothing. A preview that the service may execute, because it
 * has not shown yet that it honours `dry_run`, is in the journal while it is on its way.
 *
 * The permissions and targets of all actions are checked first. Posts are then compared with accounts and limits
 * (`posts.check`), and each operation that has a preview is previewed. An action that the service refuses is `refused`,
 * and the others are still rehearsed.
 * @throws a {@link PlanError} if the plan has problems, before anything is sent.
 * @throws the error of the client if it concerns the whole rehearsal: the key, the connection, the request limits. If the
 * service has executed the dry run, or may have, the journal has noted the action.
 */
export async function rehearsePlan(client: Client, plan: Plan, options: RehearseOptions = {}): Promise<Verdict[]> {
  const { journal, onVerdict, signal } = options;
  if (plan.problems.length > 0) throw invalidPlan('plan_invalid', plan.file, plan.problems);
  const identity = client.identity ?? (await client.me({ signal }));
  const used = new Map<string, number>();
  const verdicts: Verdict[] = [];
  const targets = new Targets(client, { signal });
  const rehearsing = { client, targets, previewer: new Previewer(client, options), options };
  const preflights = new Map(plan.actions.map((action) => [action, allowedBy(identity, action)]));
  signal?.throwIfAborted();
  for (const action of plan.actions) {
    const known = knownVerdict(action, journal);
    const refusal = preflights.get(action);
    const rehearsed = known ?? refusal ?? (await preview(action, rehearsing));
    const shared = sharedProblems(action, rehearsed, used);
    const problems = [...(rehearsed.problems ?? []), ...shared];
    const { index, operation, target, line, column } = action;
    const verdict: Verdict = {
      ...{ action: index, operation, target, line, column },
      ...{ summary: describe(action, problems.length > 0), details: [], costs: [] },
      ...rehearsed,
      state: problems.length > 0 ? 'refused' : rehearsed.state,
      problems,
      hints: [...(rehearsed.hints ?? []), ...twins(plan, action)],
    };
    verdicts.push(verdict);
    await onVerdict?.(verdict);
    // The preview that was on its way has been finished.
    signal?.throwIfAborted();
  }
  return verdicts;
}

type Rehearsed = Pick<Verdict, 'state'> & Partial<Verdict>;

const FAILURE = 'The response named a failure. Look in the service whether it happened. It is not sent again.';
const PREVIEW =
  'It may have happened: the service answered the request with a preview. A person must settle it, and it is never sent again.';
const OPEN = 'It may have happened. `--run` asks the service first, and sends it again only if it did not happen.';

function knownVerdict(action: PlanAction, journal: Journal | undefined): Rehearsed | undefined {
  const entry = journal?.entryOf(action);
  if (entry?.outcome === 'applied') {
    const hints = entry.error === DOUBTFUL ? [FAILURE] : [];
    return { state: 'done', summary: `Done at ${entry.ended_at ?? entry.started_at}.`, hints };
  }
  if (!isUnresolved(action, entry)) return undefined;
  return { state: 'open', summary: entry?.error === PREVIEWED ? PREVIEW : OPEN };
}

function allowedBy(identity: Identity, action: PlanAction): Rehearsed | undefined {
  const { endpoint, operation, params } = action;
  const { method, path } = endpoint;
  try {
    preflight(endpoint, params, identity, () => ({ operation, method, path }));
    return undefined;
  } catch (error) {
    return refusedBy(error, action);
  }
}

interface Rehearsing {
  readonly client: Client;
  readonly targets: Targets;
  readonly previewer: Previewer;
  readonly options: RehearseOptions;
}

async function preview(action: PlanAction, { client, targets, previewer, options }: Rehearsing): Promise<Rehearsed> {
  const { endpoint, operation, params } = action;
  const { journal, signal } = options;
  try {
    if (operation === 'posts.create') {
      const { issues } = await client.posts.check(z.parse(postCreateParamsSchema, params), { signal });
      if (issues.length > 0) return { state: 'refused', problems: issues.map((issue) => postProblem(action, issue)) };
    }
    if (!endpoint.dryRun) {
      // A deletion whose outcome is open may have happened.
      const isDeleted = endpoint.method === 'DELETE' && isOpen(journal?.entryOf(action));
      const problems = isDeleted ? [] : await targets.problemsOf(action);
      const hints = ['The operation has no preview. It is carried out only with --run.'];
      return { state: 'no_preview', costs: costsOf(action, undefined), problems, hints };
    }
    const fields = Object(await previewer.send(action)) as Record<string, unknown>;
    const costs = costsOf(action, fields.quota);
    return { state: 'ready', details: detailsOf(action, fields), costs, hints: warningsOf(action, fields) };
  } catch (error) {
    return refusedBy(error, action);
  }
}

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 422]);

/** Makes an error a problem of its action. Throws errors that concern the whole rehearsal. */
function refusedBy(error: unknown, action: PlanAction): Rehearsed {
  const { status }: { status?: number } = Object(error);
  const isRefusal = isMultilocalError(error) && (REFUSALS.has(status ?? 0) || error instanceof QuotaExceededError);
  if (!isRefusal) throw error;
  return { state: 'refused', problems: [problemOf(error, action)] };
}

/** The parameter that an error is about. */
const PARAMETERS: Readonly<Record<string, string>> = {
  bulle_not_found: 'bulle_id',
  bulle_out_of_scope: 'bulle_id',
  fiche_out_of_scope: 'fiche_id',
  platform_not_connected: 'platforms',
};

function problemOf({ code, message }: MultilocalError, action: PlanAction): PlanProblem {
  const parameter = PARAMETERS[code];
  return {
    ...action.at(...(parameter === undefined ? [] : [parameter])),
    action: action.index,
    code,
    message: inCommandWords(message),
  };
}

function postProblem(action: PlanAction, { platform, code, message }: PostIssue): PlanProblem {
  const { params } = action;
  const image = params.image_urls === undefined ? 'image_url' : 'image_urls';
  const text = params.content === undefined ? 'text' : 'content';
  const index = [params.platforms].flat().indexOf(platform);
  const path = code === 'text_too_long' ? [text] : /image|media/.test(code) ? [image] : ['platforms', index];
  return { ...action.at(...path), action: action.index, code, message: `${message}.` };
}

/** Finds that the actions together need more than is left of a quota. No preview of a single action shows that. */
function sharedProblems(action: PlanAction, { costs = [] }: Rehearsed, used: Map<string, number>): PlanProblem[] {
  const { params, index } = action;
  return costs.flatMap(({ quota, uses, left }) => {
    const owner = `${quota} ${params.bulle_id ?? params.fiche_id ?? ''}`;
    const before = used.get(owner) ?? 0;
    used.set(owner, before + uses);
    if (left === undefined || before + uses <= left) return [];
    const message = `The actions up to this one need ${before + uses} ${quota}, and ${left} are left this month.`;
    return [{ ...action.at(), action: index, code: 'quota_exceeded', message }];
  });
}

/** Warns about two identical actions. They are allowed, but are rarely intended. */
function twins({ actions }: Plan, action: PlanAction): string[] {
  const twin = actions.find(({ hash, index }) => hash === action.hash && index < action.index);
  return twin ? [`Line ${twin.line} has the same action. Both would happen.`] : [];
}
