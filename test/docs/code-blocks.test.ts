// The code of README.md, of the skill and of the guides compiles, and what can run runs against the mock.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { show } from '../../docs/site/pictures/command.js';
import * as multilocal from '../../src/index.js';
import { scopeErrors } from '../spec/errors.js';
import { blocksOf, pages, root } from './blocks.js';
import { typeErrors } from './check.js';
import { run } from './run.js';

const blocks = pages.flatMap(blocksOf);
const checked = blocks.filter(({ compiles }) => compiles);
const read = (page: string) => readFileSync(join(root, page), 'utf8');

describe('the code blocks of the documentation', () => {
  it('compile', () => {
    expect(typeErrors(checked.filter(({ isRecipe }) => !isRecipe))).toEqual([]);
  });

  it('compile in README.md and in the skill with nothing declared outside', () => {
    expect(
      typeErrors(
        checked.filter(({ isRecipe }) => isRecipe),
        'export {};',
      ),
    ).toEqual([]);
  });

  it.each(blocks.filter(({ runs }) => runs).map((block) => [block.id, block] as const))(
    '%s runs, and prints what its comments say',
    async (_, block) => {
      const printed = await run(block);
      // The comments tell no more than what is of interest, so other lines may stand between.
      expect(printed.filter((line) => block.prints.includes(line))).toEqual(block.prints);
      if (block.output !== undefined) expect(printed.join('\n')).toBe(block.output);
    },
  );
});

it('the plan of README.md can be rehearsed and carried out', async () => {
  const [, plan = ''] = /^```json\n([\s\S]*?)^```$/m.exec(read('README.md')) ?? [];
  const { screen, exit } = await show(['rehearse', 'plan.json', '--run', '--yes'], { 'plan.json': plan });
  expect(screen).toContain('The plan is carried out: 1 done, nothing left.');
  expect(exit).toBe(0);
});

// VitePress looks after the links between pages of docs/. It does not see the others.
describe('the pages', () => {
  // A guide answers one question. One that answers two is split, or leaves out what the reference says.
  it('are guides of at most 31 700 words in all', () => {
    const words = pages.filter((page) => page.includes('guides')).flatMap((page) => read(page).match(/\S+/g));
    expect(words.length).toBeLessThanOrEqual(31_700);
  });

  // GitHub cuts off longer lines at 900 pixels.
  it('have code of at most 88 characters a line in README.md, and the output of its first program', () => {
    const code = read('README.md')
      .match(/^```\w+\n[\s\S]*?^```$/gm)
      ?.join('\n');
    expect(code?.split('\n').filter((line) => line.length > 88)).toEqual([]);
    expect(blocksOf('README.md')[0]?.output).toBeTruthy();
  });

  it('link to files that exist', () => {
    const links = pages.flatMap((page) => {
      // Pages of docs/ have `src` in code too.
      const link = page === 'README.md' ? /(?:\]\(|src(?:set)?=")(?!https?:)([^)"#]+)/g : /\]\((?!https?:)([^)#]+)/g;
      const found = read(page).matchAll(link);
      return [...found].map(([, path = '']) => join(dirname(page), path));
    });
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('have a row in the guide about errors for every error class', () => {
    const guide = read('docs/guides/errors.md');
    const classes = Object.entries(multilocal).filter(([name]) => /^[A-Z]\w+Error$/.test(name));
    expect(classes.length).toBeGreaterThan(30);
    const missing = classes.filter(([name, value]) => {
      const { code } = value as unknown as { code: string };
      return !new RegExp(`\`${code}\`.*\`${name}\``).test(guide);
    });
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('answer 15 questions in troubleshooting.md, each with a code that errors.md explains', () => {
    const headings = read('docs/guides/troubleshooting.md').match(/^## `\w+`: \w/gm) ?? [];
    const questions = headings.map((heading) => heading.split('`')[1]);
    expect(new Set(questions).size).toBe(15);
    const guide = read('docs/guides/errors.md');
    expect(questions.filter((code) => !new RegExp(`^\\|.*\`${code}\``, 'm').test(guide))).toEqual([]);
  });

  it('have each of the six French messages with its code', () => {
    const rows = read('docs/guides/keys-and-scopes.md').replaceAll('&lt;', '<').replaceAll('&gt;', '>').split('\n');
    const missing = scopeErrors.filter(([status, detail, code]) => {
      const row = rows.find((line) => line.startsWith(`| ${status} *${detail}*`));
      return !row?.includes(`\`${code}\``);
    });
    expect(missing).toEqual([]);
  });
});
