import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Action } from '@multilocal/plans/actions';
import { inView, readActions } from '@multilocal/plans/actions';
import { Context } from '@multilocal/plans/context';
import { decide } from '@multilocal/plans/decide';
import { hashOfActions, sha256 } from '@multilocal/plans/hash';
import { Ledger } from '@multilocal/plans/ledger';
import { runPlan } from '@multilocal/plans/run';
import { tasksOf } from '@multilocal/plans/tasks';
import type { PlanRun, PlanStep } from 'multilocal/plans';
import { refusal, said } from '../answer.js';
import { formOf } from '../form.js';
import type { SavedPlan } from '../plan-folder.js';
import { LONGEST_ANSWER, Refused } from '../refused.js';
import { FRESH, isPassed, objectionsTo, ownerOf, rehearsePlanOf } from '../rehearsing.js';
import type { Connected, Rehearsed, Session } from '../session.js';
import type { Tool, Turn } from './tool.js';

/** Carries out a rehearsed plan, once. */
export const carryOut: Tool<{ plan: string }> = {
  name: 'carry_out',
  description:
    'Carry out a rehearsed plan. Asks the person to confirm it. Repeating the call is safe: nothing is done twice.',
  input: {
    type: 'object',
    properties: { plan: { type: 'string', description: 'Id from `rehearse`' } },
    required: ['plan'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async run({ plan: id }, session, turn) {
    const connected = await session.connect();
    const { client } = connected;
    const saved = await session.plans.find(id, await ownerOf(client, connected.identity));
    const actions = inView(readActions(saved.file.plan).actions, client);
    const refused = await rehearsedLately(saved, actions, connected, session, turn);
    if (refused) return refused;
    const applied = await doneOf(saved, actions, connected, session);
    const left = actions.filter(({ key }) => !applied.some((one) => one.key === key));
    if (left.length === 0) {
      const note = 'All of it was carried out before. Nothing was sent. To do it again, give the actions new keys.';
      return said({ plan: id, state: 'done', done: applied.map(shownDone), note }, session);
    }
    refuseUnlisted(left, session, saved);
    if (!session.settings.isUnattended) {
      const asking = await ask(left, applied, saved, connected, session, turn);
      if (asking) return asking;
    }
    const run = await runPlan(client, saved.file.plan, {
      journal: saved.journal,
      signal: turn.signal,
      approved: hashOfActions(actions),
      onStep: ({ index }) => turn.progress(index + 1, actions.length),
    });
    return report(run, applied, saved, session);
  },
};

/** An action that happened before. */
interface Done {
  readonly key: string;
  readonly index: number;
  readonly operation: string;
  readonly at: string;
}

/** The actions of a plan that have happened, unless its last rehearsal has found that somebody has deleted what they made. */
async function doneOf(
  saved: SavedPlan,
  actions: readonly Action[],
  { client }: Connected,
  session: Session,
): Promise<Done[]> {
  const ledger = await ledgerOf(saved, client);
  const rehearsed = session.rehearsed.get(saved.id);
  return actions.flatMap(({ key, index, operation, hash }) => {
    const entry = ledger.entryOf(key);
    if (entry?.outcome !== 'applied' || entry.hash !== hash) return [];
    const at = entry.ended_at ?? entry.started_at;
    const isThere = !rehearsed || rehearsed.done.has(key) || Date.parse(at) >= rehearsed.at;
    return isThere ? [{ key, index, operation, at }] : [];
  });
}

async function ledgerOf({ journal }: SavedPlan, client: Connected['client']): Promise<Ledger> {
  const context = new Context(client, {});
  return Ledger.open(journal, await context.owner(), { timer: context.timer });
}

/** Whether another plan has made an action a correction since the rehearsal: neither the form nor the list of operations knows it. */
function hasMoved(actions: readonly Action[], ledger: Ledger, { changes }: Partial<Rehearsed>): boolean {
  return actions.some((action) => {
    const entry = ledger.entryOf(action.key);
    const [{ endpoint } = action] = tasksOf(action, entry, decide(action, entry, {}));
    const { operation } = endpoint;
    return operation !== action.operation && changes?.get(action.key)?.operations.includes(operation) !== true;
  });
}

function shownDone({ index, operation, at }: Done): object {
  return { action: index + 1, operation, done_at: at };
}

/** `--allow-writes=posts.create` allows no other operation. */
function refuseUnlisted(actions: readonly Action[], { settings, plans, rehearsed }: Session, saved: SavedPlan): void {
  const needed = actions.flatMap(
    ({ key, operation }) => rehearsed.get(saved.id)?.changes.get(key)?.operations ?? [operation],
  );
  const other = needed.find((operation) => settings.writes?.has(operation) !== true);
  if (!other) return;
  const message = `This server may not carry out ${other}. Nothing was sent.`;
  throw new Refused('write_not_allowed', message, plans.advice(saved));
}

/**
 * A rehearsal counts for ten minutes, and until a moment of the plan has passed. Returns the refusal of a plan that passes no
 * more. A plan that is done needs none.
 */
async function rehearsedLately(
  saved: SavedPlan,
  actions: readonly Action[],
  connected: Connected,
  session: Session,
  turn: Turn,
): Promise<CallToolResult | undefined> {
  const rehearsed: Partial<Rehearsed> = session.rehearsed.get(saved.id) ?? {};
  const { at = Number.NEGATIVE_INFINITY } = rehearsed;
  const hasPassed = actions.some(({ params }) => {
    const moments = Object.entries(params).filter(([name]) => name.startsWith('scheduled_'));
    return moments.some(([, moment]) => Date.parse(String(moment)) > at && Date.parse(String(moment)) <= Date.now());
  });
  const isKnown = !hasPassed && !hasMoved(actions, await ledgerOf(saved, connected.client), rehearsed);
  if (Date.now() - at < FRESH && isKnown) return undefined;
  if ((await doneOf(saved, actions, connected, session)).length === actions.length) return undefined;
  if (session.settings.isUnattended) {
    const message = 'The plan was not rehearsed by this server in the last ten minutes. Nothing was sent.';
    throw new Refused('rehearsal_too_old', message, 'Call `rehearse` with the same actions, then `carry_out`.');
  }
  const rehearsal = await rehearsePlanOf(saved, connected, session, turn);
  if (isPassed(rehearsal)) return undefined;
  const message = 'The plan does not pass any more. Nothing was sent.';
  return refusal(new Refused('plan_refused', message, 'Rehearse it again.'), session, {
    problems: objectionsTo(rehearsal),
  });
}

/** Asks the person. `undefined`: they have confirmed the plan. */
async function ask(
  left: readonly Action[],
  done: readonly Done[],
  saved: SavedPlan,
  connected: Connected,
  session: Session,
  turn: Turn,
): Promise<InputRequiredResult | undefined> {
  const person = session.plans.advice(saved);
  if (!turn.canAsk) {
    const message =
      'This client cannot ask the person, and nothing is carried out without a confirmation. Nothing was sent.';
    throw new Refused('cannot_ask', message, person);
  }
  const { warnings = [], changes = new Map() } = session.rehearsed.get(saved.id) ?? {};
  // What is left, or what speaks against it, may have changed since the person was asked.
  const shown = left.map(({ key, hash }) => [hash, changes.get(key)?.summary]);
  const subject = `${saved.id} ${sha256(JSON.stringify([shown, warnings]))}`;
  const reply = turn.said(subject);
  if (reply.kind === 'elicit') {
    if (reply.action === 'accept' && reply.content?.confirm === true) return undefined;
    const [code, message] = REFUSALS[reply.action];
    throw new Refused(code, message, `Ask them what to change. ${person}`);
  }
  const form = session.output.clean(await formOf({ actions: left, done, warnings, changes }, connected, session));
  if (form.length > LONGEST_ANSWER) {
    throw new Refused('form_too_long', 'The texts are too long for a confirmation. Nothing was sent.', person);
  }
  return turn.ask(subject, form);
}

const REFUSALS = {
  accept: ['not_confirmed', 'The person did not tick the confirmation. Nothing was sent.'],
  decline: ['declined', 'The person has declined the plan. Nothing was sent.'],
  cancel: ['cancelled', 'The person has closed the confirmation without an answer. Nothing was sent.'],
} as const;

function report(run: PlanRun, done: readonly Done[], saved: SavedPlan, session: Session): CallToolResult {
  const { state, steps, requests } = run;
  const confirmed = session.settings.isUnattended ? undefined : 'by the person';
  const advice = state === 'stopped' ? STOPPED : undefined;
  const before = done.length > 0 ? done.map(shownDone) : undefined;
  const result = {
    plan: saved.id,
    state,
    confirmed,
    done_before: before,
    steps: steps.map(shown),
    requests_sent: requests,
    advice,
  };
  return { ...said(result, session), ...(state === 'stopped' && { isError: true }) };
}

const STOPPED = 'Tell the person. Calling `carry_out` again is safe: it looks up what may have happened, and goes on.';

function shown({ index, operation, outcome, ids, problem, warning }: PlanStep): object {
  return { action: index + 1, operation, outcome, ids, problem: problem?.message, warning: warning?.message };
}
