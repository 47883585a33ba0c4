// cspell:ignore expiré jeton
import { appendFile } from 'node:fs/promises';
import { localMoment, platformName } from '@multilocal/plans/calendar-words';
import { planStatus } from '@multilocal/plans/status';
import { codeOf } from '@multilocal/stores/files';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Bulle } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { ActionStatus, PlanState, PlanStatus } from 'multilocal/plans';
import { CONNECTION_ARGS, command } from '../command.js';
import { connect } from '../connection.js';
import { EXIT, Failed } from '../failure.js';
import type { Output } from '../output.js';
import { cell, githubAnnotations } from '../plan/github.js';
import { JOURNAL, journalOf } from '../plan/journals.js';
import { type PlanFile, readPlan } from '../plan/plan-file.js';
import { plural } from '../words.js';

export const status = command({
  description: 'Say what became of a plan, on the service and on each platform',
  args: {
    plan: { type: 'positional', description: 'The plan, a JSON or YAML file', required: true },
    journal: { type: 'string', description: `The journal (default: ${JOURNAL} beside the plan)`, valueHint: 'file' },
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    const file = await readPlan(args.plan);
    const client = await connect(args, output, signal);
    const journal = fileJournal(await journalOf(args.plan, args.journal));
    const found = await planStatus(client, file.plan, { journal, signal });
    const bulle = client.identity?.bulle;
    const locations: readonly Pick<Bulle, 'id' | 'name'>[] = bulle ? [bulle] : await client.bulles.list({ signal });
    return new StatusReport(output, file, found, locations).print();
  },
});

/** One action, as it is shown. */
interface Line extends ActionStatus {
  readonly line: number;
  /** The moment as the plan writes it, with the offset of the location. */
  readonly written: unknown;
  readonly location: string;
}

const MARKS: Readonly<Record<PlanState, string>> = {
  open: '•',
  scheduled: '•',
  publishing: '•',
  online: '✓',
  failed: '✗',
  gone: '✗',
  unknown: '?',
};
const WORDS: Readonly<Record<PlanState, string>> = {
  online: 'online',
  failed: 'failed',
  gone: 'gone',
  unknown: 'of unknown outcome',
  publishing: 'publishing',
  scheduled: 'pending',
  open: 'not carried out',
};

/** Says what became of a plan: to people, to scripts and to GitHub. */
class StatusReport {
  readonly #output: Output;
  readonly #file: PlanFile;
  readonly #status: PlanStatus;
  readonly #lines: readonly Line[];

