import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { byCandidate, judge } from '../report.mjs';
import { interleave, median, quantile } from '../statistics.mjs';
import { run } from '../worker.mjs';

export const title = 'Cold import';
export const method = `Milliseconds of one \`import\` in a new process, median of 20. Node loads its own \`fetch\` when it is first
touched, which the first request of any client pays for; *over fetch* is the import in a process that has done so before.
Raw is that loading. Generated clients are compiled into one file, and their packages stay packages.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const specifiers = new Map([
    ['raw', ''],
    ['ky', 'ky'],
    ['openapi-fetch', 'openapi-fetch'],
    ...['hey-api-zod', 'hey-api-valibot', 'orval'].map((name) => [
      name,
      pathToFileURL(join(folder, `${name}.mjs`)).href,
    ]),
    ['multilocal', 'multilocal'],
  ]);
  const [targets, tables] = [[], []];
  for (const { name: node, path } of nodes) {
    const runs = [...specifiers].flatMap(([name, specifier]) =>
      ['plain', 'after-fetch'].map((mode) => ({ name, mode, specifier })),
    );
    const sample = ({ mode, specifier }) => run(path, join(folder, 'workers', 'import.mjs'), [mode, specifier]);
    const samples = await interleave(runs, quick ? 3 : 20, sample);
    const of = (name, mode) => samples.get(runs.find((one) => one.name === name && one.mode === mode));
    const own = { node, unit: ' ms', digits: 1 };
    targets.push(
      judge({ ...own, figure: 'cold import', value: median(of('multilocal', 'plain')), most: 25 }),
      judge({ ...own, figure: 'cold import, over fetch', value: median(of('multilocal', 'after-fetch')), most: 8 }),
    );
    const cells = (values) => [
      median(values).toFixed(1),
      `${quantile(values, 0.25).toFixed(1)} – ${quantile(values, 0.75).toFixed(1)}`,
    ];
    tables.push(
      byCandidate(node, ['ms', 'quartiles', 'over fetch', 'quartiles'], (name) => [
        ...cells(of(name, 'plain')),
        ...(name === 'raw' ? ['–', '–'] : cells(of(name, 'after-fetch'))),
      ]),
    );
  }
  return { targets, tables };
}
