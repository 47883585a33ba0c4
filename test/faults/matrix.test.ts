import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRepeatable } from '../../src/core/call.js';

import { endpoints } from '../../src/resources/index.js';
import { everything, leaksIn, needlesOfKey } from '../leaks/find.js';
import { catalogue } from './catalogue.js';
import { DOCUMENT, FINDING_OUT, render } from './document.js';
import { type ListRow, observeLists } from './lists.js';
import { type Matrix, runMatrix } from './matrix.js';

let matrix: Matrix;
let lists: ListRow[];

beforeAll(async () => {
  matrix = await runMatrix();
  lists = await observeLists();
}, 1_800_000);

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

it('the key shows in nothing that a call leaves behind, however it is looked at', () => {
  const needles = needlesOfKey();
  expect(matrix.leftBehind.length).toBeGreaterThan(1_000);
  expect(matrix.leftBehind.flatMap((left) => leaksIn(everything(left), needles))).toEqual([]);
}, 1_800_000);

it('no list makes a sync remove an article that exists, or differ after a list in order', () => {
  for (const { name, expected, outcome, removed, differsLater } of lists) {
    expect({ name, outcome, removed, differsLater }).toEqual({ name, outcome: expected, removed: 0, differsLater: 0 });
  }
});

describe('docs/reliability.md', () => {
  it('is what was observed (UPDATE_RELIABILITY=1 writes it)', () => {
    const observed = render(matrix, lists);
    if (process.env.UPDATE_RELIABILITY) writeFileSync(DOCUMENT, observed);
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(observed);
  });

  it('names for every costly write where its trace shows', () => {
    const costly = endpoints.filter((endpoint) => !isRepeatable(endpoint, false)).map(({ operation }) => operation);
    expect(Object.keys(FINDING_OUT).sort()).toEqual(costly.sort());
  });
});
