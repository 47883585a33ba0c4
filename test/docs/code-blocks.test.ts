// The code of README.md and of the guides compiles, and what can run runs against the mock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, pages, root } from './blocks.js';
import { typeErrors } from './check.js';
import { run } from './run.js';

const blocks = pages.flatMap(blocksOf);

describe('the code blocks of the documentation', () => {
  it('are found', () => {
    expect(pages.length).toBeGreaterThan(15);
    expect(blocks.length).toBeGreaterThan(60);
    expect(blocks.filter(({ runs }) => runs).length).toBeGreaterThan(40);
  });

  it('compile', { timeout: 120_000 }, () => {
    expect(typeErrors(blocks.filter(({ isRecipe }) => !isRecipe))).toEqual([]);
  });

  it('compile in README.md with nothing declared outside', { timeout: 120_000 }, () => {
    expect(
      typeErrors(
        blocks.filter(({ isRecipe }) => isRecipe),
        'export {};',
      ),
    ).toEqual([]);
  });

  it('need no `as const`', () => {
    const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
    expect(text.match(/.*\bas const\b.*/g)).toBeNull();
  });

  it.each(blocks.filter(({ runs }) => runs).map((block) => [block.id, block] as const))(
    '%s runs, and prints what its comments say',
    async (_, block) => {
      const printed = await run(block);
      // The comments tell no more than what is of interest, so other lines may stand between.
      expect(printed.filter((line) => block.prints.includes(line))).toEqual(block.prints);
    },
  );
});
