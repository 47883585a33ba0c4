import { CONNECTION_ARGS, command } from '../command.js';
import { optionsOf } from '../connection.js';
import { examine } from '../doctor/examine.js';
import { type Report, WarningsError } from '../doctor/finding.js';
import { describe } from '../doctor/print.js';
import { EXIT, exitCodeOf, failureOf } from '../failure.js';

export const doctor = command({
  description: 'Check address, key, limits, clock and accounts; say what to do',
  args: {
    strict: { type: 'boolean', description: 'Warnings fail too: exit code 1' },
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    const { findings, requests, error } = await examine(await optionsOf(args, output), signal);
    const warnings = args.strict ? findings.filter(({ status }) => status === 'warning').length : 0;
    const failure = error ?? (warnings > 0 ? new WarningsError(warnings) : undefined);
    const report: Report = { ok: !failure, findings, requests, ...(failure && { error: failureOf(failure) }) };
    output.data(report, describe(report, output));
    return failure ? exitCodeOf(failure) : EXIT.done;
  },
});
