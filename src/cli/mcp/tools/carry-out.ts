import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { type Action, readActions } from '../../../plans/actions.js';
import { type PlanRun, type PlanStep, runPlan } from '../../../plans/index.js';
import { answer, refusal } from '../answer.js';
import { formOf } from '../form.js';
import { type SavedPlan, today } from '../plan-folder.js';
import { LONGEST_ANSWER, Refused } from '../refused.js';
import { FRESH, isPassed, objectionsTo, ownerOf, rehearsePlanOf } from '../rehearsing.js';
import type { Connected, Session } from '../session.js';
import type { Tool, Turn } from './tool.js';

/** Carries out a rehearsed plan, once. */
export const carryOut: Tool<{ plan: string }> = {
  name: 'carry_out',
  description:
    'Carry out a rehearsed plan of today. Asks the person to confirm it. Repeating the call is safe: nothing is done twice.',
  input: {
    type: 'object',
    properties: { plan: { type: 'string', description: 'Id from `rehearse`' } },
    required: ['plan'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async run({ plan: id }, session, turn) {
    const connected = await session.connect();
    const saved = await session.plans.find(id, await ownerOf(connected.client, connected.identity), today());
    const { actions } = readActions(saved.file.plan);
    const entries = await session.plans.entries(saved);
    const applied = entries.filter(({ outcome }) => outcome === 'applied');
    const left = actions.filter(({ hash }) => !applied.some(({ action }) => action === hash));
    if (left.length === 0) {
      const done_at = applied
        .map(({ ended_at, started_at }) => ended_at ?? started_at)
        .sort()
        .at(-1);
      const note = 'All of it was carried out before. Nothing was sent.';
      return answer({ plan: id, state: 'done', done_at, note }, session);
    }
    refuseUnlisted(left, session, saved);
    const refused = await rehearsedLately(saved, connected, session, turn);
    if (refused) return refused;
    if (!session.settings.isUnattended) {
      const asking = await ask(left, applied.length, saved, connected, session, turn);
      if (asking) return asking;
    }
    const run = await runPlan(connected.client, saved.file.plan, {
      journal: saved.journal,
      signal: turn.signal,
      approved: saved.hash,
      onStep: ({ index }) => turn.progress(index + 1, actions.length),
    });
    return report(run, saved, session);
  },
};

/** `--allow-writes=posts.create` allows no other operation. */
function refuseUnlisted(actions: readonly Action[], { settings, plans }: Session, saved: SavedPlan): void {
  const other = actions.find(({ operation }) => settings.writes?.has(operation) !== true);
  if (!other) return;
  const message = `This server may not carry out ${other.operation}. Nothing was sent.`;
  throw new Refused('write_not_allowed', message, plans.advice(saved));
}

/** A rehearsal counts for ten minutes. Returns the refusal of a plan that passes no more. */
async function rehearsedLately(
  saved: SavedPlan,
  connected: Connected,
  session: Session,
  turn: Turn,
): Promise<CallToolResult | undefined> {
  if (Date.now() - (session.rehearsedAt.get(saved.id) ?? Number.NEGATIVE_INFINITY) < FRESH) return undefined;
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
  done: number,
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
  // What is left may have changed since the person was asked.
  const subject = `${saved.id} ${left.map(({ hash }) => hash).join(' ')}`;
  const said = turn.said(subject);
  if (said.kind === 'elicit') {
    if (said.action === 'accept' && said.content?.confirm === true) return undefined;
    const [code, message] = REFUSALS[said.action];
    throw new Refused(code, message, `Ask them what to change. ${person}`);
  }
  const form = session.output.clean(await formOf(left, done, connected, session));
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

function report({ state, steps, requests }: PlanRun, saved: SavedPlan, session: Session): CallToolResult {
  const said = answer(
    {
      plan: saved.id,
      state,
      confirmed: session.settings.isUnattended ? undefined : 'by the person',
      steps: steps.map(shown),
      requests_sent: requests,
      ...(state === 'stopped' && STOPPED),
    },
    session,
  );
  return state === 'done' ? said : { ...said, isError: true };
}

const STOPPED = {
  advice: 'Tell the person. Calling `carry_out` again is safe: it looks up what may have happened, and goes on.',
};

function shown({ index, operation, outcome, ids, problem, warning }: PlanStep): object {
  return { action: index + 1, operation, outcome, ids, problem: problem?.message, warning: warning?.message };
}
