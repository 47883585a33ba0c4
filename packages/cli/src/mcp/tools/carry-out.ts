import type { InputRequiredResult } from '@modelcontextprotocol/server';
import {
  type Action,
  asKnown,
  Context,
  decide,
  hashOfActions,
  inView,
  Ledger,
  readActions,
  runPlan,
  sha256,
  tasksOf,
} from '@multilocal/plans/inside';
import type { PlanStep } from 'multilocal/plans';
import { refusal, said } from '../answer.js';
import { formOf } from '../form.js';
import { LONGEST_ANSWER, Refused } from '../refused.js';
import { isPassed, type Job, objectionsTo, rehearsePlanOf } from '../rehearsing.js';
import type { Rehearsed } from '../session.js';
import type { Tool } from './tool.js';

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
  async run({ plan }, session, turn) {
    const connected = await session.connect();
    const { client, owner } = connected;
    const saved = await session.plans.find(plan, owner);
    const job = { ...connected, saved, session, turn };
    const given = readActions(saved.file.plan).actions;
    const actions = asKnown(given, client, (await ledgerOf(job)).entries());
    if (!(await isFresh(actions, job))) {
      const rehearsal = await rehearsePlanOf(job);
      if (!isPassed(rehearsal)) {
        const message = 'The plan does not pass any more. Nothing was sent.';
        const refused = new Refused('plan_refused', message, 'Rehearse it again.');
        return refusal(refused, session, { problems: objectionsTo(rehearsal) });
      }
    }
    const before = await doneOf(actions, job);
    const left = actions.filter(({ key }) => !before.some((one) => one.key === key));
    const shownBefore = before.map(({ index, operation, at }) => ({ action: index + 1, operation, done_at: at }));
    if (left.length === 0) {
      const note = 'All of it was carried out before. Nothing was sent. To do it again, give the actions new keys.';
      return said({ plan, state: 'done', done: shownBefore, note }, session);
    }
    refuseUnlisted(left, job);
    const { isUnattended } = session.settings;
    const asking = isUnattended ? undefined : await ask(left, before, job);
    if (asking) return asking;
    const { state, steps, requests } = await runPlan(client, saved.file.plan, {
      journal: saved.journal,
      signal: turn.signal,
      approved: hashOfActions(inView(given, client)),
      onStep: ({ index }) => turn.progress(index + 1, actions.length),
    });
    const isStopped = state === 'stopped';
    const result = {
      plan,
      state,
      confirmed: isUnattended ? undefined : 'by the person',
      done_before: shownBefore.length > 0 ? shownBefore : undefined,
      steps: steps.map(shown),
      requests_sent: requests,
      advice: isStopped ? STOPPED : undefined,
    };
    return { ...said(result, session), ...(isStopped && { isError: true }) };
  },
};

const STOPPED = 'Tell the person. Calling `carry_out` again is safe: it looks up what may have happened, and goes on.';

function shown({ index, operation, outcome, ids, problem, warning }: PlanStep): object {
  return { action: index + 1, operation, outcome, ids, problem: problem?.message, warning: warning?.message };
}

/** An action that happened before. */
interface Done extends Pick<Action, 'key' | 'index' | 'operation'> {
  readonly at: string;
}

/** The actions of a plan that have happened, unless its last rehearsal has found that what they made was deleted. */
async function doneOf(actions: readonly Action[], job: Job): Promise<Done[]> {
  const ledger = await ledgerOf(job);
  const rehearsed = job.session.rehearsed.get(job.saved.id);
  return actions.flatMap(({ key, index, operation, hash }) => {
    const entry = ledger.entryOf(key);
    if (entry?.outcome !== 'applied' || entry.hash !== hash) return [];
    const at = entry.ended_at ?? entry.started_at;
    const isThere = !rehearsed || rehearsed.done.has(key) || Date.parse(at) >= rehearsed.at;
    return isThere ? [{ key, index, operation, at }] : [];
  });
}

async function ledgerOf({ saved, client }: Job): Promise<Ledger> {
  const context = new Context(client, {});
  return Ledger.open(saved.journal, await context.owner(), { timer: context.timer });
}

