import { CONNECTION_ARGS, command, flag, LOCALE, option } from '../command.js';
import { optionsOf, refuseMissing } from '../connection.js';
import { examine } from '../doctor/examine.js';
import { describe, type Report, saidIn, WarningsError } from '../doctor/finding.js';
import { EXIT, exitCodeOf, failureOf, UsageError } from '../failure.js';
import { USAGE } from '../usage-said.js';

export const doctor = command({
  description: 'Check address, key, limits, clock and accounts; say what to do',
  args: {
    strict: flag('Warnings fail too: exit code 1'),
    contract: flag('Call every read once: does the service respond as this version expects? At most 40 requests'),
    out: option(
      'With --contract: the file for shapes and facts, without data of the account; says what changed since',
      'file',
    ),
    'probe-dry-run': option(
      'With --contract: does this location honour dry runs of posts? Deletes what an ignored one makes',
      'bulle_id=id',
    ),
    yes: flag('With --probe-dry-run: try social.publish without a question'),
    locale: LOCALE,
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    const options = await optionsOf(args, output);
    if (args.contract) {
      refuseMissing(options);
      const { contract } = await import('../contract/run.js');
      const bulle = bulleOf(args['probe-dry-run']);
      return contract({ options, output, signal, out: args.out, bulle, isSure: args.yes === true });
    }
    const stray = (['out', 'probe-dry-run', 'yes'] as const).find((name) => args[name] !== undefined);
    if (stray) throw new UsageError(...USAGE.belongsToContract(stray));
    const { findings, requests, error } = await examine(options, signal);
    const warnings = args.strict ? findings.filter(({ status }) => status === 'warning').length : 0;
    const failure = error ?? (warnings > 0 ? new WarningsError(warnings, output.locale) : undefined);
    const said = saidIn(findings, output.locale);
    const report: Report = { ok: !failure, findings: said, requests, ...(failure && { error: failureOf(failure) }) };
    output.data(report, describe(report, output));
    return failure ? exitCodeOf(failure) : EXIT.done;
  },
});

function bulleOf(flag: string | undefined): string | undefined {
  if (flag === undefined) return undefined;
  const [, bulle_id] = /^bulle_id=(.+)$/.exec(flag) ?? [];
  if (bulle_id !== undefined) return bulle_id;
  throw new UsageError(...USAGE.probe());
}
