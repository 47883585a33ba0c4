import { join } from 'node:path';
import { CANDIDATES, WITH_LIMITER } from '../candidates.mjs';
import { byCandidate, judge, spread } from '../report.mjs';
import { interleave, median } from '../statistics.mjs';
import { run, withServer } from '../worker.mjs';

const ROUNDS = 12;
const MEASURED = [...CANDIDATES.filter(({ name }) => name !== 'multilocal'), WITH_LIMITER];
/** Raw has nothing to import. */
const IMPORTED = MEASURED.filter(({ name }) => name !== 'raw');
const WITH_ZOD = ['by-hand', 'hey-api-zod-mini', 'hey-api-zod', 'hey-api-ky-zod', 'orval-zod'];

export const title = 'Cold start and import';
export const method = `*Cold start*: \`node script.mjs\` in a new process. Each script makes the same two requests with its client, \`GET /me\` and then
\`GET /articles\` (50 articles of 6 kB), to a server on loopback in another process, and ends. Ours does it as \`Client.connect\` and
\`articles.list\`, with the limiter on. Processor time counts all threads from the start of Node to the end of the script. Wall time is
what a clock shows from the start of the process to its end, and depends on other work on the machine. The target goes by processor time.
Most of it is Node's own start and its \`fetch\`, which all scripts share. The files are in the cache of the disk.

*Import*: processor time of \`import\` of the client in a new process. Generated code is compiled into one file, and packages stay packages.
ky touches Node's \`fetch\` when it is imported, which loads it. Clients without ky pay for that at their first request. Ours is
compiled with the parts of ky and zod that it needs. Peers load all files of zod.

Medians of ${ROUNDS} processes of each candidate, which take turns in random order.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure(workshop) {
  const [targets, tables] = [[], []];
  for (const node of workshop.nodes) {
    const starts = await startsOf(node, workshop);
    tables.push(starts.table);
    const imports = await importsOf(node, workshop);
    tables.push(imports.table);
    targets.push(...starts.targets, ...imports.targets);
  }
  return { targets, tables };
}

async function startsOf({ name: node, path }, { folder, quick }) {
  const found = await withServer((url) =>
    interleave(MEASURED, quick ? 2 : ROUNDS, async ({ name }) => {
      const begin = performance.now();
      const used = await run(path, join(folder, 'workers', 'start.mjs'), [join(folder, `${name}.mjs`), url]);
      return { used, wall: performance.now() - begin };
    }),
  );
  const samplesOf = (wanted, of) => [...found].find(([{ name }]) => name === wanted)[1].map((one) => one[of]);
  const used = (name) => samplesOf(name, 'used');
  const ratio = (name) => median(used(name)) / median(used('raw'));
  const own = { node, unit: ' × raw', value: ratio(WITH_LIMITER.name) };
  const best = Math.min(...WITH_ZOD.map(ratio));
  const table = byCandidate(
    `Cold start, ${node}`,
    ['processor, ms', 'quartiles', '× raw', 'wall, ms', 'quartiles', '× raw'],
    (name) => [...spread(used(name), used('raw')), ...spread(samplesOf(name, 'wall'), samplesOf('raw', 'wall'))],
    MEASURED,
  );
  return {
    table,
    targets: [
      judge({ ...own, figure: 'cold start', most: 1.4 }),
      judge({ ...own, figure: 'cold start, against the best with zod', most: Number(best.toFixed(2)) }),
    ],
  };
}

async function importsOf({ name: node, path }, { folder, quick }) {
  const found = await interleave(IMPORTED, quick ? 2 : ROUNDS, ({ name }) =>
    run(path, join(folder, 'workers', 'import.mjs'), [join(folder, `${name}.mjs`)]),
  );
  const samples = new Map([...found].map(([{ name }, values]) => [name, values]));
  const zod = samples.get('hey-api-zod');
  const value = median(samples.get(WITH_LIMITER.name)) / median(zod);
  const head = ['processor, ms', 'quartiles', '× hey-api + zod'];
  return {
    table: byCandidate(`Import, ${node}`, head, (name) => spread(samples.get(name), zod), IMPORTED),
    targets: [judge({ node, figure: 'import', value, unit: ' × hey-api + zod', most: 0.5 })],
  };
}
