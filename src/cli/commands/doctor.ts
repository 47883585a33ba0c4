import { CONNECTION_ARGS, command } from '../command.js';
import { optionsOf } from '../connection.js';
import { examine } from '../doctor/examine.js';
import type { Report } from '../doctor/finding.js';
import { describe } from '../doctor/print.js';
import { EXIT, exitCodeOf, failureOf } from '../failure.js';

export const doctor = command({
  description: 'Check address, key, limits, clock and accounts; say what to do',
  args: CONNECTION_ARGS,
  async run({ args, output, signal }) {
    const { findings, requests, error } = await examine(await optionsOf(args, output), signal);
    const report: Report = { ok: !error, findings, requests, ...(error && { error: failureOf(error) }) };
    output.data(report, describe(report, output));
    return error ? exitCodeOf(error) : EXIT.done;
  },
});
