// docs/guides/plans.md shows plans that are valid, and plan-journal.md says of each operation what becomes of it when it is lost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRepeatable } from '@multilocal/client/core/call';
import { writes } from '@multilocal/plans/actions';
import { rowOf } from '@multilocal/plans/operations';
import { root } from '@multilocal/test/docs/blocks';
import { describe, expect, it } from 'vitest';
import { PlanFile } from '../../src/plan/plan-file.js';

const [guide, journal] = ['plans', 'plan-journal'].map((name) =>
  readFileSync(join(root, `docs/guides/${name}.md`), 'utf8'),
) as [string, string];
const blocks = [...guide.matchAll(/^```(json|yaml)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', code = '']) => [language, code] as const,
);

describe('the guide about plans', () => {
  it.each(blocks)('has a valid plan in %s', (language, code) => {
    const { plan, problems } = new PlanFile(`plan.${language}`, code);
    expect(problems).toEqual([]);
    expect(plan.actions.length).toBeGreaterThan(0);
  });

  it('has plans in both languages', () => {
    expect(blocks.map(([language]) => language)).toEqual(['json', 'yaml', 'yaml']);
  });

  it.each(writes.filter((write) => !isRepeatable(write)).map(({ operation }) => operation))(
    'says what becomes of a lost %s',
    (operation) => {
      const [, table = ''] = journal.split('## What a lost action becomes');
      const row = table.split('\n').find((line) => /^\| `/.test(line) && namesOf(line).includes(operation)) ?? '';
      expect(row).not.toBe('');
      expect(row.includes('| nowhere |')).toBe(rowOf(operation).lookup === undefined);
    },
  );
});

/** `images.*` names each operation of images. */
function namesOf(row: string): string[] {
  const names = [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return names.flatMap((name) =>
    name.endsWith('.*')
      ? writes.map(({ operation }) => operation).filter((one) => one.startsWith(name.slice(0, -1)))
      : [name],
  );
}
