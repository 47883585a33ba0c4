// cspell:ignore expiré jeton

import { calendarOf } from '@multilocal/campaigns/calendar';
import { labelOf, WORDS } from '@multilocal/campaigns/calendar-words';
import { localMoment, planStatus, platformNames } from '@multilocal/plans/inside';
import { asPart, inLocale, type Locale } from '@multilocal/plans/words';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Bulle } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { ActionStatus, PlanState } from 'multilocal/plans';
import { formatOf, LOOKS, looksOf, writeResult, zonesOf, zonesOfPlan } from '../campaign/calendar.js';
import { argument, CONNECTION_ARGS, command, flag, option, repeated } from '../command.js';
import { clientOf } from '../connection.js';
import { EXIT, Failed } from '../failure.js';
import type { Colour, Output } from '../output.js';
import { cell, tableOf } from '../plan/github.js';
import { JOURNAL, journalBeside, journalOf } from '../plan/journals.js';
import { SHORT } from '../plan/people.js';
import { readPlan } from '../plan/plan-file.js';
import { groupsOf } from '../plan/problem.js';
import { REPORT, Reports } from '../plan/reports.js';
import { WORDING } from '../wording.js';

export const status = command({
  description: 'Say what became of a plan, on the service and on each platform',
  args: {
    plan: argument('The plan, a JSON or YAML file'),
    calendar: option('Also write what became of it as a calendar: .html, .ics or .csv', 'file'),
    zone: repeated('Calendar: time zone; again as <bulle_id>=<zone>', 'zone', true),
    ...LOOKS,
    report: REPORT,
    all: flag('Show every action of a plan with more than 20'),
    journal: option(`The journal (default: ${JOURNAL} beside the plan)`, 'file'),
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal, values }) {
    const { calendar } = args;
    const format = calendar === undefined ? undefined : formatOf(calendar);
    const looks = await looksOf({ ...args, locale: args.locale ?? output.locale });
    const reports = new Reports(output, args.plan, values('report'), [
      journalBeside(args.plan, args.journal),
      calendar,
    ]);
    const file = await readPlan(args.plan);
    const client = await clientOf(args, output);
    await client.me({ signal });
    const journal = fileJournal(await journalOf(args.plan, args.journal));
    const found = await planStatus(client, file.plan, { journal, signal });
    const bulle = client.identity?.bulle;
    const locations: readonly Bulle[] = bulle ? [bulle] : await client.bulles.list({ signal });
    const names = new Map(locations.map(({ id, name }) => [id, name ?? id]));
    const [only] = locations.length === 1 ? locations : [];
    const all = found.actions.map((action, index): Line => {
      const { bulle_id = only?.id, fiche_id, scheduled_at } = Object(file.plan.actions[index]?.params);
      const location = names.get(bulle_id) ?? bulle_id ?? fiche_id ?? '';
      return { ...action, line: file.at(['actions', index]).line, written: scheduled_at, location };
    });
    // Markdown hides the key behind its own signs.
    const lines = output.clean(all);
    const { ok, requests } = found;
    const summary = summaryOf(lines, output.locale);
    await annotate(reports, args.plan, lines, summary, output.locale);
    if (calendar !== undefined && format !== undefined) {
      const zones = zonesOf(values('zone')) ?? zonesOfPlan(file.plan);
      const title = args.title ?? file.plan.name;
      await writeResult(
        calendar,
        calendarOf(file.plan, { format, locations, ...zones, ...looks, title, status: found }),
      );
    }
    if (!output.isJson) printTable(output, lines, args.all === true);
    const actions = lines.map(({ written: _, ...action }) => action);
    const document = { plan: args.plan, calendar, ok, summary, requests, actions };
    if (ok) {
      output.data(document, `\n${output.wrap(`${summary}. ${output.in(WORDING.requests(requests))}.`)}`);
      return EXIT.done;
    }
    const isFailed = lines.some(({ state }) => state === 'failed');
    const hint = output.in(isFailed ? WORDING.lookAtAccounts() : WORDING.gone());
    throw new Failed({ code: 'plan_failed', message: `${summary}.`, hint }, document, EXIT.failed);
  },
});

/** One action, as it is shown. */
interface Line extends ActionStatus {
  readonly line: number;
  /** The moment as the plan writes it, with the offset of the location. */
  readonly written: unknown;
  readonly location: string;
}

