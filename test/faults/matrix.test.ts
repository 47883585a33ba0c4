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

  it('says in each cell what the client did, of every fault and of no other', () => {
    const seen = new Map<string, Set<string>>();
    const told = new Map<string, Set<string>>();
    const add = (cells: typeof seen, group: string, fault: string, operation: string, line: string) => {
      const key = `${group}: ${fault}: ${operation}`;
      // The outcome of a read goes without saying.
      cells.set(key, (cells.get(key) ?? new Set()).add(operation === 'read' ? line.replace(/, \w+$/, '') : line));
    };
    for (const { fault, operation, shown } of matrix.cells) add(seen, fault.group, fault.name, operation.title, shown);
    const tables = page.slice(page.indexOf('### The connection'), page.indexOf('## Beyond one fault'));
    for (const section of tables.split(/^### /m).slice(1)) {
      const [group = '', ...lines] = section.split('\n').filter((line) => line !== '');
      const [head = [], , ...rows] = lines.map((line) =>
        line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')),
      );
      for (const [faults = '', ...cells] of rows)
        for (const fault of faults.split('<br>'))
          cells.forEach((cell, column) => {
            for (const operation of (head[column + 1] ?? '').split(', '))
              for (const line of cell.split('<br>')) add(told, group, fault, operation, line);
          });
    }
    expect(told).toEqual(seen);
  });
});
