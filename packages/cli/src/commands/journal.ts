import { type Entry, outcomeOf, parseJournal, platformNames, settleAction } from '@multilocal/plans/inside';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import { command, LOCALE, option, optional, repeated } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import type { Output } from '../output.js';
import { JOURNAL, journalOf } from '../plan/journals.js';
import { USAGE } from '../usage-said.js';
import { WORDING } from '../wording.js';

export const journal = command({
  description: 'Show what the journal of a folder knows; settle <key> applied|not_applied notes what a person has seen',
  args: {
    plan: optional('A plan, whose folder has the journal'),
    id: repeated('settle applied: the id of what was made, as the service shows it; may be repeated', 'id'),
    by: option('settle: who has looked', 'name'),
    journal: option(`The journal (default: ${JOURNAL})`, 'file'),
    locale: LOCALE,
  },
  rest: '[settle <key> applied|not_applied]',
  async run({ args, output, values }) {
    const [first, given, outcome, ...surplus] = args._;
    const isSettling = first === 'settle';
    const ids = values('id').map(idOf);
    const file = args.journal ?? (first === undefined || isSettling ? JOURNAL : await journalOf(first));
    if (isSettling) {
      if (given === undefined || (outcome !== 'applied' && outcome !== 'not_applied') || surplus.length > 0) {
        throw new UsageError(...USAGE.settle());
      }
      if (ids.length > 0 && outcome === 'not_applied') throw new UsageError(...USAGE.idOfNothing());
      const known = (await entriesIn(file)).map(({ key }) => key);
      const key = keyIn(file, known, given);
      await settleAction(fileJournal(file), key, outcome, { by: args.by, ...(ids.length > 0 && { ids }) });
      output.data({ journal: file, key, outcome, ids }, output.in(WORDING.isSettled(key, outcome)));
      return EXIT.done;
    }
    if (given !== undefined) throw new UsageError(...USAGE.journalTakes());
    const [surplusFlag] = args.by === undefined ? (ids.length > 0 ? ['id'] : []) : ['by'];
    if (surplusFlag !== undefined) throw new UsageError(...USAGE.belongsToSettle(surplusFlag));
    const entries = await entriesIn(file);
    const open = entries.filter(({ sent }) => sent !== undefined).length;
    const text = [...tableOf(entries, output), '', output.in(WORDING.keys(entries.length, open))]
      .join('\n')
      .trimStart();
    output.data({ journal: file, entries }, text);
    return EXIT.done;
  },
});

/** Ids of posts are numbers. A number that does not keep its digits is a text. */
function idOf(given: string): string | number {
  return String(Number(given)) === given && Number.isSafeInteger(Number(given)) ? Number(given) : given;
}

interface Row extends Entry {
  readonly key: string;
  readonly outcome: ReturnType<typeof outcomeOf>;
}

async function entriesIn(file: string): Promise<Row[]> {
  const text = await fileJournal(file).load();
  const entries: Readonly<Record<string, Entry>> = text ? parseJournal(text).entries : {};
  return Object.entries(entries).map(([key, entry]) => ({ key, outcome: outcomeOf(entry), ...entry }));
}

/** Beside each outcome what it is of, in the width of the terminal. */
function tableOf(entries: readonly Row[], output: Output): string[] {
  if (entries.length === 0) return [];
  const rows = entries.map((row) => output.row(row.outcome.padEnd(11), [row.key, detailsOf(row, output)], 13));
  return [output.in(WORDING.journalHead()), ...rows];
}

/** `social.publish, noel, 2026-12-24T09:00:00.000Z, id soc_9`. */
function detailsOf(row: Row, output: Output): string {
  const { operation, plan, made, sent, online = [], at, begun_at, settled_by } = row;
  const { ids = [], gone } = made ?? {};
  const known = [
    ...[operation, plan, at ?? begun_at],
    ids.length > 0 && `id ${ids.join(', ')}`,
    sent?.change && output.in(WORDING.begun(sent.change)),
    online.length > 0 && output.in(WORDING.seenOnline(platformNames(online))),
    gone && output.in(WORDING.isGone()),
    settled_by !== undefined && output.in(WORDING.settled(settled_by)),
  ];
  return known.filter(Boolean).join(', ');
}

/** Finds a key by its beginning: keys that a plan does not give are long hashes. Another key is never taken for the one that was meant. */
function keyIn(file: string, keys: readonly string[], given: string): string {
  const like = /^[\da-f]{8,}$/.test(given) ? keys.filter((key) => key.startsWith(given)) : [];
  const found = keys.includes(given) ? given : like[0];
  if (found !== undefined && (found === given || like.length === 1)) return found;
  throw new UsageError(...USAGE.keyNotIn(file));
}
