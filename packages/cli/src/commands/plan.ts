import { dirname, join, relative, resolve, sep } from 'node:path';
import { calendarOf } from '@multilocal/campaigns/calendar';
import { checkAccounts, compareSides, hashOfPlan } from '@multilocal/plans/inside';
import { inLocale, type Locale } from '@multilocal/plans/words';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Bulle, Client } from 'multilocal';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import type { CalendarOptions, Plan, PlanProblem } from 'multilocal/plans';
import { formatOf, LOOKS, looksOf, writeResult } from '../campaign/calendar.js';
import { readSource } from '../campaign/source.js';
import { argument, CONNECTION_ARGS, command, flag, option, repeated } from '../command.js';
import { clientOf } from '../connection.js';
import { ERRORS } from '../errors-said.js';
import { EXIT, Failed } from '../failure.js';
import { say } from '../front.js';
import { CHOICE_ARGS, choicesOf } from '../plan/choices.js';
import { workflowWarning } from '../plan/github.js';
import { JOURNAL, journalBeside } from '../plan/journals.js';
import { groupsOf, messageIn, placesOf } from '../plan/problem.js';
import { refuseSameFile } from '../plan/reports.js';
import { WORDING } from '../wording.js';

export const plan = command({
  description: 'Make a plan and its calendar from a campaign or a table of posts',
  args: {
    campaign: argument('A campaign (.yaml, .json) or a table of posts (.csv)'),
    rows: option('CSV file with the words of each location', 'file'),
    zone: repeated('Table: time zone; again as <bulle_id>=<zone>', 'zone', true),
    name: option('Table: name of the plan (default: that of the file)', 'name'),
    'date-order': { type: 'enum', description: 'Table: dmy reads 24/12/2026', options: ['dmy'] },
    columns: option('Table: what other headings mean (.yaml, .json)', 'file'),
    out: option('Write the plan to this file instead of stdout', 'file'),
    calendar: option('Also write a calendar: .html, .ics or .csv', 'file'),
    ...LOOKS,
    images: flag('The HTML calendar loads and shows the images'),
    approve: option('The HTML calendar has a button that mails to this address', 'mail'),
    ...CHOICE_ARGS,
    journal: option(`With --prune: the journal (default: ${JOURNAL} beside the plan)`, 'file'),
    separator: option('Separator of the CSV calendar (default: a comma; fr: ;)', ';'),
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal, values }) {
    const { campaign, out, calendar, images, approve } = args;
    const format = calendar === undefined ? undefined : formatOf(calendar);
    const journal = journalBeside(out ?? '', args.journal);
    refuseSameFile([campaign, args.rows, args.columns, args.logo, out, calendar, journal]);
    const looks = await looksOf({ ...args, locale: args.locale ?? output.locale });
    const source = await readSource({ ...args, zones: values('zone'), locale: output.locale });
    for (const remark of source.remarks) output.warn(remark);
    // Without locations, only the source itself is checked: a wrong one costs no request.
    source.check();
    const client = await clientOf(args, output);
    const locations = await client.bulles.list({ signal });
    const plan: Plan = { $schema: schemaFrom(out), ...source.plan(locations) };
    const warnings = await accountWarnings(client, plan, locations, output.locale, signal);
    for (const warning of warnings) {
      output.warn(warning);
      if (process.env.GITHUB_ACTIONS === 'true') output.workflowCommand(workflowWarning(campaign, warning));
    }
    const { leftOvers, hash } = await leftOversOf(client, plan, args, output.locale, signal);
    const text = `${JSON.stringify(plan, null, 2)}\n`;
    if (calendar !== undefined && format !== undefined) {
      const { zone, zones } = source;
      const separator = args.separator as CalendarOptions['separator'];
      const own = { images, approve, separator, madeAt: new Date(), title: args.title ?? plan.name };
      await writeResult(calendar, calendarOf(plan, { format, zone, zones, locations, ...looks, ...own, leftOvers }));
    }
    if (out !== undefined) await writeResult(out, text);
    const actions = plan.actions.length;
    const moved = leftOvers?.filter(({ step }) => step === 'adopt').length ?? 0;
    const deleted = leftOvers?.filter(({ step }) => step === 'delete').length ?? 0;
    const summary = output.in(WORDING.planMade(out, actions, moved, deleted, hash));
    if (out === undefined) {
      output.data(plan, text.trimEnd());
      output.note(summary);
    } else {
      const left = leftOvers?.map(({ posts: _, ...one }) => one);
      const result = { plan: out, calendar, actions, hash, warnings, leftOvers: left };
      output.data(result, output.wrap(summary));
    }
    return EXIT.done;
  },
});

/** Says once for each account that cannot publish what the plan has, so that it is connected before a client approves the plan. */
async function accountWarnings(
  client: Client,
  plan: Plan,
  locations: readonly Bulle[],
  locale: Locale,
  signal: AbortSignal,
) {
  const places = new Map(locations.map(({ id, name }) => [id, name ?? id]));
  const all = await checkAccounts(client, plan, places, signal).catch((error) => {
    if (!isMultilocalError(error)) throw error;
    const why = say(error.message);
    const message = inLocale(WORDING.accountsUnread([why, ERRORS[error.code] ?? why]), locale);
    return [{ code: '', path: [], message }];
  });
  const found = all.map((problem: PlanProblem) => ({ ...problem, message: messageIn(problem, locale) }));
  return [...groupsOf(found)].map(([message, group]) => {
    const sources = group.flatMap(({ source }) => (source === undefined ? [] : { source, line: 1, column: 1 }));
    return sources.length === 0 ? message : `${message} (${placesOf('', sources)})`;
  });
}

type PruneFlags = Parameters<typeof choicesOf>[0] & {
  readonly journal?: string | undefined;
  readonly out?: string | undefined;
};

/** What is left of an earlier version of the plan, and the hash that its rehearsal has, with the same choices. */
async function leftOversOf(client: Client, plan: Plan, args: PruneFlags, locale: Locale, signal: AbortSignal) {
  const { leftOver, allowMassDeletion } = choicesOf(args);
  if (leftOver === 'refuse') return { leftOvers: undefined, hash: hashOfPlan(plan) };
  const file = journalBeside(args.out ?? '', args.journal);
  const options = { journal: fileJournal(file), leftOver, allowMassDeletion, signal };
  const found = await compareSides(client, plan, options, locale);
  const problems = found.leftOvers.flatMap((one) => one.problems.map((problem) => messageIn(problem, locale)));
  if (problems.length === 0) return found;
  const hint = inLocale(WORDING.nothingWritten(), locale);
  throw new Failed(new PlanError('plan_invalid', problems.join('\n'), hint), { problems }, EXIT.failed);
}

/** Returns the address of the JSON Schema for a plan in this file. */
function schemaFrom(out = 'plan.json'): string {
  const path = relative(dirname(resolve(out)), join('node_modules', 'multilocal', 'dist', 'plan.schema.json'));
  const address = path.split(sep).join('/');
  return address.startsWith('.') ? address : `./${address}`;
}
