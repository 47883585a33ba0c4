import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { calendarOf } from '@multilocal/plans/calendar';
import { planCampaign, printCampaignProblem } from '@multilocal/plans/campaign';
import { hashOfPlan } from '@multilocal/plans/hash';
import { codeOf, flushFolder, replaceFile } from '@multilocal/stores/files';
import type { Issue } from 'multilocal';
import { InvalidRequestError } from 'multilocal/internal/errors';
import type { Campaign, CampaignProblem, CampaignRow, Plan } from 'multilocal/plans';
import { readCampaign, readRows } from '../campaign/read.js';
import { CONNECTION_ARGS, command } from '../command.js';
import { clientOf } from '../connection.js';
import { EXIT, Failed, UsageError } from '../failure.js';
import { plural } from '../words.js';

const FORMATS = { '.html': 'html', '.ics': 'ics', '.csv': 'csv' } as const;

export const plan = command({
  description: 'Make a plan and its calendar from a campaign',
  args: {
    campaign: { type: 'positional', description: 'The campaign, a YAML or JSON file', required: true },
    rows: { type: 'string', description: 'CSV file with the words of each location', valueHint: 'file' },
    out: { type: 'string', description: 'Write the plan to this file instead of stdout', valueHint: 'file' },
    calendar: { type: 'string', description: 'Also write a calendar: .html, .ics or .csv', valueHint: 'file' },
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    const { out, calendar } = args;
    const format = calendar === undefined ? undefined : formatOf(calendar);
    refuseSameFile([args.campaign, args.rows, out, calendar]);
    const files = {
      campaign: await readCampaign(args.campaign),
      rows: args.rows ? await readRows(args.rows) : undefined,
    };
    // Without locations, only the campaign itself is checked: a wrong one costs no request.
    planned(files, []);
    const client = await clientOf(args, output);
    const locations = await client.bulles.list({ signal });
    const { made, campaign } = planned(files, locations);
    if (made.problems.length > 0) throw refusal(files, made.problems);

    const plan: Plan = { $schema: schemaFrom(out), ...made.plan };
    const hash = hashOfPlan(plan);
    const text = `${JSON.stringify(plan, null, 2)}\n`;
    if (calendar !== undefined && format !== undefined) {
      const { zone, zones, campaign: title } = campaign;
      await write(calendar, calendarOf(plan, { format, zone, zones, locations, title }));
    }
    if (out !== undefined) await write(out, text);
    const summary = `${plural(plan.actions.length, 'action')}, hash ${hash}`;
    if (out === undefined) {
      output.data(plan, text.trimEnd());
      output.note(summary);
    } else {
      const result = { plan: out, ...(calendar !== undefined && { calendar }), actions: plan.actions.length, hash };
      output.data(result, output.wrap(`${out} has ${summary}. \`npx multilocal rehearse\` checks it.`));
    }
    return EXIT.done;
  },
});

interface Files {
  readonly campaign: Awaited<ReturnType<typeof readCampaign>>;
  readonly rows: Awaited<ReturnType<typeof readRows>> | undefined;
}

function planned(files: Files, locations: Parameters<typeof planCampaign>[1]) {
  // `planCampaign` checks whether it is one.
  const campaign = files.campaign.value as Campaign;
  const rows: readonly CampaignRow[] | undefined = files.rows?.value;
  try {
    return { campaign, made: planCampaign(campaign, locations, rows) };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw refusal(
      files,
      error.issues.map((issue) => ({ code: 'invalid_request', ...inCommandWords(issue) })),
    );
  }
}

function inCommandWords({ path, message }: Issue): Issue {
  return path[0] === 'rows' && path.length === 1
    ? { path: [], message: 'needs `--rows`, because `for` is "rows"' }
    : { path, message };
}

/** Creates the error of a campaign with problems. Each one has its file and its line. */
function refusal({ campaign, rows }: Files, problems: readonly CampaignProblem[]): Failed {
  const placed = problems.map((problem) => {
    const { code, bulle_id, path } = problem;
    const isOfRow = rows !== undefined && path[0] === 'rows';
    const { line, column } = isOfRow ? rows.positionOf(path.slice(1)) : campaign.positionOf(path);
    const { file } = isOfRow ? rows : campaign;
    return {
      file,
      line,
      column,
      code,
      ...(bulle_id !== undefined && { bulle_id }),
      message: printCampaignProblem(problem),
    };
  });
  const lines = placed.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  const message = [`The campaign has ${plural(problems.length, 'problem')}.`, ...lines].join('\n');
  const hint = 'Correct the campaign or its rows. Nothing was written.';
  return new Failed({ code: 'campaign_invalid', message, hint }, { problems: placed }, EXIT.failed);
}

function formatOf(calendar: string) {
  const ending = extname(calendar).toLowerCase();
  if (Object.hasOwn(FORMATS, ending)) return FORMATS[ending as keyof typeof FORMATS];
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
