import { dirname } from 'node:path';
import { inView, readActions } from '@multilocal/plans/actions';
import { costOfPlan } from '@multilocal/plans/cost';
import { hashOfActions, hashOfPlan } from '@multilocal/plans/hash';
import { offline, rehearseWithout } from '@multilocal/plans/rehearse';
import { refuseUnapproved, runPlan } from '@multilocal/plans/run';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Client, Outcome } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import type { PlanJournal, PlanRun, Rehearsal } from 'multilocal/plans';
import { CONNECTION_ARGS, command } from '../command.js';
import { connect } from '../connection.js';
import { contractFor } from '../contract/known-service.js';
import { EXIT, exitCodeOf, Failed, Interrupted, UsageError } from '../failure.js';
import { JOURNAL, journalOf } from '../plan/journals.js';
import { type PlanFile, readPlan, UnreadablePlan } from '../plan/plan-file.js';
import { RehearsalReport } from '../rehearsal-report.js';

const NEEDS_YES = 'Add `--yes` to carry the plan out, or leave out `--run` to rehearse it.';

export const rehearse = command({
  description: 'Check and preview every action of a plan; --run executes it',
  args: {
    plan: { type: 'positional', description: 'The plan, a JSON or YAML file', required: true },
    run: { type: 'boolean', description: 'Carry the plan out after the rehearsal' },
    yes: { type: 'boolean', description: 'Do not ask before --run' },
    strict: { type: 'boolean', description: 'Fail on warnings too' },
    approved: { type: 'string', description: 'Only the plan with this hash', valueHint: 'hash' },
    again: { type: 'boolean', description: 'Publish posts that the service already has once more' },
    'keep-going': { type: 'boolean', description: 'Carry out the other actions if one is refused' },
    prune: { type: 'boolean', description: 'Delete pending posts that the plan no longer has' },
    journal: { type: 'string', description: `The journal (default: ${JOURNAL} beside the plan)`, valueHint: 'file' },
    offline: { type: 'boolean', description: 'Only check the plan: no key, no request' },
    report: { type: 'string', description: 'gitlab: write a code-quality report', valueHint: 'gitlab' },
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    if (args.report !== undefined && args.report !== 'gitlab') {
      throw new UsageError('`--report` must be gitlab.', 'On GitHub Actions, annotations need no flag.');
    }
    if (args.offline && args.run) {
      throw new UsageError(
        '`--offline` sends nothing, so it cannot be combined with `--run`.',
        'Pass only one of them.',
      );
    }
    if (args.run && !args.yes && !output.isInteractive) {
      throw new UsageError('Without a terminal, `--run` needs `--yes`. Nothing was sent.', NEEDS_YES);
    }
    const report = new RehearsalReport(output, args.plan, {
      isForGitLab: args.report === 'gitlab',
      isStrict: args.strict,
    });
    try {
      const file = await readPlan(args.plan);
      report.open(file);
      if (file.problems.length > 0) return await report.refuse(undefined);
      if (args.offline) {
        refuseUnapproved(hashOfPlan(file.plan), args.approved);
        return await report.finish(offlineRehearsal(file));
      }
      const client = await connect(args, output, signal);
      const prune = args.prune === true;
      const journal = fileJournal(await journalOf(args.plan, args.journal));
      if (!prune) await refuseOthers(client, file, args.approved, signal);
      await report.cost(client, await costOfPlan(client, file.plan, journal), args.run === true);
      report.begin();
      const contract = await contractFor(client, dirname(args.plan));
      for (const { text } of contract?.warnings ?? []) output.note(`${output.paintNote('yellow', 'warning')} ${text}`);
      const unpreviewed = contract?.unpreviewed ?? new Map<string, string>();
      const options = { ...report.listening({ journal, signal }), prune };
      const rehearsal = await rehearseWithout(unpreviewed, client, file.plan, options);
      // With `--prune`, the hash depends on what the service has.
      refuseUnapproved(rehearsal.hash, args.approved);
      const keepGoing = args['keep-going'] === true;
      const isRefused = !report.isPassed(rehearsal, { again: args.again === true, keepGoing });
      if (isRefused || !args.run) return await report.finish(rehearsal, args.run);
      const settings = { asks: !args.yes, again: args.again === true, keepGoing, prune };
      return await carryOut({ client, file, journal, rehearsal, report, signal, ...settings });
    } catch (thrown) {
      if (thrown instanceof UnreadablePlan) await report.annotate(thrown.problems);
      throw thrown;
    } finally {
      report.end();
    }
  },
});

/** Refuses a plan that was not approved before anything is previewed. */
async function refuseOthers(client: Client, { plan }: PlanFile, approved: string | undefined, signal: AbortSignal) {
  if (!client.identity) await client.me({ signal });
  refuseUnapproved(hashOfActions(inView(readActions(plan).actions, client)), approved);
}

/** What the schemas alone say. */
function offlineRehearsal({ plan }: PlanFile): Rehearsal {
  const actions = offline(plan, readActions(plan));
  return { ok: true, warnings: [], actions, prune: [], requests: 0, hash: hashOfPlan(plan) };
}

interface CarryingOut {
  readonly client: Client;
  readonly file: PlanFile;
  readonly journal: PlanJournal;
  readonly rehearsal: Rehearsal;
  readonly report: RehearsalReport;
  readonly signal: AbortSignal;
  readonly asks: boolean;
  readonly again: boolean;
  readonly keepGoing: boolean;
  readonly prune: boolean;
}

/** Carries out what the rehearsal has allowed. */
async function carryOut({ again, asks, keepGoing, prune, ...carrying }: CarryingOut): Promise<number> {
  const { client, file, journal, rehearsal, report, signal } = carrying;
  await report.annotate([], rehearsal);
  const isLeft = ({ state }: Rehearsal['actions'][number]) => state !== 'done' && state !== 'refused';
  const left = rehearsal.actions.filter(isLeft).length + rehearsal.prune.length;
  if (asks && left > 0 && !(await report.confirm(left, signal))) {
    report.decline();
    return EXIT.failed;
  }
  const run = await runPlan(client, file.plan, {
    ...report.listening({ journal, signal }),
    journal,
    keepGoing,
    prune,
    approved: rehearsal.hash,
    again,
  });
  const details = report.resultOf(rehearsal, run);
  if (run.state === 'done') return report.done(details);
  const missing = run.steps.filter(({ outcome }) => outcome !== 'applied');
  const isOpenEnd = missing.some(({ outcome, problem }) => outcome === 'unknown' && (keepGoing || problem));
  if (signal.aborted) {
    const isOpen = missing.some(({ outcome }) => outcome === 'unknown');
    throw new Failed(new Interrupted(report.sentence(run), isOpen ? 'unknown' : 'not_applied'), details);
  }
  const { error: own } = missing.find(({ problem }) => problem) ?? {};
  const error = (run.state === 'stopped' && own) || sentenceError(run, report, isOpenEnd ? 'unknown' : 'not_applied');
  throw new Failed(
    error,
    details,
    isOpenEnd ? EXIT.unresolved : run.state === 'partly' ? EXIT.failed : exitCodeOf(error),
  );
}

/** The error of a run that has several, or none of its own: a twin, or an action that its key refuses. */
function sentenceError(run: PlanRun, report: RehearsalReport, outcome: Outcome): PlanError {
  const code = outcome === 'unknown' ? 'plan_unresolved' : 'plan_invalid';
  return new PlanError(code, report.sentence(run), 'Look at the steps that have a problem.', outcome);
}
