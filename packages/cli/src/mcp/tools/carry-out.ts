import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Action } from '@multilocal/plans/actions';
import { inView, readActions } from '@multilocal/plans/actions';
import { Context } from '@multilocal/plans/context';
import { hashOfActions } from '@multilocal/plans/hash';
import { Ledger } from '@multilocal/plans/ledger';
import { runPlan } from '@multilocal/plans/run';
import type { PlanRun, PlanStep } from 'multilocal/plans';
import { refuseRepeated } from '../../plan/journals.js';
import { refusal, said } from '../answer.js';
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
    const { client, identity } = connected;
    const saved = await session.plans.find(id, await ownerOf(client, identity));
    const actions = inView(readActions(saved.file.plan).actions, client);
    const ledger = await Ledger.open(saved.journal, actions, await new Context(client, {}).owner());
    const applied = actions.flatMap((action) => {
      const entry = ledger.entryOf(action);
      return entry?.outcome === 'applied' ? [{ action, at: entry.ended_at ?? entry.started_at }] : [];
    });
    const left = actions.filter((action) => !applied.some((one) => one.action === action));
    if (left.length === 0) {
      const done_at = applied
        .map(({ at }) => at)
        .sort()
        .at(-1);
      return said(
        { plan: id, state: 'done', done_at, note: 'All of it was carried out before. Nothing was sent.' },
        session,
      );
    }
    session.plans.refuseOld(saved, today());
    refuseUnlisted(left, session, saved);
    const refused = await rehearsedLately(saved, connected, session, turn);
    if (refused) return refused;
    if (!session.settings.isUnattended) {
      const asking = await ask(left, applied.length, saved, connected, session, turn);
      if (asking) return asking;
    }
    return session.plans.alone(async () => {
      // Another plan of the folder may have done some of it since the rehearsal.
      await refuseRepeated(saved.file, saved.journalPath, saved.journal, identity);
      const run = await runPlan(client, saved.file.plan, {
        journal: saved.journal,
        signal: turn.signal,
        approved: hashOfActions(actions),
        onStep: ({ index }) => turn.progress(index + 1, actions.length),
      });
      return report(run, saved, session);
    });
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
  if (Date.now() - (session.rehearsed.get(saved.id)?.at ?? Number.NEGATIVE_INFINITY) < FRESH) return undefined;
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
  const reply = turn.said(subject);
  if (reply.kind === 'elicit') {
    if (reply.action === 'accept' && reply.content?.confirm === true) return undefined;
    const [code, message] = REFUSALS[reply.action];
    throw new Refused(code, message, `Ask them what to change. ${person}`);
  }
  const { warnings = [] } = session.rehearsed.get(saved.id) ?? {};
  const form = session.output.clean(await formOf({ actions: left, done, warnings }, connected, session));
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
  const confirmed = session.settings.isUnattended ? undefined : 'by the person';
  const advice = state === 'stopped' ? STOPPED : undefined;
  const result = { plan: saved.id, state, confirmed, steps: steps.map(shown), requests_sent: requests, advice };
  return { ...said(result, session), ...(state === 'stopped' && { isError: true }) };
}

const STOPPED = 'Tell the person. Calling `carry_out` again is safe: it looks up what may have happened, and goes on.';

function shown({ index, operation, outcome, ids, problem, warning }: PlanStep): object {
  return { action: index + 1, operation, outcome, ids, problem: problem?.message, warning: warning?.message };
}
