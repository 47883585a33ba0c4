import { judge } from '../report.mjs';
import { runWorker } from '../worker.mjs';

/** Milliseconds of an answer that the targets are for. */
const USUAL = 300;

export const title = 'The limiter';
export const method = `Calls for ten minutes or three days, all made at once, on a virtual clock (\`setTimeout\`, \`Date.now\` and
\`performance.now\` jump to the next timer): logic, not speed. Use: when a limiter without any loss would have sent the last
call, by when it was sent. Refused: 429 of the mock, which counts its own exact windows. Ours counts a request from when
its answer came, so that a slow way never makes the service see too many; this costs the time of one answer a window.
The other candidates have no limiter.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure() {
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
  return { targets, tables: [{ caption: 'multilocal', head: ['limit', 'answers after', 'use', 'refused'], rows }] };
}
