import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUDGETS } from '../budgets.mjs';
import { CANDIDATES } from '../candidates.mjs';
import { byCandidate, judge, peersOf } from '../report.mjs';
import { COMPILER, typeCostOf } from '../type-cost.mjs';

export const title = "A user's type check";
export const method = `\`tsc --extendedDiagnostics\` of \`candidates/<name>/consumer.ts\`, which makes five calls and reads their results, less the figures of
an empty file. Generated code is a part of the user's project and always checked with it. Ours comes as declarations of a package, and
\`skipLibCheck: true\`, which most projects set, exempts those: so the other columns check all declarations, of all packages. Check time is one
run by the clock, less one of the empty file: instantiations are exact, times are not.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder }) {
  const consumers = CANDIDATES.map(({ name }) => ({ name, file: join(folder, 'candidates', name, 'consumer.ts') }));
  const costs = new Map(
    consumers
      .filter(({ file }) => existsSync(file))
      .map(({ name, file }) => [name, { skipped: typeCostOf(file), checked: typeCostOf(file, false) }]),
  );
  const head = ['instantiations', 'check time, s', 'without `skipLibCheck`', 'check time, s'];
  const table = byCandidate(COMPILER, head, (name) => {
    if (!costs.has(name)) return 'the user writes the types';
    const { skipped, checked } = costs.get(name);
    return [skipped, checked].flatMap(({ instantiations, seconds }) => [String(instantiations), seconds.toFixed(2)]);
  });
  const figure = 'type check: instantiations';
  const value = costs.get('multilocal').skipped.instantiations;
  const peers = peersOf((name) => costs.get(name)?.skipped.instantiations);
  const target = judge({ figure, node: '–', value, unit: '', digits: 0, most: BUDGETS.instantiations, peers });
  return { targets: [target], tables: [table] };
}
