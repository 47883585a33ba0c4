import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUDGETS } from '../budgets.mjs';
import { byCandidate, judge } from '../report.mjs';
import { COMPILER, typeCostOf } from '../type-cost.mjs';

export const title = "A user's type check";
export const method = `\`tsc --extendedDiagnostics\` of \`candidates/<name>/consumer.ts\`, which makes five calls and reads their
results, less what an empty file costs. Generated code is a part of the user's project, and checked with it.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder }) {
  const costs = new Map();
  const table = byCandidate(COMPILER, ['instantiations', 'check time, s'], (name) => {
    const consumer = join(folder, 'candidates', name, 'consumer.ts');
    if (!existsSync(consumer)) return 'no types of the service';
    costs.set(name, typeCostOf(consumer));
    const { instantiations, seconds } = costs.get(name);
    return [String(instantiations), seconds.toFixed(2)];
  });
  const value = costs.get('multilocal').instantiations;
  const target = {
    figure: 'type check: instantiations',
    node: '–',
    value,
    unit: '',
    digits: 0,
    most: BUDGETS.instantiations,
  };
  return { targets: [judge(target)], tables: [table] };
}
