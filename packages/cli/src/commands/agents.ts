import { existsSync } from 'node:fs';
import { hasBlock, withBlock, withoutBlock } from '../agents/block.js';
import { AgentsError } from '../agents/error.js';
import { type AgentsFile, deleteAgentsFile, FILE, readAgentsFile, writeAgentsFile } from '../agents/file.js';
import { command } from '../command.js';
import { EXIT, UsageError } from '../failure.js';

/** What happened to the file, and the sentence for people. */
const CHANGES = {
  created: `Created ${FILE} with a block that says where the guides are.`,
  added: `Added a block to ${FILE} that says where the guides are.`,
  updated: `Updated the block in ${FILE}.`,
  removed: `Removed the block from ${FILE}.`,
  deleted: `Removed ${FILE}, which had only the block.`,
  none: `${FILE} needs no change.`,
} as const;

export const agents = command({
  description: 'Write into AGENTS.md where coding agents find the guides',
  args: {
    check: { type: 'boolean', description: 'Write nothing: exit code 1 if the block is missing or not current' },
    remove: { type: 'boolean', description: 'Remove the block' },
  },
  async run({ args, output }) {
    if (args.check && args.remove)
      throw new UsageError('`--check` and `--remove` cannot be combined.', 'Pass only one of them.');
    const file = await readAgentsFile();
    // What passes the check needs no change, so nothing is written.
    if (args.check) refuseOther(file);
    const change = await (args.remove ? remove(file) : write(file));
    output.data({ file: FILE, change }, CHANGES[change]);
    const isNew = change !== 'none' && !args.remove;
    if (isNew && !existsSync('node_modules/multilocal/docs/guides'))
      output.note(
        'The block names files of node_modules/multilocal, which this folder does not have: `npm install multilocal`.',
      );
    return EXIT.done;
  },
});

function refuseOther({ text = '' }: AgentsFile): void {
  const hint = 'Run `npx multilocal agents` and commit the file.';
  if (!hasBlock(text)) throw new AgentsError('agents_missing', `${FILE} has no block of multilocal.`, hint);
  if (withBlock(text) === text) return;
  throw new AgentsError(
    'agents_stale',
    `The block of multilocal in ${FILE} is not that of the installed version.`,
    hint,
  );
}

async function write(file: AgentsFile): Promise<keyof typeof CHANGES> {
  const { text } = file;
  const next = withBlock(text ?? '');
  if (next === text) return 'none';
  await writeAgentsFile(file, next);
  if (text === undefined) return 'created';
  return hasBlock(text) ? 'updated' : 'added';
}

async function remove(file: AgentsFile): Promise<keyof typeof CHANGES> {
  const { text = '' } = file;
  const next = withoutBlock(text);
  if (next === text) return 'none';
  // A link would lead nowhere without its file.
  if (next.trim() !== '' || file.isLink) {
    await writeAgentsFile(file, next);
    return 'removed';
  }
  await deleteAgentsFile(file);
  return 'deleted';
}
