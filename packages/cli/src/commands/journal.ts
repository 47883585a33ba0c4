import { type Entry, parseJournal } from '@multilocal/plans/journal-content';
import { settleAction } from '@multilocal/plans/settle';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import { command, option, optional } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import { JOURNAL, journalOf } from '../plan/journals.js';
import { plural } from '../words.js';

const USAGE = '`npx multilocal journal settle <key> applied|not_applied` notes what you have seen in the service.';

export const journal = command({
  description: 'Show what the journal of a folder knows; settle <key> applied|not_applied notes what a person has seen',
  args: {
    plan: optional('A plan, whose folder has the journal'),
    by: option('settle: who has looked', 'name'),
    journal: option(`The journal (default: ${JOURNAL})`, 'file'),
  },
  rest: '[settle <key> applied|not_applied]',
  async run({ args, output }) {
    const [first, given, outcome, ...surplus] = args._;
    const isSettling = first === 'settle';
    const file = args.journal ?? (first === undefined || isSettling ? JOURNAL : await journalOf(first));
    if (isSettling) {
      if (given === undefined || (outcome !== 'applied' && outcome !== 'not_applied') || surplus.length > 0) {
        throw new UsageError('`journal settle` needs a key and `applied` or `not_applied`.', USAGE);
      }
      const key = keyIn(
        file,
        (await entriesIn(file)).map(({ key }) => key),
        given,
      );
      await settleAction(fileJournal(file), key, outcome, { by: args.by });
      output.data({ journal: file, key, outcome }, `${key} is ${outcome}.`);
      return EXIT.done;
    }
    if (given !== undefined) throw new UsageError('`journal` takes only a plan, or `settle`.', USAGE);
    if (args.by !== undefined) throw new UsageError('`--by` belongs to `journal settle`.', USAGE);
    const entries = await entriesIn(file);
    const open = entries.filter(({ outcome }) => outcome === 'started' || outcome === 'unknown').length;
    const more = open > 0 ? `, ${open} may have happened: run the plan again, or settle them` : '';
    const text = [...entries.map(lineOf), '', `${plural(entries.length, 'key')}${more}.`].join('\n').trimStart();
    output.data({ journal: file, entries }, text);
    return EXIT.done;
  },
});

type Row = Entry & { readonly key: string };

async function entriesIn(file: string): Promise<Row[]> {
  const text = await fileJournal(file).load();
  const entries: Readonly<Record<string, Entry>> = text ? parseJournal(text).entries : {};
  return Object.entries(entries).map(([key, entry]) => ({ key, ...entry }));
}

function lineOf({ key, operation, outcome, change, ids = [], started_at, ended_at, settled_by }: Row): string {
  const made = ids.length > 0 ? `id ${ids.join(', ')}` : '';
  const who = settled_by === undefined ? '' : `settled${settled_by ? ` by ${settled_by}` : ''}`;
  const state = change && outcome !== 'not_applied' ? `${change} ${outcome}` : outcome;
  return [state, ended_at ?? started_at, operation, key, made, who].filter(Boolean).join('  ');
}

/** Finds a key by its beginning: keys that a plan does not give are long hashes. Another key is never taken for the one that was meant. */
function keyIn(file: string, keys: readonly string[], given: string): string {
  const like = /^[\da-f]{8,}$/.test(given) ? keys.filter((key) => key.startsWith(given)) : [];
  const found = keys.includes(given) ? given : like[0];
  if (found !== undefined && (found === given || like.length === 1)) return found;
  const hint = '`npx multilocal journal` lists the keys. `--journal` names another file.';
  throw new UsageError(`The key is not in ${file}.`, hint);
}
