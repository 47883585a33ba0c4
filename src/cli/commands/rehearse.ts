import type { Client } from '../../index.js';
import { CONNECTION_ARGS, command } from '../command.js';
import { addressOf, connect } from '../connection.js';
import { EXIT, exitCodeOf, Failed, Interrupted, UsageError } from '../failure.js';
import {
  Journal,
  type Plan,
  PlanError,
  type RunResult,
  readPlan,
  rehearsePlan,
  resumePlan,
  runPlan,
  type Verdict,
  Wire,
} from '../plan/index.js';
import { RehearsalReport } from '../rehearsal-report.js';

const NEEDS_YES = 'Add `--yes` to carry the plan out, or leave out `--run` to rehearse it.';

export const rehearse = command({
  description: 'Check and preview every action of a plan; --run executes it',
  args: {
    plan: { type: 'positional', description: 'The plan, a JSON or YAML file', required: true },
    run: { type: 'boolean', description: 'Carry the plan out after the rehearsal' },
    yes: { type: 'boolean', description: 'Do not ask before --run' },
    report: { type: 'string', description: 'gitlab: write a code-quality report', valueHint: 'gitlab' },
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    if (args.report !== undefined && args.report !== 'gitlab') {
      throw new UsageError('`--report` must be gitlab.', 'On GitHub Actions, annotations need no flag.');
    }
    if (args.run && !args.yes && !output.isInteractive) {
      throw new UsageError('Without a terminal, `--run` needs `--yes`. Nothing was sent.', NEEDS_YES);
    }
    const report = new RehearsalReport(output, args.plan, args.report === 'gitlab');
    try {
      const plan = await readPlan(args.plan);
      if (plan.problems.length > 0) return await report.refuse(plan, []);
      const wire = new Wire();
      const client = await connect(args, output, signal, { onEvent: wire.onEvent });
      const identity = client.identity ?? (await client.me({ signal }));
      const owner = { baseUrl: addressOf(args), identity, clean: output.clean.bind(output) };
      const journal = await (args.run ? Journal.open(plan, owner) : Journal.read(plan, owner));
      try {
        if (args.run) await resumePlan(client, plan, journal, { signal, onStep: (step) => report.step(step) });
        report.begin(plan);
        signal.addEventListener('abort', () => wire.isBusy && report.interrupt());
        const onVerdict = (verdict: Verdict) => report.verdict(verdict);
        const verdicts = await rehearsePlan(client, plan, { journal, signal, wire, onVerdict });
        const isRefused = verdicts.some(({ state }) => state === 'refused');
        if (isRefused || !args.run) return await report.finish(plan, verdicts);
        return await carryOut({ client, wire, plan, journal, verdicts, report, signal, asks: !args.yes });
      } finally {
        await journal.close();
      }
    } catch (thrown) {
      if (thrown instanceof PlanError) await report.annotate(thrown.problems, []);
      throw thrown;
    }
  },
});

interface CarryingOut {
  readonly client: Client;
  readonly wire: Wire;
  readonly plan: Plan;
  readonly journal: Journal;
  readonly verdicts: readonly Verdict[];
  readonly report: RehearsalReport;
  readonly signal: AbortSignal;
  readonly asks: boolean;
}

/** Carries out what the rehearsal has allowed. */
async function carryOut(carrying: CarryingOut): Promise<number> {
  const { client, wire, plan, journal, verdicts, report, signal, asks } = carrying;
  await report.annotate([], verdicts);
  const left = verdicts.filter(({ state }) => state === 'ready' || state === 'no_preview');
  if (asks && left.length > 0 && !(await report.confirm(left.length, signal))) {
    report.decline();
    return EXIT.failed;
  }
  const result = await runPlan(client, plan, journal, { signal, wire, onStep: (step) => report.step(step) });
  const { state, error } = result;
  const details = report.resultOf(verdicts, result);
  if (state === 'done') return report.done(details);
  if (state === 'interrupted') {
    throw new Failed(new Interrupted(report.sentence(result), isOpenEnd(result) ? 'unknown' : 'not_applied'), details);
  }
  const failed =
    error ??
    new PlanError('plan_unresolved', report.sentence(result), 'Settle these actions as described.', [], 'unknown');
  throw new Failed(failed, details, isOpenEnd(result) ? EXIT.unresolved : exitCodeOf(failed));
}

/** Whether the last action of a run may have happened. */
function isOpenEnd({ steps }: RunResult): boolean {
  const { state } = steps.at(-1) ?? {};
  return state === 'unknown' || state === 'unresolved';
}
