import { join } from 'node:path';
import { CANDIDATES, WITH_LIMITER } from '../candidates.mjs';
import { byCandidate, judge, peersOf, spread } from '../report.mjs';
import { median } from '../statistics.mjs';
import { run, takeTurns } from '../worker.mjs';

const READS = [
  { read: 'article', title: 'one article of 6 kB', most: { 'by-hand': 1.3, raw: 4.3 } },
  { read: 'posts', title: '100 posts, 112 kB', most: { 'by-hand': 1.15, raw: 2.2 } },
];
/** Each process lays its code out in memory in another way. */
const TIMES = { generations: 3, rounds: 15 };

const STUB = { name: 'stub', title: 'the stub alone: `fetch`, then `text()`' };
const MEASURED = [STUB, ...CANDIDATES, WITH_LIMITER];
const HEAD = ['µs', 'quartiles', '× raw', '× by hand', 'both less the stub'];

export const title = 'The processor time of a call';
export const method = `\`fetch\` is a stub that returns a \`Response\` of JSON text at once. So the figure is the cost of the client: it
builds the request, then reads, parses and checks the response. Microseconds of processor time a call, with garbage collection and
compilation. Each candidate has a process of its own. All processes wait, and measure their rounds of 100 articles and 5 pages of posts in
turn, in random order, after 1600 articles and 40 pages that do not count. Medians of ${TIMES.rounds} rounds in each of ${TIMES.generations} processes.

- Ours is there twice. The limiter is off in the first row. It is on in the second row, as users have it, with limits that let no
  call wait. Its book then has 1600 to 3300 requests of the day, where the default limit is 1000. The limiter's cost does not grow with them.
- *By hand* is \`ky(…).json(schema)\` with zod/mini. Its schemas have the fields of ours, without our messages. A worker compares them as JSON
  Schema.
- The stub is a large part of what raw costs, so the last column takes it off ours and off *by hand*. The real \`fetch\`
  builds a \`Request\` in each call and the stub does not. Only raw and orval do not build one themselves, so ratios to them are higher here
  than in a program.
- raw, ky, openapi-fetch and plain hey-api check no response. orval and hey-api with zod check with the classic zod, which compiles
  its checks with \`new Function\`. zod/mini does not.

Each process first makes sure that its client returns the body unchanged, fails for status 404, and fails for a field of a wrong type if it
checks responses. All send the same header with the key. ky, and so ours, also sends \`Accept\`. Beyond that, a call does more or less:

| | retries | timeout | limiter | error of a wrong status | checks parameters |
| --- | --- | --- | --- | --- | --- |
| raw | – | – | – | an \`Error\` | – |
| openapi-fetch, hey-api, orval | – | – | – | the parsed body or an \`Error\` | hey-api with a validator |
| ky, by hand | GET, PUT, DELETE | 10 s | – | one class | – |
| hey-api, its ky client | GET, PUT, DELETE | 10 s | – | a \`TypeError\` with this ky | yes |
| **multilocal** | all that cannot happen twice | 30 s | yes | a class for each kind | yes |`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const [targets, tables] = [[], []];
  for (const { name: node, path } of nodes) {
    await run(path, join(folder, 'workers', 'same-schemas.mjs'), [join(folder, 'by-hand.mjs')]);
    const times = quick ? { generations: 1, rounds: 2 } : TIMES;
    const found = await takeTurns(path, 'calls', MEASURED, ({ name }) => [folder, name], times);
    for (const { read, title, most } of READS) {
      const samples = new Map([...found].map(([{ name }, rounds]) => [name, rounds.map((round) => round[read])]));
      tables.push(byCandidate(`${title}, ${node}`, HEAD, (name) => cellsOf(name, samples), MEASURED));
      for (const [peer, limit] of Object.entries(most)) {
        const ratio = (name) => median(samples.get(name)) / median(samples.get(peer));
        const unit = ` × ${peer === 'raw' ? 'raw' : 'by hand'}`;
        const value = ratio('multilocal');
        targets.push(judge({ figure: `a call: ${title}`, node, value, unit, most: limit, peers: peersOf(ratio) }));
      }
    }
  }
  return { targets, tables };
}

function cellsOf(name, samples) {
  const of = (other) => median(samples.get(other));
  const stub = of('stub');
  const less = (of(name) - stub) / (of('by-hand') - stub);
  return [...spread(samples.get(name), samples.get('raw')), (of(name) / of('by-hand')).toFixed(2), less.toFixed(2)];
}
