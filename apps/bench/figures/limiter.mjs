import { judge } from '../report.mjs';
import { median } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

/** Milliseconds of a response that the targets are for. */
const USUAL = 300;

export const title = 'The limiter';
export const method = `Calls for ten minutes or three days, all made at once, on a virtual clock (\`setTimeout\`, \`Date.now\` and
\`performance.now\` jump to the next timer): logic, not speed. Use: when a limiter without any loss would have sent the last
call, by when it was sent. Refused: 429 of the mock, which counts its own exact windows. Ours counts a request from when
its response came, so that a slow network never makes the service see too many. This costs the time of one response a window.
Cost: processor time of a whole call when the day has so many requests, and of one more call when so many wait. The ratio
shows whether the limiter grows slow. The other candidates have no limiter.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ nodes, quick }) {
  const results = await runWorker(process.execPath, 'limiter');
  const targets = results
    .filter(({ latency }) => latency === USUAL)
    .flatMap(({ window, use, refused }) => [
      judge({ figure: `limiter: use of ${window}`, node: '–', value: use, unit: ' %', least: 99 }),
      judge({ figure: `limiter: refused at ${window}`, node: '–', value: refused, unit: '', digits: 0, most: 0 }),
    ]);
  const rows = results.map(({ window, latency, use, refused }) => [
    window,
    `${latency} ms`,
    `${use.toFixed(2)} %`,
    String(refused),
  ]);

  const costRows = [];
  for (const { name: node, path } of nodes) {
    const found = await runWorker(path, 'limiter-cost', [quick ? 1 : 5]);
    for (const [what, samples] of [
      ['requests of the day', found.sent],
      ['calls that wait', found.waiting],
    ]) {
      const costs = samples.map(([count, values]) => ({ count, cost: median(values) }));
      const [few, many] = [costs[0], costs.at(-1)];
      const figure = `limiter: a call at ${many.count} ${what}`;
      targets.push(judge({ figure, node, value: many.cost / few.cost, unit: ` × that at ${few.count}`, most: 1.3 }));
      for (const { count, cost } of costs)
        costRows.push([`${count} ${what}`, node, cost.toFixed(1), (cost / few.cost).toFixed(2)]);
    }
  }
  return {
    targets,
    tables: [
      { caption: 'multilocal', head: ['limit', 'response after', 'use', 'refused'], rows },
      { caption: 'Processor time of a call', head: ['at', 'on', 'µs', '× the fewest'], rows: costRows },
    ],
  };
}
