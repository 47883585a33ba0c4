// The home page shows code beside its output: the code prints exactly that.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, root } from '../../../test/docs/blocks.js';
import { run } from '../../../test/docs/run.js';

const page = readFileSync(join(root, 'docs', 'index.md'), 'utf8');
const outputs = [...page.matchAll(/```txt\n([\s\S]*?)\n```/g)].map(([, output = '']) => output);
const blocks = blocksOf('docs/index.md').map((block, index) => [block.id, block, outputs[index]] as const);

test('every block has an output', () => expect(outputs.length).toBe(blocks.length));

test.each(blocks)('%s prints what stands beside it', async (_, block, output) => {
  expect((await run(block)).join('\n')).toBe(output);
});
