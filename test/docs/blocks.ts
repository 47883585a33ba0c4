import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A code block of README.md, of the skill or of a page in docs/. */
export interface Block {
  /** `docs/guides/reviews.md:12`: where it stands. */
  id: string;
  code: string;
  /** `tsx` holds JSX. */
  language: 'ts' | 'tsx';
  /** What it prints, by its comments: `console.log(requests); // → 1`. */
  prints: string[];
  /** The ```` ```txt ```` below the block: everything that it prints. */
  output?: string;
  /** A block of README.md or of the skill, which readers paste: it runs with nothing declared outside. */
  isRecipe: boolean;
  /** `false` with the info `check=false`: the block imports a package that is not installed. */
  compiles: boolean;
  /** `false` with the info `run=false` or `check=false`: the block needs what is not there, such as a database. */
  runs: boolean;
}

/** What coding agents read first. */
export const skill = 'skills/multilocal/SKILL.md';

/** Every page for users, written by hand or by a script of ours; docs/api comes from the docstrings. */
export const pages = [
  'README.md',
  skill,
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('docs', name))
    .filter((name) => name.endsWith('.md') && !/^docs.(api|decisions|site)\b/.test(name)),
].sort();

/**
 * The TypeScript blocks of a page.
 * Fences: ```` ```ts ```` is type-checked and run, ```` ```ts run=false ```` is type-checked, ```` ```ts check=false ```` is neither.
 * A fence ```` ```txt ```` below one holds everything that it prints.
 * A comment `<!-- then … -->` below holds what only the test runs, where a reader who copies the block must not.
 */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [
    ...text.matchAll(
      /^( *)```(ts|tsx)(| [^\n]*)\n([\s\S]*?)^\1```$(?:\n\n<!-- then\n([\s\S]*?)^-->$)?(?:\n\n```txt\n([\s\S]*?)\n```$)?/gm,
    ),
  ].map((match) => {
    const [, indent = '', language = '', info = '', shown = '', then = '', output] = match;
    const code = shown + then;
    if (!['', ' run=false', ' check=false'].includes(info))
      throw new Error(`${page}: unknown info string "${language}${info}"`);
    const line = text.slice(0, match.index).split('\n').length;
    return {
      prints: [...code.matchAll(/\/\/ → (.+)$/gm)].map(([, line = '']) => line),
      ...(output !== undefined && { output }),
      id: `${relative('', page)}:${line}`,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      isRecipe: page === 'README.md' || page === skill,
      language: language === 'tsx' ? 'tsx' : 'ts',
      compiles: info !== ' check=false',
      runs: language === 'ts' && info === '',
    };
  });
}
