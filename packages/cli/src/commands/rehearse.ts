import { dirname } from 'node:path';
import { inView, readActions } from '@multilocal/plans/actions';
import { costOfPlan } from '@multilocal/plans/cost';
import { hashOfActions, hashOfPlan } from '@multilocal/plans/hash';
import { offline, rehearseWithout } from '@multilocal/plans/rehearse';
import { runPlan } from '@multilocal/plans/run';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Client, Outcome } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import type { PlanJournal, PlanRun, Rehearsal } from 'multilocal/plans';
import { CONNECTION_ARGS, command } from '../command.js';
import { connect } from '../connection.js';
import { contractFor } from '../contract/known-service.js';
import { EXIT, exitCodeOf, Failed, Interrupted, UsageError } from '../failure.js';
import { journalOf, refuseRepeated } from '../plan/journals.js';
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
      const identity = client.identity ?? (await client.me({ signal }));
      refuseUnapproved(hashOfActions(inView(readActions(file.plan).actions, client)), args.approved);
      const path = await journalOf(args.plan);
      const journal = fileJournal(path);
      await refuseRepeated(file, path, journal, identity);
      await report.cost(client, await costOfPlan(client, file.plan, journal), args.run === true);
      report.begin();
      const contract = await contractFor(client, dirname(args.plan));
      for (const { text } of contract?.warnings ?? []) output.note(`${output.paintNote('yellow', 'warning')} ${text}`);
      const unpreviewed = contract?.unpreviewed ?? new Map<string, string>();
      const rehearsal = await rehearseWithout(unpreviewed, client, file.plan, report.listening({ journal, signal }));
      const isRefused = !report.isPassed(rehearsal, args.again === true);
      if (isRefused || !args.run) return await report.finish(rehearsal, args.run);
      return await carryOut({
        client,
        file,
        journal,
        rehearsal,
        report,
        signal,
        asks: !args.yes,
        again: args.again === true,
      });
    } catch (thrown) {
      if (thrown instanceof UnreadablePlan) await report.annotate(thrown.problems, []);
      throw thrown;
    } finally {
      report.end();
    }
  },
});

function refuseUnapproved(hash: string, approved: string | undefined): void {
  if (approved === undefined || approved === hash) return;
  const message = 'The plan is not the one that was approved: its hash differs. Nothing was sent.';
  throw new PlanError('plan_not_approved', message, 'Rehearse the plan, and let its new hash be approved.');
}

/** What the schemas alone say. */
function offlineRehearsal({ plan }: PlanFile): Rehearsal {
  return { ok: true, actions: offline(plan, readActions(plan)), requests: 0, hash: hashOfPlan(plan) };
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
}

/** Carries out what the rehearsal has allowed. */
async function carryOut({ again, asks, ...carrying }: CarryingOut): Promise<number> {
  const { client, file, journal, rehearsal, report, signal } = carrying;
  await report.annotate([], rehearsal.actions);
  const left = rehearsal.actions.filter(({ state }) => state !== 'done').length;
  const isAsked = asks && left > 0;
  if (isAsked && !(await report.confirm(left, signal))) {
    report.decline();
    return EXIT.failed;
  }
  // The rehearsal has just looked for twins, and warned about them. While a question was open, somebody may have made one.
  const options = { ...report.listening({ journal, signal }), journal, again: again || !isAsked };
  const run = await runPlan(client, file.plan, options);
  const details = report.resultOf(rehearsal, run);
  if (run.state === 'done') return report.done(details);
  const stopped = run.steps.find(({ outcome }) => outcome !== 'applied');
  const isOpenEnd = stopped?.outcome === 'unknown';
  if (signal.aborted) {
    throw new Failed(new Interrupted(report.sentence(run), isOpenEnd ? 'unknown' : 'not_applied'), details);
  }
  const { outcome = 'unknown', error = sentenceError(run, report, outcome) } = stopped ?? {};
  throw new Failed(error, details, isOpenEnd ? EXIT.unresolved : exitCodeOf(error));
}

/** The error of a run that stopped without one: at the same post of somebody else, or at an action of unknown outcome. */
function sentenceError(run: PlanRun, report: RehearsalReport, outcome: Outcome): PlanError {
  return new PlanError('plan_unresolved', report.sentence(run), 'Look at the last step.', outcome);
}
