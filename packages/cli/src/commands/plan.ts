import { dirname, join, relative, resolve, sep } from 'node:path';
import { calendarOf } from '@multilocal/campaigns/calendar';
import { Accounts } from '@multilocal/plans/accounts';
import { readActions } from '@multilocal/plans/actions';
import { Context } from '@multilocal/plans/context';
import { hashOfPlan } from '@multilocal/plans/hash';
import { codeOf, flushFolder, replaceFile } from '@multilocal/stores/files';
import type { Bulle, Client } from 'multilocal';
import { isMultilocalError } from 'multilocal/internal/errors';
import type { CalendarOptions, Plan } from 'multilocal/plans';
import { readSource } from '../campaign/source.js';
import { argument, CONNECTION_ARGS, command, flag, option } from '../command.js';
import { clientOf } from '../connection.js';
import { EXIT, Failed, UsageError } from '../failure.js';
import { say } from '../front.js';
import { workflowWarning } from '../plan/github.js';
import { plural } from '../words.js';

const FORMATS = ['html', 'ics', 'csv'] as const;

export const plan = command({
  description: 'Make a plan and its calendar from a campaign or a table of posts',
  args: {
    campaign: argument('A campaign (.yaml, .json) or a table of posts (.csv)'),
    rows: option('CSV file with the words of each location', 'file'),
    zone: option('Table: time zone; again as <bulle_id>=<zone>', 'zone'),
    name: option('Table: name of the plan (default: that of the file)', 'name'),
    'date-order': { type: 'enum', description: 'Table: dmy reads 24/12/2026', options: ['dmy'] },
    columns: option('Table: what other headings mean (.yaml, .json)', 'file'),
    out: option('Write the plan to this file instead of stdout', 'file'),
    calendar: option('Also write a calendar: .html, .ics or .csv', 'file'),
    locale: { type: 'enum', description: 'Language of the calendar: en, fr', options: ['en', 'fr'] },
    images: flag('The HTML calendar loads and shows the images'),
    approve: option('The HTML calendar has a button that mails to this address', 'mail'),
    separator: option('Separator of the CSV calendar (default: a comma; fr: ;)', ';'),
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal, values }) {
    const { campaign, out, calendar, locale, images, approve } = args;
    const format = calendar === undefined ? undefined : formatOf(calendar);
    refuseSameFile([campaign, args.rows, args.columns, out, calendar]);
    const source = await readSource({ ...args, zones: values('zone') });
    const warn = (text: string) => output.note(`${output.paintNote('yellow', 'warning')} ${text}`);
    for (const remark of source.remarks) warn(remark);
    // Without locations, only the source itself is checked: a wrong one costs no request.
    source.check();
    const client = await clientOf(args, output);
    const locations = await client.bulles.list({ signal });
    const plan: Plan = { $schema: schemaFrom(out), ...source.plan(locations) };
    const warnings = await accountWarnings(client, plan, locations, signal);
    for (const warning of warnings) {
      warn(output.wrap(warning));
      if (process.env.GITHUB_ACTIONS === 'true') output.workflowCommand(workflowWarning(campaign, warning));
    }
    const hash = hashOfPlan(plan);
    const text = `${JSON.stringify(plan, null, 2)}\n`;
    if (calendar !== undefined && format !== undefined) {
      const { zone, zones } = source;
      const separator = args.separator as CalendarOptions['separator'];
      const looks = { locale, images, approve, separator, title: plan.name, madeAt: new Date() };
      await write(calendar, calendarOf(plan, { format, zone, zones, locations, ...looks }));
    }
    if (out !== undefined) await write(out, text);
    const actions = plan.actions.length;
    const summary = `${plural(actions, 'action')}, hash ${hash}`;
    if (out === undefined) {
      output.data(plan, text.trimEnd());
      output.note(summary);
    } else {
      const result = { plan: out, calendar, actions, hash, warnings };
      output.data(result, output.wrap(`${out} has ${summary}. \`npx multilocal rehearse\` checks it.`));
    }
    return EXIT.done;
  },
});

/** Says once for each account that cannot publish what the plan has, so that it is connected before a client approves the plan. */
async function accountWarnings(client: Client, plan: Plan, locations: readonly Bulle[], signal: AbortSignal) {
  const accounts = new Accounts(new Context(client, { signal }));
  const names = new Map(locations.map(({ id, name }) => [id, name ?? id]));
  const found = new Set<string>();
  try {
    for (const action of readActions(plan).actions) {
      const { problems, warnings } = await accounts.check(action, names.get(String(action.params.bulle_id)));
      for (const { message } of [...problems, ...warnings]) found.add(message);
    }
  } catch (error) {
    if (!isMultilocalError(error)) throw error;
    found.add(`The accounts could not be looked at: ${say(error.message)}`);
  }
  return [...found];
}

function formatOf(calendar: string): CalendarOptions['format'] {
  const format = FORMATS.find((one) => calendar.toLowerCase().endsWith(`.${one}`));
  if (format) return format;
  throw new UsageError('`--calendar` needs a file that ends in .html, .ics or .csv.', 'The ending is the format.');
}

/** A wrong word on the command line must not replace the campaign. */
function refuseSameFile(files: readonly (string | undefined)[]): void {
  const paths = files.flatMap((file) => (file === undefined ? [] : [resolve(file)]));
  if (new Set(paths).size === paths.length) return;
  throw new UsageError('The same file is named twice. Nothing was written.', 'Give each result a file of its own.');
}

/** Returns the address of the JSON Schema for a plan in this file. */
function schemaFrom(out = 'plan.json'): string {
  const path = relative(dirname(resolve(out)), join('node_modules', 'multilocal', 'dist', 'plan.schema.json'));
  const address = path.split(sep).join('/');
  return address.startsWith('.') ? address : `./${address}`;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, text);
    await flushFolder(dirname(file));
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    const hint = 'Check the folder, its rights and the space on the disk.';
    throw new Failed({ code: 'file_unusable', message: `${file} cannot be written (${code}).`, hint }, {}, EXIT.failed);
  }
}
