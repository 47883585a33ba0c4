import { dirname } from 'node:path';
import { inView, readActions } from '@multilocal/plans/actions';
import { costOfPlan } from '@multilocal/plans/cost';
import { hashOfActions, hashOfPlan } from '@multilocal/plans/hash';
import { offline, rehearseWithout } from '@multilocal/plans/rehearse';
import { refuseUnapproved, runPlan } from '@multilocal/plans/run';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Client } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import type { Plan, PlanJournal, Rehearsal } from 'multilocal/plans';
import { argument, CONNECTION_ARGS, command, flag, option } from '../command.js';
import { clientOf } from '../connection.js';
import { contractFor } from '../contract/known-service.js';
import { EXIT, exitCodeOf, Failed, Interrupted, UsageError } from '../failure.js';
import { JOURNAL, journalOf } from '../plan/journals.js';
import { readPlan, UnreadablePlan } from '../plan/plan-file.js';
import { RehearsalReport } from '../rehearsal-report.js';

const NEEDS_YES = 'Add `--yes` to carry the plan out, or leave out `--run` to rehearse it.';

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
    prune: flag('Delete pending posts that the plan no longer has'),
    journal: option(`The journal (default: ${JOURNAL} beside the plan)`, 'file'),
    offline: flag('Only check the plan: no key, no request'),
    report: { type: 'enum', description: 'gitlab: write a code-quality report', options: ['gitlab'] },
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    if (args.offline && args.run) {
      throw new UsageError('`--offline` cannot be combined with `--run`: it sends nothing.', 'Pass only one of them.');
    }
    if (args.run && !args.yes && !output.isInteractive) {
      throw new UsageError('Without a terminal, `--run` needs `--yes`. Nothing was sent.', NEEDS_YES);
    }
    const { again = false, prune = false, 'keep-going': keepGoing = false, approved } = args;
    const report = new RehearsalReport(output, args.plan, {
      isForGitLab: args.report === 'gitlab',
      isStrict: args.strict,
    });
    try {
      const file = await readPlan(args.plan);
      report.open(file);
      if (file.problems.length > 0) return await report.refuse(undefined);
      const read = readActions(file.plan);
      if (args.offline) {
        const hash = hashOfPlan(file.plan);
        refuseUnapproved(hash, approved);
        const actions = offline(file.plan, read);
        return await report.finish({ ok: true, warnings: [], actions, prune: [], requests: 0, hash });
      }
      const client = await clientOf(args, output);
      await client.me({ signal });
      const journal = fileJournal(await journalOf(args.plan, args.journal));
      // With `--prune`, the hash depends on what the service has. Without it, nothing is previewed of another plan.
      if (!prune) refuseUnapproved(hashOfActions(inView(read.actions, client)), approved);
      await report.cost(client, await costOfPlan(client, file.plan, journal), args.run === true);
      report.begin();
      const contract = await contractFor(client, dirname(args.plan));
      for (const { text } of contract?.warnings ?? []) output.note(`${output.paintNote('yellow', 'warning')} ${text}`);
      const rehearsal = await rehearseWithout(contract?.unpreviewed ?? new Map(), client, file.plan, {
        ...report.listening({ journal, signal }),
        prune,
      });
      refuseUnapproved(rehearsal.hash, approved);
      if (!args.run || !report.isPassed(rehearsal, { again, keepGoing }))
        return await report.finish(rehearsal, args.run);
      const options = { journal, signal, again, keepGoing, prune };
      return await carryOut(client, file.plan, rehearsal, report, { ...options, isSure: args.yes === true });
    } catch (thrown) {
      if (thrown instanceof UnreadablePlan) await report.annotate(thrown.problems);
      throw thrown;
    } finally {
      report.end();
    }
  },
});

interface Settings {
  readonly journal: PlanJournal;
  readonly signal: AbortSignal;
  readonly again: boolean;
  readonly keepGoing: boolean;
  readonly prune: boolean;
  readonly isSure: boolean;
}

/** Carries out what the rehearsal has allowed. */
async function carryOut(
  client: Client,
  plan: Plan,
  rehearsal: Rehearsal,
  report: RehearsalReport,
  { isSure, ...settings }: Settings,
): Promise<number> {
  const { signal, keepGoing } = settings;
  await report.annotate([], rehearsal);
  const { actions, prune } = rehearsal;
  const left = actions.filter(({ state }) => state !== 'done' && state !== 'refused').length + prune.length;
  if (!isSure && left > 0 && !(await report.confirm(left, signal))) {
    report.decline();
    return EXIT.failed;
  }
  const run = await runPlan(client, plan, { ...settings, ...report.listening(settings), approved: rehearsal.hash });
  const details = report.resultOf(rehearsal, run);
  if (run.state === 'done') return report.done(details);
  const missing = run.steps.filter(({ outcome }) => outcome !== 'applied');
  const unknown = missing.filter(({ outcome }) => outcome === 'unknown');
  const sentence = report.sentence(run);
  if (signal.aborted) {
    throw new Failed(new Interrupted(sentence, unknown.length > 0 ? 'unknown' : 'not_applied'), details);
  }
  const isOpenEnd = unknown.some(({ problem }) => keepGoing || problem);
  // The error of a run that has several, or none of its own: a twin, or an action that its key refuses.
  const [code, outcome] = isOpenEnd
    ? (['plan_unresolved', 'unknown'] as const)
    : (['plan_invalid', 'not_applied'] as const);
  const { error: own } = missing.find(({ problem }) => problem) ?? {};
  const whole = new PlanError(code, sentence, 'Look at the steps that have a problem.', outcome);
  const error = (run.state === 'stopped' && own) || whole;
  const exit = run.state === 'partly' ? EXIT.failed : exitCodeOf(error);
  throw new Failed(error, details, isOpenEnd ? EXIT.unresolved : exit);
}