  constructor(output: Output, file: PlanFile, found: PlanStatus, locations: readonly Pick<Bulle, 'id' | 'name'>[]) {
    const names = new Map(locations.map(({ id, name }) => [id, name ?? id]));
    const [only] = locations.length === 1 ? locations : [];
    this.#output = output;
    this.#file = file;
    this.#status = found;
    this.#lines = found.actions.map((action, index) => {
      const { bulle_id = only?.id, fiche_id, scheduled_at } = Object(file.plan.actions[index]?.params);
      const { line } = file.at(['actions', index]);
      return { ...action, line, written: scheduled_at, location: names.get(bulle_id) ?? bulle_id ?? fiche_id ?? '' };
    });
  }

  /** Prints everything. @returns the exit code. @throws a {@link Failed} if something failed or is gone. */
  async print(): Promise<number> {
    const { ok, requests } = this.#status;
    const summary = this.#summary();
    const actions = this.#lines.map(({ written: _, ...action }) => action);
    const document = { plan: this.#file.file, ok, summary, requests, actions };
    await this.#annotate(summary);
    if (!this.#output.isJson) this.#table();
    if (ok) {
      this.#output.data(document, `\n${summary}. ${plural(requests, 'request')}.`);
      return EXIT.done;
    }
    const hint =
      'Look at the account on the platform. A post that is gone can be published again with `rehearse --run`.';
    throw new Failed({ code: 'plan_failed', message: `${summary}.`, hint }, document, EXIT.failed);
  }

  /** `38 online, 1 failed on Facebook (Bordeaux: jeton expiré), 1 pending`. */
  #summary(): string {
    const states = Object.keys(WORDS) as PlanState[];
    const parts = states.flatMap((state) => {
      const own = this.#lines.filter((line) => line.state === state);
      if (own.length === 0) return [];
      const shown = own.slice(0, 3).map(placeOf);
      const places = `${shown.join('; ')}${own.length > shown.length ? '; …' : ''}`;
      const on = state === 'failed' ? ` on ${[...new Set(own.flatMap(failedOn))].join(', ')}` : '';
      return `${own.length} ${WORDS[state]}${NAMED.includes(state) ? `${on} (${places})` : ''}`;
    });
    return parts.join(', ') || 'The plan has no action';
  }

  #table(): void {
    const width = Math.max('location'.length, ...this.#lines.map(({ location }) => location.length));
    this.#output.raw(this.#output.paint('dim', `  ${'location'.padEnd(width)}  what became of it`));
    for (const line of this.#lines) {
      const colour = line.state === 'online' ? 'green' : NAMED.includes(line.state) ? 'red' : 'dim';
      const mark = this.#output.paint(colour, MARKS[line.state]);
      const text = this.#output.wrap(this.#details(line), width + 4);
      this.#output.raw(`${mark} ${line.location.padEnd(width)}  ${text}`);
    }
  }

  /** `Facebook failed: jeton expiré, Google online since 2026-12-24 09:00 (UTC+1)`. */
  #details({ operation, state, platforms, written }: Line): string {
    const parts = Object.entries(platforms ?? {}).map(([name, one]) => {
      const moment = parseTimestamp(one.at);
      const when =
        moment && one.state !== 'failed'
          ? ` ${one.state === 'online' ? 'since' : 'for'} ${localMoment(moment, written)}`
          : '';
      return `${platformName(name)} ${WORDS[one.state]}${when}${one.error ? `: ${one.error}` : ''}`;
    });
    return parts.length > 0 ? parts.join(', ') : `${operation}: ${WORDS[state]}`;
  }

  async #annotate(summary: string): Promise<void> {
    const { GITHUB_ACTIONS, GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY } = process.env;
    if (GITHUB_ACTIONS !== 'true') return;
    const lines = this.#output.clean(this.#lines);
    const problems = lines.filter(({ state }) => NAMED.includes(state));
    const of = (unknown: boolean) =>
      problems
        .filter(({ state }) => (state === 'unknown') === unknown)
        .map((one) => ({
          line: one.line,
          column: 1,
          code: one.state,
          path: [],
          message: `${WORDS[one.state]}: ${placeOf(one)}`,
        }));
    const findings = { problems: of(false), warnings: of(true) };
    for (const line of githubAnnotations(this.#file.file, findings, GITHUB_WORKSPACE ?? process.cwd())) {
      this.#output.workflowCommand(line);
    }
    if (!GITHUB_STEP_SUMMARY) return;
    const rows = lines.map((one) => `| ${[one.location, this.#details(one)].map(cell).join(' | ')} |`);
    const text = [
      `### ${cell(`${this.#file.file}: ${summary}`)}`,
      '',
      '| location | what became of it |',
      '| --- | --- |',
      ...rows,
      '',
    ];
    // A summary repeats what the log says, so its failure must not hide the result.
    await appendFile(GITHUB_STEP_SUMMARY, `${text.join('\n')}\n`).catch((error) => {
      this.#output.note(`The job summary cannot be written (${codeOf(error)}). Check GITHUB_STEP_SUMMARY.`);
    });
  }
}

/** What a person must look at, so its places are named. */
const NAMED: readonly PlanState[] = ['failed', 'gone', 'unknown'];

function failedOn({ platforms = {} }: ActionStatus): string[] {
  return Object.entries(platforms).flatMap(([name, { state }]) => (state === 'failed' ? platformName(name) : []));
}

/** `Bordeaux: jeton expiré`. */
function placeOf({ location, operation, platforms = {} }: Line): string {
  const errors = Object.values(platforms).flatMap(({ error }) => error ?? []);
  return [location || operation, ...new Set(errors)].join(': ');
}