/** How long a rehearsal counts, in ms. */
const FRESH = 10 * 60_000;

/**
 * Whether a plan needs no rehearsal. One counts for ten minutes, until a moment of the plan has passed, and until another plan has
 * made an action a correction, which neither the form nor the list of operations knows. A plan that is done needs none.
 */
async function isFresh(actions: readonly Action[], job: Job): Promise<boolean> {
  const { session, saved } = job;
  const { at = Number.NEGATIVE_INFINITY, changes }: Partial<Rehearsed> = session.rehearsed.get(saved.id) ?? {};
  const ledger = await ledgerOf(job);
  const isKnown = actions.every((action) => {
    const entry = ledger.entryOf(action.key);
    const [{ endpoint } = action] = tasksOf(action, entry, decide(action, entry, {}));
    const known = [action.operation, ...(changes?.get(action.key)?.operations ?? [])];
    const moments = Object.entries(action.params).filter(([name]) => name.startsWith('scheduled_'));
    const times = moments.map(([, moment]) => Date.parse(String(moment)));
    return known.includes(endpoint.operation) && !times.some((time) => time > at && time <= Date.now());
  });
  if (Date.now() - at < FRESH && isKnown) return true;
  if ((await doneOf(actions, job)).length === actions.length) return true;
  if (!session.settings.isUnattended) return false;
  const message = 'The plan was not rehearsed by this server in the last ten minutes. Nothing was sent.';
  throw new Refused('rehearsal_too_old', message, 'Call `rehearse` with the same actions, then `carry_out`.');
}

/** `--allow-writes=posts.create` allows no other operation. */
function refuseUnlisted(actions: readonly Action[], { saved, session }: Job): void {
  const { settings, plans, rehearsed } = session;
  const changes = rehearsed.get(saved.id)?.changes;
  const needed = actions.flatMap(({ key, operation }) => changes?.get(key)?.operations ?? [operation]);
  const other = needed.find((operation) => settings.writes?.has(operation) !== true);
  if (!other) return;
  const message = `This server may not carry out ${other}. Nothing was sent.`;
  throw new Refused('write_not_allowed', message, plans.advice(saved));
}

const REFUSALS = {
  accept: ['not_confirmed', 'The person did not tick the confirmation. Nothing was sent.'],
  decline: ['declined', 'The person has declined the plan. Nothing was sent.'],
  cancel: ['cancelled', 'The person has closed the confirmation without an answer. Nothing was sent.'],
  cannot: [
    'cannot_ask',
    'This client cannot ask the person, and nothing is carried out without a confirmation. Nothing was sent.',
  ],
  long: ['form_too_long', 'The texts are too long for a confirmation. Nothing was sent.'],
} as const;

/** Asks the person. `undefined`: they have confirmed the plan. */
async function ask(
  actions: readonly Action[],
  done: readonly Done[],
  job: Job,
): Promise<InputRequiredResult | undefined> {
  const { saved, session, turn } = job;
  const person = session.plans.advice(saved);
  const refused = (why: keyof typeof REFUSALS, hint = person) => {
    const [code, message] = REFUSALS[why];
    return new Refused(code, message, hint);
  };
  if (!turn.canAsk) throw refused('cannot');
  const { warnings = [], changes = new Map() }: Partial<Rehearsed> = session.rehearsed.get(saved.id) ?? {};
  // What is left, or what speaks against it, may have changed since the person was asked.
  const asked = actions.map(({ key, hash }) => [hash, changes.get(key)?.summary]);
  const subject = `${saved.id} ${sha256(JSON.stringify([asked, warnings]))}`;
  const reply = turn.said(subject);
  if (reply.kind === 'elicit') {
    if (reply.action === 'accept' && reply.content?.confirm === true) return undefined;
    throw refused(reply.action, `Ask them what to change. ${person}`);
  }
  const form = session.output.clean(await formOf({ actions, done, warnings, changes }, job));
  if (form.length > LONGEST_ANSWER) throw refused('long');
  return turn.ask(subject, form);
}
