import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRepeatable } from '../../src/core/call.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { KEY } from '../support/fixtures.js';
import { formsOf } from '../support/render.js';
import { catalogue } from './catalogue.js';
import { type Matrix, runMatrix } from './matrix.js';

let matrix: Matrix;

beforeAll(async () => {
  matrix = await runMatrix();
});

const titles = catalogue({ url: 'http://127.0.0.1' }).map(({ group, name, applies }) => ({
  group,
  name,
  applies,
  // Where both are tried.
  when: applies ? 'after' : 'before',
}));

describe('the client does as the contract says', () => {
  it.each(titles)('$group: $name ($when the request was carried out)', ({ group, name, applies }) => {
    const cells = matrix.cells.filter(({ fault }) => {
      return fault.group === group && fault.name === name && fault.applies === applies;
    });
    expect(cells.length).toBeGreaterThanOrEqual(8);
    const deviations = cells.flatMap((cell) => cell.deviations.map((deviation) => `${cell.name}: ${deviation}`));
    expect(deviations).toEqual([]);
  });

  it('Client and ArticlesClient do the same', () => {
    const shown = new Map<string, Set<string>>();
    for (const { fault, operation, mode, shown: one } of matrix.cells) {
      // Only `Client` knows which errors prove that a request never left.
      if (fault.family.kind === 'unsent' || fault.family.kind === 'untrusted') continue;
      const key = `${operation.id}, ${fault.group}: ${fault.name}, ${fault.applies}, ${mode}`;
      shown.set(key, (shown.get(key) ?? new Set()).add(one));
    }
    expect([...shown].filter(([, all]) => all.size > 1)).toEqual([]);
  });

  it('no redirect was followed: nobody ever connected to where they point', () => {
    expect(matrix.elsewhere).toBe(0);
  });
});

it('the key shows in nothing that a call leaves behind', () => {
  expect(matrix.leftBehind.length).toBeGreaterThan(1_000);
  for (const left of matrix.leftBehind) {
    const shown = inspect(left, { depth: Number.POSITIVE_INFINITY, showHidden: true });
    for (const secret of Object.values(formsOf(KEY))) expect(shown.includes(secret), shown).toBe(false);
  }
});

describe('docs/reliability.md', () => {
  const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

  it('names for every costly write where its trace shows', () => {
    const costly = endpoints.filter((endpoint) => !isRepeatable(endpoint));
    for (const { operation, trace } of costly) expect(page).toContain(`| \`${operation}\` | ${trace} |`);
  });

  it('names every fault, and no other', () => {
    const rows = page.slice(page.indexOf('### The connection'), page.indexOf('## Beyond one fault')).split('\n');
    const named = rows.flatMap((row) => (/^\| (?!fault)(.+?) \|/.exec(row)?.[1] ?? '').split('<br>')).filter(Boolean);
    expect([...new Set(named)].toSorted()).toEqual([...new Set(titles.map(({ name }) => name))].toSorted());
  });
});
