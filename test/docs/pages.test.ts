// What the pages promise to be complete is complete, and what README.md points to is there. (VitePress looks after the
// links of the other pages: a dead one fails its build. Those out of docs/ it does not see.)
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as multilocal from '../../src/index.js';
import { scopeErrors } from '../spec/errors.js';
import { pages, root } from './blocks.js';

const read = (page: string) => readFileSync(join(root, page), 'utf8');

describe('the pages', () => {
  it('have every error class with its code', () => {
    const page = read('docs/guides/errors.md');
    const classes = Object.entries(multilocal).filter(
      ([name]) => name.endsWith('Error') && name !== 'isMultilocalError',
    );
    expect(classes.length).toBeGreaterThan(30);
    const missing = classes.filter(([name, value]) => {
      const { code } = value as unknown as { code: string };
      return !new RegExp(`\`${code}\`.*\`${name}\``).test(page);
    });
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('have each of the six French messages with its code', () => {
    const page = read('docs/guides/keys-and-scopes.md').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    const missing = scopeErrors.filter(([status, detail, code]) => {
      const row = page.split('\n').find((line) => line.startsWith(`| ${status} *${detail}*`));
      return !row?.includes(`\`${code}\``);
    });
    expect(missing).toEqual([]);
  });

  it('are all reached from the sidebar', () => {
    const config = read('apps/docs/.vitepress/config.ts');
    const guides = pages.filter((page) => page.startsWith('docs/guides/'));
    const names = guides.map((page) => page.slice('docs/guides/'.length, -'.md'.length));
    expect(names.filter((name) => !config.includes(`'${name}'`))).toEqual([]);
  });

  it('link out of docs/ to what is there, and to every example of the package', () => {
    const links = pages
      .filter((page) => page.startsWith('docs/'))
      .flatMap((page) =>
        [...read(page).matchAll(/\]\(((?:\.\.\/)+[^)#]+)/g)].map(([, path = '']) => join(dirname(page), path)),
      );
    const outside = links.filter((path) => !path.startsWith('docs/'));
    expect(outside.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    // On GitHub docs/api is not there.
    expect(links.filter((path) => path.startsWith('docs/api'))).toEqual([]);
    const examples = [...read('examples/README.md').matchAll(/^\| \[([a-z-]+)\]/gm)].map(
      ([, name]) => `examples/${name}`,
    );
    expect(examples).toHaveLength(5);
    expect(examples.filter((path) => !outside.includes(path))).toEqual([]);
  });

  it('that README.md links to are there', () => {
    const links = [...read('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
