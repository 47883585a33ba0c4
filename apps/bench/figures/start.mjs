import { join } from 'node:path';
import { CANDIDATES, WITH_LIMITER } from '../candidates.mjs';
import { byCandidate, judge, peersOf, spread } from '../report.mjs';
import { interleave, median } from '../statistics.mjs';
import { run, withServer } from '../worker.mjs';

const TIMES = { starts: 10, imports: 8 };
const MEASURED = [...CANDIDATES.filter(({ name }) => name !== 'multilocal'), WITH_LIMITER];
/** Raw has nothing to import. */
const IMPORTED = MEASURED.filter(({ name }) => name !== 'raw');
const WITH_ZOD = ['hey-api-zod-mini', 'hey-api-zod', 'hey-api-ky-zod', 'orval-zod'];

export const title = 'Cold start and import';
export const method = `*Cold start*: \`node script.mjs\` in a new process. Each script makes the same two requests with its client, \`GET /me\` and then
\`GET /articles\` (50 articles of 6 kB), to a server on loopback in another process, and ends. Ours does it as \`Client.connect\` and
\`articles.list\`, with the limiter on. Processor time counts all threads from the start of Node to the end of the script. Wall time is
what a clock shows from the start of the process to its end, and depends on other work on the machine. The targets go by the clock,
because a person waits by the clock.
Most of it is Node's own start and its \`fetch\`, which all scripts share. The files are in the cache of the disk.

*Import*: processor time of \`import\` of the client in a new process. Generated code is compiled into one file, and packages stay packages.
Ours is compiled with the parts of ky and zod that it needs; peers load all files of zod. Node loads its own \`fetch\` when a program first
touches it. ky does so when it is imported. The other clients pay for that at their first request. *After \`fetch\`* is the import in a
process that has touched it. The target is for the plain import.

Medians of ${TIMES.starts} and ${TIMES.imports} processes of each candidate, which take turns in random order.`;

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
    interleave(MEASURED, quick ? 2 : TIMES.starts, async ({ name }) => {
      const begin = performance.now();
      const used = await run(path, join(folder, 'workers', 'start.mjs'), [join(folder, `${name}.mjs`), url]);
      return { used, wall: performance.now() - begin };
    }),
  );
  const samplesOf = (wanted, of) => [...found].find(([{ name }]) => name === wanted)[1].map((one) => one[of]);
  const used = (name) => samplesOf(name, 'used');
  const wall = (name) => samplesOf(name, 'wall');
  const ratio = (name) => median(wall(name)) / median(wall('raw'));
  const value = ratio(WITH_LIMITER.name);
  const table = byCandidate(
    `Cold start, ${node}`,
    ['ms by the clock', 'quartiles', '× raw', 'processor, ms', 'quartiles', '× raw'],
    (name) => [...spread(wall(name), wall('raw')), ...spread(used(name), used('raw'))],
    MEASURED,
  );
  return {
    table,
    targets: [
      judge({ node, figure: 'cold start', value, unit: ' × raw', most: 1.4, peers: peersOf(ratio) }),
      judge({
        node,
        figure: 'cold start, against the fastest client with zod',
        value: value / Math.min(...WITH_ZOD.map(ratio)),
        unit: ' × its',
        most: 1,
      }),
    ],
  };
}

async function importsOf({ name: node, path }, { folder, quick }) {
  const imports = IMPORTED.flatMap(({ name }) => ['plain', 'after-fetch'].map((mode) => ({ name, mode })));
  const found = await interleave(imports, quick ? 2 : TIMES.imports, ({ name, mode }) =>
    run(path, join(folder, 'workers', 'import.mjs'), [join(folder, `${name}.mjs`), mode]),
  );
  const of = (name, mode) => found.get(imports.find((one) => one.name === name && one.mode === mode));
  const cellsOf = (name) => ['plain', 'after-fetch'].flatMap((mode) => spread(of(name, mode), of('hey-api-zod', mode)));
  const head = ['processor, ms', 'quartiles', '× hey-api + zod', 'after `fetch`, ms', 'quartiles', '× hey-api + zod'];
  const ratio = (name) => median(of(name, 'plain')) / median(of('hey-api-zod', 'plain'));
  return {
    table: byCandidate(`Import, ${node}`, head, cellsOf, IMPORTED),
    targets: [
      judge({
        node,
        figure: 'import',
        value: ratio(WITH_LIMITER.name),
        unit: ' × hey-api + zod',
        most: 0.5,
        peers: peersOf(ratio),
      }),
    ],
  };
}
