import { dirname } from 'node:path';
import {
  costOfPlan,
  hashOfPlan,
  offline,
  readActions,
  refuseUnapproved,
  rehearseWithout,
  runWithout,
} from '@multilocal/plans/inside';
import type { Both } from '@multilocal/plans/words';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Client } from 'multilocal';
import type { Plan, PlanChoices, PlanJournal, PlanRun, Rehearsal } from 'multilocal/plans';
import { argument, CONNECTION_ARGS, command, flag, LOCALE, option } from '../command.js';
import { clientOf, rateLimitOf } from '../connection.js';
import { contractFor } from '../contract/known-service.js';
import { EXIT, exitCodeOf, Failed, Interrupted, UsageError } from '../failure.js';
import { nameJournal } from '../front.js';
import { CHOICE_ARGS, choicesOf } from '../plan/choices.js';
import { JOURNAL, journalBeside, journalOf } from '../plan/journals.js';
import { readPlan, UnreadablePlan } from '../plan/plan-file.js';
import { REPORT, Reports } from '../plan/reports.js';
import { endedWith, RehearsalReport } from '../rehearsal-report.js';
import { USAGE } from '../usage-said.js';
import { WORDING } from '../wording.js';

// cspell:ignore envoyé rien
const SENDS_NOTHING: Both = [': it sends nothing', ' : rien n’est envoyé'];

export const rehearse = command({
  description: 'Check and preview every action of a plan; --run executes it',
  args: {
    plan: argument('The plan, a JSON or YAML file'),
    run: flag('Carry the plan out after the rehearsal'),
    yes: flag('Do not ask before --run'),
    strict: flag('Fail on warnings too'),
    approved: option('Only the plan with this hash', 'hash'),
    again: flag('Publish posts that the service already has once more'),
    'keep-going': flag('Carry out the other actions if one is refused'),
    ...CHOICE_ARGS,
    'retry-failed': flag('Publish failed posts again, on the platforms that refused them'),
    journal: option(`The journal (default: ${JOURNAL} beside the plan)`, 'file'),
    offline: flag('Only check the plan: no key, no request'),
    report: REPORT,
    all: flag('Show every action of a plan with more than 20'),
    locale: LOCALE,
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal, values }) {
    if (args.offline && args.run) throw new UsageError(...USAGE.together('offline', 'run', SENDS_NOTHING));
    if (args.run && !args.yes && !output.isInteractive) throw new UsageError(...USAGE.needsYes());
    const { again, 'keep-going': keepGoing, 'retry-failed': retryFailed, approved } = args;
    const choices: PlanChoices = { ...choicesOf(args), again, keepGoing, retryFailed };
    const looks = { isAll: args.all === true, isStrict: args.strict === true };
    const reports = new Reports(output, args.plan, values('report'), [journalBeside(args.plan, args.journal)]);
    const report = new RehearsalReport(output, args.plan, reports, looks);
    try {
      const file = await readPlan(args.plan);
      report.open(file);
      if (file.problems.length > 0) return await report.refuse(undefined);
      if (args.offline) {
        const hash = hashOfPlan(file.plan);
        refuseUnapproved(hash, approved);
        const actions = offline(file.plan, readActions(file.plan), output.locale);
        return await report.finish({ ok: true, warnings: [], actions, leftOvers: [], requests: 0, hash });
      }
      const client = await clientOf(args, output);
      await client.me({ signal });
      const path = await journalOf(args.plan, args.journal);
      nameJournal(path);
      const journal = fileJournal(path);
      const cost = await costOfPlan(client, file.plan, journal);
      // What is deleted, moved and published again shows in a rehearsal. Otherwise nothing is previewed of another plan.
      if (choices.leftOver !== 'prune' && !retryFailed) refuseUnapproved(cost.hash, approved);
      const contract = await contractFor(client, dirname(args.plan));
      const unpreviewed = contract?.unpreviewed ?? new Map<string, string>();
      const spared = file.plan.actions.filter(({ operation }) => unpreviewed.has(operation)).length;
      const needed = { ...cost, rehearsal: Math.max(0, cost.rehearsal - spared) };
      await report.cost(client, needed, args.run === true, rateLimitOf(args).maxWait);
      for (const { text } of contract?.warnings ?? []) output.warn(text);
      const job = { client, plan: file.plan, unpreviewed, journal, signal, report, approved };
      const isAsking = args.run === true && !args.yes;
      const { rehearsal, chosen } = await rehearseUntilClear(job, choices, isAsking);
      if (!report.isPassed(rehearsal)) return await report.refuse(rehearsal);
      refuseUnapproved(rehearsal.hash, approved);
      if (!args.run) return await report.finish(rehearsal);
      await report.annotate([], rehearsal);
      if (isAsking && !(await report.confirm(rehearsal, signal))) {
        report.decline();
        return EXIT.failed;
      }
      return await carryOut(job, chosen, rehearsal);
    } catch (thrown) {
      if (thrown instanceof UnreadablePlan) await report.annotate(thrown.problems);
      // Otherwise an earlier comment would stay, with a hash.
      else if (!(thrown instanceof Failed && 'plan' in thrown.details)) await report.failed(thrown);
      throw thrown;
    } finally {
      report.end();
    }
  },
});

