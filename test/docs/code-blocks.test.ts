// The code of README.md, of the skill and of the guides compiles, and what can run runs against the mock.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as multilocal from '../../src/index.js';
import { scopeErrors } from '../spec/errors.js';
import { blocksOf, pages, root } from './blocks.js';
import { typeErrors } from './check.js';
import { run } from './run.js';

const blocks = pages.flatMap(blocksOf);
const checked = blocks.filter(({ compiles }) => compiles);
const read = (page: string) => readFileSync(join(root, page), 'utf8');

describe('the code blocks of the documentation', () => {
  it('are found', () => {
    expect(pages.length).toBeGreaterThan(15);
    expect(blocks.length).toBeGreaterThan(60);
    expect(blocks.filter(({ runs }) => runs).length).toBeGreaterThan(40);
  });

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

  it('need no `as const`', () => {
    const text = pages.map(read).join('\n');
    expect(text.match(/.*\bas const\b.*/g)).toBeNull();
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

// VitePress looks after the links between pages of docs/. It does not see the others.
describe('the pages', () => {
  // A guide answers one question. A longer one answers two: split it, or leave out what the reference says.
  it('are guides of at most 230 lines', () => {
    const lines = readdirSync(join(root, 'docs', 'guides')).map(
      (name) => [name, read(`docs/guides/${name}`).split('\n').length - 1] as const,
    );
    expect(lines.filter(([, count]) => count > 230)).toEqual([]);
  });

  it('link to files that exist', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => join(dirname(page), path)),
    );
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

  it('have each of the six French messages with its code', () => {
    const rows = read('docs/guides/keys-and-scopes.md').replaceAll('&lt;', '<').replaceAll('&gt;', '>').split('\n');
    const missing = scopeErrors.filter(([status, detail, code]) => {
      const row = rows.find((line) => line.startsWith(`| ${status} *${detail}*`));
      return !row?.includes(`\`${code}\``);
    });
    expect(missing).toEqual([]);
  });

  it('are all reached from the sidebar', () => {
    const config = read('docs/site/.vitepress/config.ts');
    const names = readdirSync(join(root, 'docs', 'guides')).map((name) => name.replace('.md', ''));
    expect(names.filter((name) => !config.includes(`'${name}'`))).toEqual([]);
  });
});
