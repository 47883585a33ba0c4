import { type Entry, parseJournal } from '@multilocal/plans/journal-content';
import { settleAction } from '@multilocal/plans/settle';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import { command } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import type { Output } from '../output.js';
import { JOURNAL, journalOf } from '../plan/journals.js';
import { plural } from '../words.js';

const USAGE = '`npx multilocal journal settle <key> applied|not_applied` notes what you have seen in the service.';

export const journal = command({
  description: 'Show what the journal of a folder knows; settle <key> applied|not_applied notes what a person has seen',
  args: {
    plan: { type: 'positional', description: 'A plan, whose folder has the journal', required: false },
    by: { type: 'string', description: 'settle: who has looked', valueHint: 'name' },
    journal: { type: 'string', description: `The journal (default: ${JOURNAL})`, valueHint: 'file' },
  },
  rest: '[settle <key> applied|not_applied]',
  async run({ args, output }) {
    const [first, key, outcome, ...surplus] = args._;
    if (first === 'settle') {
      if (key === undefined || (outcome !== 'applied' && outcome !== 'not_applied') || surplus.length > 0) {
        throw new UsageError('`journal settle` needs a key and `applied` or `not_applied`.', USAGE);
      }
      return settle(output, args.journal ?? JOURNAL, key, outcome, args.by);
    }
    if (key !== undefined) throw new UsageError('`journal` takes only a plan, or `settle`.', USAGE);
    if (args.by !== undefined) throw new UsageError('`--by` belongs to `journal settle`.', USAGE);
    const file = args.journal ?? (first === undefined ? JOURNAL : await journalOf(first));
    return show(output, file, await entriesIn(file));
  },
});

type Entries = readonly (readonly [string, Entry])[];

async function entriesIn(file: string): Promise<Entries> {
  const text = await fileJournal(file).load();
  return text ? Object.entries(parseJournal(text).entries) : [];
}

function show(output: Output, file: string, entries: Entries): number {
  const rows = entries.map(([key, entry]) => ({ key, ...entry }));
  const lines = rows.map(({ key, operation, outcome, change, ids = [], started_at, ended_at, settled_by }) => {
    const made = ids.length > 0 ? `id ${ids.join(', ')}` : '';
    const who = settled_by === undefined ? '' : `settled${settled_by ? ` by ${settled_by}` : ''}`;
    const state = change && outcome !== 'not_applied' ? `${change} ${outcome}` : outcome;
    return [state, ended_at ?? started_at, operation, key, made, who].filter(Boolean).join('  ');
  });
  const open = rows.filter(({ outcome }) => outcome === 'started' || outcome === 'unknown').length;
  const summary = `${plural(rows.length, 'key')}${open > 0 ? `, ${open} may have happened: run the plan again, or settle them` : ''}.`;
  output.data({ journal: file, entries: rows }, [...lines, '', summary].join('\n').trimStart());
  return EXIT.done;
}

async function settle(
  output: Output,
  file: string,
  given: string,
  outcome: 'applied' | 'not_applied',
  by: string | undefined,
): Promise<number> {
  const keys = (await entriesIn(file)).map(([key]) => key);
  // Keys that a plan does not give are long hashes. Another key is never taken for the one that was meant.
  const [like, ...others] = keys.filter((key) => /^[\da-f]{8,}$/.test(given) && key.startsWith(given));
  const key = keys.includes(given) || like === undefined || others.length > 0 ? given : like;
  if (!keys.includes(key)) {
    throw new UsageError(
      `The key is not in ${file}.`,
      '`npx multilocal journal` lists the keys. `--journal` names another file.',
    );
  }
  await settleAction(fileJournal(file), key, outcome, { by });
  output.data({ journal: file, key, outcome }, `${key} is ${outcome}.`);
  return EXIT.done;
}
