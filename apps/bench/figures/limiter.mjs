import { judge } from '../report.mjs';
import { median } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

/** Milliseconds of an answer that the targets are for. */
const USUAL = 300;
const MANY = 30_000;

export const title = 'The limiter';
export const method = `Calls for ten minutes or three days, all made at once, on a virtual clock (\`setTimeout\`, \`Date.now\` and
\`performance.now\` jump to the next timer): logic, not speed. Use: when a limiter without any loss would have sent the last
call, by when it was sent. Refused: 429 of the mock, which counts its own exact windows. Ours counts a request from when
its answer came, so that a slow way never makes the service see too many; this costs the time of one answer a window.
Cost: processor time of a whole call when the day has so many requests, and of one more call when so many wait. The ratio
shows whether the limiter grows slow. The other candidates have no limiter.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ quick }) {
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

  const { sent, waiting } = await runWorker(process.execPath, 'limiter-cost', [quick ? 1 : 5, MANY]);
  const costs = [
    ['requests of the day', sent],
    ['calls that wait', waiting],
  ].map(([what, samples]) => ({ what, few: median(samples[0]), many: median(samples[1]) }));
  for (const { what, few, many } of costs) {
    const figure = `limiter: cost at ${MANY} ${what}`;
    targets.push(judge({ figure, node: '–', value: many / few, unit: ' × that at 1000', most: 2 }));
  }
  const costRows = costs.map(({ what, few, many }) => [what, few.toFixed(1), many.toFixed(1), (many / few).toFixed(2)]);
  return {
    targets,
    tables: [
      { caption: 'multilocal', head: ['limit', 'answers after', 'use', 'refused'], rows },
      { caption: 'Microseconds a call', head: ['', 'at 1000', `at ${MANY}`, 'ratio'], rows: costRows },
    ],
  };
}
