import { basename, extname } from 'node:path';
import { planCampaignIn, printCampaignProblem } from '@multilocal/campaigns/campaign';
import { planTableIn } from '@multilocal/campaigns/table';
import { inLocale, type Locale } from '@multilocal/plans/words';
import type { Bulle } from 'multilocal';
import { InvalidRequestError } from 'multilocal/internal/errors';
import type { Campaign, CampaignProblem, Plan, PlanAction, PlannedCampaign, TableOptions } from 'multilocal/plans';
import { EXIT, Failed, UsageError } from '../failure.js';
import { say } from '../front.js';
import { writtenAt } from '../plan/place.js';
import { printProblem } from '../plan/problem.js';
import { USAGE } from '../usage-said.js';
import { WORDING } from '../wording.js';
import { zonesOf } from './calendar.js';
import { type Rows, readDocument, readRows, readTable, type Source } from './read.js';

/** The flags of `plan` that say what the source is. */
export interface SourceFlags {
  readonly campaign: string;
  readonly rows?: string | undefined;
  readonly name?: string | undefined;
  readonly zones: readonly string[];
  readonly 'date-order'?: string | undefined;
  readonly columns?: string | undefined;
  readonly locale: Locale;
}

/** A campaign or a table of posts that was read. */
export interface PlanSource {
  readonly zone: string;
  readonly zones: Readonly<Record<string, string>>;
  /** What the person should know about the files. */
  readonly remarks: readonly string[];
  /** Makes the plan. @throws a {@link Failed} with the file and the line of each problem. */
  plan(locations: readonly Bulle[]): Plan;
  /** Finds what no location could make right. @throws a {@link Failed} */
  check(): void;
}

/** Reads the source of a plan: a table of posts (.csv, .tsv, .txt), or a campaign with its rows. */
export async function readSource(flags: SourceFlags): Promise<PlanSource> {
  return /^\.(csv|tsv|txt)$/i.test(extname(flags.campaign)) ? tableOf(flags) : campaignOf(flags);
}

async function tableOf(flags: SourceFlags): Promise<PlanSource> {
  const { campaign: file, name = basename(file, extname(file)), 'date-order': dateOrder } = flags;
  if (flags.rows !== undefined) throw new UsageError(...USAGE.rowsOfTable());
  const zones = zonesOf(flags.zones);
  if (zones === undefined) throw new UsageError(...USAGE.needsZone());
  const rows = await readTable(file);
  const columns = flags.columns === undefined ? undefined : await readDocument(flags.columns);
  return sourceOf({ locale: flags.locale, rows, columns }, zones, (locations) => {
    const given = { name, ...zones, locations, columns: columns?.value, dateOrder };
    return planTableIn(flags.locale, rows.value, given as TableOptions, (row) => {
      const { line } = rows.positionOf([row - 2]);
      // Cells of several lines make a difference.
      return writtenAt(file, line, line === row ? '' : `${inLocale(WORDING.row(), flags.locale)} ${row}`);
    });
  });
}

async function campaignOf(flags: SourceFlags): Promise<PlanSource> {
  const [surplus] = (['name', 'date-order', 'columns'] as const).filter((flag) => flags[flag] !== undefined);
  const flag = surplus ?? (flags.zones.length > 0 ? 'zone' : undefined);
  if (flag) throw new UsageError(...USAGE.forTables(flag));
  const campaign = await readDocument(flags.campaign);
  const rows = flags.rows === undefined ? undefined : await readRows(flags.rows);
  // `planCampaign` checks whether it is one.
  const value = campaign.value as Campaign;
  const { zone, zones = {} }: Campaign = Object(value);
  const files = { locale: flags.locale, campaign, rows };
  const lineOf = ({ params }: PlanAction) => {
    const index = rows?.value.findIndex(({ bulle_id }) => bulle_id === Object(params).bulle_id) ?? -1;
    if (rows && index >= 0) return writtenAt(rows.file, rows.positionOf([index]).line);
    return writtenAt(campaign.file, campaign.positionOf(['post']).line);
  };
  const make = (locations: readonly Bulle[]) => {
    const { plan, problems } = planCampaignIn(flags.locale, value, locations, rows?.value);
    const actions = plan.actions.map((action) => ({ ...action, source: lineOf(action) }));
    return { plan: { ...plan, actions }, problems };
  };
  const source = sourceOf(files, { zone, zones }, make);
  const check = () => {
    source.check();
    if (value.for === 'rows' && !rows) throw refusal(files, [noRows(flags.locale)]);
  };
  return { ...source, check };
}

function sourceOf(
  files: Files,
  zones: Pick<PlanSource, 'zone' | 'zones'>,
  make: (locations: readonly Bulle[]) => PlannedCampaign,
): PlanSource {
  const planned = (locations: readonly Bulle[]) => {
    try {
      return make(locations);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const problems = error.issues.map((issue) => ({ code: 'invalid_request', ...issue }) as const);
      throw refusal(files, problems);
    }
  };
  return {
    ...zones,
    remarks: files.rows?.remark === undefined ? [] : [inLocale(files.rows.remark, files.locale)],
    plan: (locations) => {
      const { plan, problems } = planned(locations);
      if (problems.length > 0) throw refusal(files, problems);
      return plan;
    },
    check: () => void planned([]),
  };
}

const noRows = (locale: Locale) =>
  ({ code: 'no_location', path: [], message: inLocale(WORDING.needsRows(), locale) }) as const;

/** The files of a plan, by what the problems of a library call begin with. */
interface Files {
  readonly locale: Locale;
  readonly campaign?: Source<unknown>;
  readonly columns?: Source<unknown> | undefined;
  readonly rows?: Rows | undefined;
}

/** Creates the error of a source with problems. Each one has its file and its line. */
function refusal(files: Files, problems: readonly CampaignProblem[]): Failed {
  const { locale } = files;
  const what = files.campaign ? 'campaign' : 'table';
  const placed = problems.map((problem) => {
    const { code, bulle_id, path } = problem;
    const name = path[0] === 'rows' || path[0] === 'columns' ? path[0] : 'campaign';
    const source = files[name] ?? files.campaign;
    const file = source?.file ?? '';
    const position = source?.positionOf(source === files.campaign ? path : path.slice(1));
    // The problems of a table are sentences with row and column already.
    const message = what === 'table' && name === 'rows' ? say(problem.message) : printCampaignProblem(problem, locale);
    const line = position ? printProblem(file, { ...position, message }) : message;
    return { line, problem: { ...(position && { file, ...position }), code, ...(bulle_id && { bulle_id }), message } };
  });
  const head = inLocale(WORDING.cannotPlan(what, problems.length), locale);
  const message = [head, ...placed.map(({ line }) => line)].join('\n');
  const hint = inLocale(WORDING.correctSource(what), locale);
  const data = { problems: placed.map(({ problem }) => problem) };
  return new Failed({ code: 'campaign_invalid', message, hint }, data, EXIT.failed);
}