/** What a rehearsal and a run need. */
interface Job {
  readonly client: Client;
  readonly plan: Plan;
  /** Why operations are not previewed. */
  readonly unpreviewed: ReadonlyMap<string, string>;
  readonly journal: PlanJournal;
  readonly signal: AbortSignal;
  readonly report: RehearsalReport;
}

/** Rehearses a plan. If only left-overs stop it, a person says what becomes of them, and sees the rehearsal of that. */
async function rehearseUntilClear(job: Job, choices: PlanChoices, isAsking: boolean) {
  const { client, plan, unpreviewed, journal, signal, report } = job;
  for (let chosen = choices; ; ) {
    report.begin();
    const { onAction, onProgress } = report.listening(signal);
    const options = { ...chosen, journal, signal, onAction, onProgress };
    const rehearsal = await rehearseWithout(unpreviewed, client, plan, options, report.locale);
    report.whole(rehearsal);
    const leftOver = isAsking ? await report.askLeftOvers(rehearsal, signal) : undefined;
    if (leftOver === undefined) return { rehearsal, chosen };
    chosen = { ...chosen, leftOver };
  }
}

/** Carries out what the rehearsal has allowed. */
async function carryOut(job: Job, choices: PlanChoices, rehearsal: Rehearsal): Promise<number> {
  const { client, plan, unpreviewed, journal, signal, report } = job;
  const { onProgress, onStep } = report.listening(signal);
  const options = { ...choices, journal, signal, onProgress, onStep, approved: rehearsal.hash };
  const run = await runWithout(unpreviewed, client, plan, options, report.locale);
  await report.ran(rehearsal, run);
  const details = report.resultOf(rehearsal, run);
  if (run.state === 'done') return report.done(details);
  const unknown = run.steps.filter(({ outcome }) => outcome === 'unknown');
  if (signal.aborted) {
    throw new Failed(new Interrupted(report.sentence(run), unknown.length > 0 ? 'unknown' : 'not_applied'), details);
  }
  const isOpenEnd = unknown.some(({ problem }) => choices.keepGoing || problem);
  const error = errorOf(report, run, isOpenEnd);
  const exit = run.state === 'partly' ? EXIT.failed : exitCodeOf(error);
  throw new Failed(error, details, isOpenEnd ? EXIT.unresolved : exit);
}

/** The error of a run that has several, or none of its own: a twin, or an action that its key refuses. */
function errorOf(report: RehearsalReport, { state, steps, leftOvers }: PlanRun, isOpenEnd: boolean) {
  const missing = steps.filter(({ outcome, problem }) => outcome !== 'applied' || problem);
  const { error: own } = missing.find(({ problem }) => problem) ?? {};
  if (state === 'stopped' && own) return own;
  const isLeftOver = leftOvers.some(({ problems }) => problems.length > 0);
  const hint = report.say(WORDING.hints[isLeftOver ? 'rehearse' : 'steps']);
  const said = report.reasons({ steps, leftOvers });
  return Object.assign(endedWith(isOpenEnd, said, hint), { said, advice: hint });
}
