import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { operationsOf, readActions } from '@multilocal/plans/inside';
import type { PlanStep, RehearsedAction } from 'multilocal/plans';
import { AGENT, say } from '../../front.js';
import { sha256 } from '../../words.js';
import { refusal, said } from '../answer.js';
import { formOf } from '../form.js';
import { flagsOf } from '../options.js';
import { LONGEST_ANSWER, Refused } from '../refused.js';
import { type Job, objectionsTo, rehearsePlanOf, runPlanOf } from '../rehearsing.js';
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
    const saved = await session.plans.find(plan, connected.owner);
    const job = { ...connected, saved, session, turn };
    const rehearsed = await rehearsedOf(job);
    const { actions, leftOvers, ok } = rehearsed.rehearsal;
    const done = await doneOf(actions, job);
    const isLeft = actions.some(({ state }) => state !== 'done') || leftOvers.some(({ step }) => step === 'delete');
    if (ok && !isLeft) {
      const note = 'All of it was carried out before. Nothing was sent. To do it again, give the actions new keys.';
      return said({ plan, state: 'done', done, note }, session);
    }
    if (!isCurrent(rehearsed)) throw tooOld();
    if (!ok) {
      const refused = new Refused('plan_refused', 'The plan no longer passes.', 'Rehearse it again.');
      return refusal(refused, session, { problems: objectionsTo(rehearsed.rehearsal) });
    }
    refuseUnlisted(rehearsed, job);
    const { isUnattended } = session.settings;
    const asking = isUnattended ? undefined : await ask(rehearsed, done, job);
    if (asking) return asking;
    const { state, steps, requests, warnings, leftOvers: over } = await runPlanOf(job, rehearsed);
    const isStopped = state === 'stopped';
    const { actions: all, warnings: whole } = rehearsed.rehearsal;
    const known = new Set([...whole, ...all.flatMap((one) => one.warnings)].map(({ message }) => message));
    const news = warnings.filter(({ message }) => !known.has(message));
    const result = {
      plan,
      state,
      confirmed: isUnattended ? undefined : 'by the person',
      done_before: done.length > 0 ? done : undefined,
      steps: steps.map((step) => shown(step, actions.length)),
      warnings: news.length > 0 ? news.map(({ message }) => say(message, AGENT)) : undefined,
      left_over: over.flatMap(({ problems }) => problems.map(({ message }) => say(message, AGENT))),
      requests_sent: requests,
      advice: isStopped ? STOPPED : undefined,
    };
    return { ...said(result, session), ...(isStopped && { isError: true }) };
  },
};

const STOPPED = 'Tell the person. Calling `carry_out` again is safe: it looks up what may have happened, and goes on.';

function shown({ index, key, operation, outcome, ids, problem, warning }: PlanStep, count: number): object {
  const which = index < count ? { action: index + 1 } : { left_over: key };
  const [why, doubt] = [problem, warning].map((one) => one && say(one.message, AGENT));
  return { ...which, operation, outcome, ids, problem: why, warning: doubt };
}

/** An action that happened before. */
interface Done {
  readonly action: number;
  readonly operation: string;
  readonly done_at: string | undefined;
}

/** The actions of a plan that have happened, and when. */
async function doneOf(actions: readonly RehearsedAction[], { session, saved }: Job): Promise<Done[]> {
  const entries = await session.plans.entriesOf(saved);
  return actions.flatMap(({ index, key, operation, state }) => {
    const { at, made } = entries.get(key) ?? {};
    return state === 'done' ? [{ action: index + 1, operation, done_at: at ?? made?.at }] : [];
  });
}

/** How long a rehearsal counts, in ms. */
const FRESH = 10 * 60_000;

function isCurrent({ at }: Pick<Rehearsed, 'at'>): boolean {
  return Date.now() - at < FRESH;
}

function tooOld(): Refused {
  const message = 'The plan was not rehearsed by this server in the last ten minutes. Nothing was sent.';
  return new Refused('rehearsal_too_old', message, 'Call `rehearse` with the same actions, then `carry_out`.');
}

/**
 * The rehearsal of a plan. One counts for ten minutes, until a moment of the plan has passed, and until the journal has changed: the
 * plan is then rehearsed again. Without a person, the new one must show the same, and does not count for longer.
 */
async function rehearsedOf(job: Job): Promise<Rehearsed> {
  const { session, saved } = job;
  const known = session.rehearsed.get(saved.id);
  const { at = Number.NEGATIVE_INFINITY, options = [] }: Partial<Rehearsed> = known ?? {};
  const dates = readActions(saved.file.plan).actions.flatMap(({ params }) =>
    Object.entries(params).flatMap(([name, date]) => (name.startsWith('scheduled_') ? Date.parse(String(date)) : [])),
  );
  const isPast = dates.some((date) => date > at && date <= Date.now());
  if (known && isCurrent(known) && !isPast && known.journal === (await saved.journal.load())) return known;
  const again = await rehearsePlanOf(job, options);
  if (session.settings.isUnattended) {
    const isSame = known !== undefined && known.rehearsal.hash === again.rehearsal.hash;
    return { ...again, at: isSame ? at : Number.NEGATIVE_INFINITY };
  }
  if (again.rehearsal.ok) session.rehearsed.set(saved.id, again);
  else session.rehearsed.delete(saved.id);
  return again;
}

/** `--allow-writes=posts.create` allows no other operation. */
function refuseUnlisted({ rehearsal, options }: Rehearsed, { saved, session }: Job): void {
  const { settings, plans } = session;
  const { actions, leftOvers } = rehearsal;
  const needed = [
    ...actions.flatMap(({ operation, state, change }) =>
      state === 'done' ? [] : operationsOf(operation, change?.kind),
    ),
    ...leftOvers.flatMap(({ step }) => (step === 'delete' ? 'posts.delete' : [])),
  ];
  const other = needed.find((operation) => settings.writes?.has(operation) !== true);
  if (!other) return;
  const message = `This server may not carry out ${other}. Nothing was sent.`;
  throw new Refused('write_not_allowed', message, plans.advice(saved, flagsOf(options)));
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
async function ask(rehearsed: Rehearsed, done: readonly Done[], job: Job): Promise<InputRequiredResult | undefined> {
  const { saved, session, turn } = job;
  const person = session.plans.advice(saved, flagsOf(rehearsed.options));
  const refused = (why: keyof typeof REFUSALS, hint = person) => {
    const [code, message] = REFUSALS[why];
    return new Refused(code, message, hint);
  };
  if (!turn.canAsk) throw refused('cannot');
  const { rehearsal, warnings } = rehearsed;
  // What is left, or what speaks against it, may have changed since the person was asked.
  const asked = rehearsal.actions.map(({ key, state, change }) => [key, state === 'done', change]);
  const left = rehearsal.leftOvers.map(({ summary }) => summary);
  const subject = `${saved.id} ${sha256(JSON.stringify([rehearsal.hash, asked, left, warnings]))}`;
  const reply = turn.said(subject);
  if (reply.kind === 'elicit') {
    if (reply.action === 'accept' && reply.content?.confirm === true) return undefined;
    throw refused(reply.action, `Ask them what to change. ${person}`);
  }
  const form = session.output.clean(await formOf({ rehearsed, done }, job));
  if (form.length > LONGEST_ANSWER) throw refused('long');
  return turn.ask(subject, form);
}