/** How each state is shown. Red is what a person must look at, so its places are named. */
const STATES: Readonly<Record<PlanState, readonly [mark: string, colour: Colour]>> = {
  online: ['✓', 'green'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  gone: ['✗', 'red'],
  unknown: ['?', 'red'],
  publishing: ['•', 'dim'],
  scheduled: ['•', 'dim'],
  open: ['•', 'dim'],
};

/** What a person must look at: what is red, and what a run has left out. */
function isForPeople(lines: readonly Line[]): (line: Line) => boolean {
  const isBegun = lines.some(({ state }) => state !== 'open');
  return ({ state }) => STATES[state][1] === 'red' || (state === 'open' && isBegun);
}

const inWords = (state: PlanState, locale: Locale) => labelOf(WORDS[locale], state);

/** `38 online, 1 failed on Facebook (Bordeaux: jeton expiré), 1 pending`. */
function summaryOf(lines: readonly Line[], locale: Locale): string {
  const parts = (Object.keys(STATES) as PlanState[]).flatMap((state) => {
    const own = lines.filter((line) => line.state === state);
    if (own.length === 0) return [];
    const reasons = [...groupsOf(own.map((line) => ({ message: placeOf(line, locale) })))].map(([place, { length }]) =>
      length > 1 ? `${length} × ${place}` : place,
    );
    const places = [...reasons.slice(0, 3), ...(reasons.length > 3 ? ['…'] : [])].join('; ');
    const on =
      state === 'failed' ? inLocale(WORDING.on(platformNames([...new Set(own.flatMap(failedOn))])), locale) : '';
    return `${own.length} ${labelOf(WORDS[locale], state, own.length)}${own.some(isForPeople(lines)) ? `${on} (${places})` : ''}`;
  });
  return parts.join(', ') || inLocale(WORDING.noAction(), locale);
}

function printTable(output: Output, lines: readonly Line[], isAll: boolean): void {
  const isShown = isForPeople(lines);
  const shown = isAll || lines.length <= SHORT ? lines : lines.filter(isShown);
  const [head, what] = [output.in(WORDING.location()), output.in(WORDING.whatBecame())];
  const width = Math.max(head.length, ...lines.map(({ location }) => location.length));
  const row = (first: string, text: string) => output.row(first.padEnd(width), [text], width + 4);
  output.raw(output.paint('dim', `  ${row(head, what)}`));
  for (const line of shown) {
    const [mark, colour] = STATES[line.state];
    // Where to look in the table of posts.
    const place = isShown(line) && line.source !== undefined ? ` (${line.source})` : '';
    output.raw(`${output.paint(colour, mark)} ${row(line.location, `${detailsOf(line, output.locale)}${place}`)}`);
  }
  const hidden = lines.length - shown.length;
  if (hidden > 0) output.raw(output.paint('dim', `  ${row('', output.in(WORDING.hidden(hidden)))}`));
}

/** `Facebook failed: jeton expiré; Google, Instagram online since 2026-12-24 09:00 (UTC+1)`. */
function detailsOf({ operation, state, platforms, written }: Line, locale: Locale): string {
  const colon = WORDS[locale].colon;
  const parts = new Map<string, string[]>();
  for (const [name, one] of Object.entries(platforms ?? {})) {
    const moment = one.state === 'failed' ? undefined : parseTimestamp(one.at);
    const when = moment ? WORDING.since(one.state === 'online', localMoment(moment, written)) : (['', ''] as const);
    const said = `${inWords(one.state, locale)}${inLocale(when, locale)}${one.error ? `${colon}${asPart(one.error)}` : ''}`;
    parts.set(said, [...(parts.get(said) ?? []), name]);
  }
  const told = [...parts].map(([said, names]) => `${platformNames(names)} ${said}`);
  return told.join('; ') || `${operation}${colon}${inWords(state, locale)}`;
}

/** Shows beside the lines of the plan what a person must look at, and all of it in the summary of the job. */
async function annotate(
  reports: Reports,
  file: string,
  lines: readonly Line[],
  summary: string,
  locale: Locale,
): Promise<void> {
  const findings = lines.flatMap((one) => {
    const colour = STATES[one.state][1];
    const message = `${inWords(one.state, locale)}${WORDS[locale].colon}${placeOf(one, locale)}`;
    const place = { line: one.line, column: 1, ...(one.source !== undefined && { source: one.source }) };
    return colour === 'red' ? [{ ...place, code: one.state, path: [], message }] : [];
  });
  const problems = findings.filter(({ code }) => code !== 'unknown');
  const warnings = findings.filter(({ code }) => code === 'unknown');
  const isShown = isForPeople(lines);
  const rows = lines.map((one) => {
    return {
      cells: [one.source ?? String(one.line), one.location, detailsOf(one, locale)].map(cell),
      weight: isShown(one) ? 2 : 0,
    };
  });
  const text = [
    `### ${cell(`${file}${WORDS[locale].colon}${summary}`)}`,
    '',
    ...tableOf(inLocale(WORDING.statusHead(), locale), rows, locale),
    '',
  ].join('\n');
  await reports.show({ problems, warnings }, text);
}

function failedOn({ platforms = {} }: ActionStatus): string[] {
  return Object.entries(platforms).flatMap(([name, { state }]) => (state === 'failed' ? name : []));
}

/** `Bordeaux: jeton expiré`. */
function placeOf({ location, operation, platforms = {} }: Line, locale: Locale): string {
  const errors = Object.values(platforms).flatMap(({ error }) => (error ? asPart(error) : []));
  return [location || operation, ...new Set(errors)].join(WORDS[locale].colon);
}
