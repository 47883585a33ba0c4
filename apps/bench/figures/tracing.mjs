import { judge } from '../report.mjs';
import { quantile } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

const STATES = {
  absent: 'no diagnostics channels in this runtime',
  silent: 'channels without subscribers',
  subscriber: 'a subscriber of `asyncEnd`',
  otel: '`instrument` and the SDK of OpenTelemetry, without an exporter',
};
/** Each process lays its code out in memory in another way, so the states take turns in several. */
const PROCESSES = 4;

export const title = 'What tracing costs';
export const method = `One article of 6 kB from a stub of \`fetch\`. Microseconds a call, median and quartiles of the rounds of ${PROCESSES}
processes. The first line is the client without any channel, which is what tracing must not make slower.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ quick }) {
  const samples = Object.fromEntries(Object.keys(STATES).map((state) => [state, []]));
  for (let turn = 0; turn < (quick ? 1 : PROCESSES); turn++) {
    for (const state of Object.keys(STATES)) {
      samples[state].push(...(await runWorker(process.execPath, 'tracing', [state, 200, quick ? 8 : 60])));
    }
  }
  const middle = (state) => quantile(samples[state], 0.5);
  const value = middle('silent') / middle('absent');
  const rows = Object.entries(STATES).map(([state, what]) => [
    what,
    middle(state).toFixed(1),
    `${quantile(samples[state], 0.25).toFixed(1)} – ${quantile(samples[state], 0.75).toFixed(1)}`,
    (middle(state) / middle('absent')).toFixed(2),
  ]);
  return {
    targets: [judge({ figure: 'tracing: no subscriber', node: '–', value, unit: ' × none', most: 1.05 })],
    tables: [{ caption: 'multilocal', head: ['', 'µs', 'quartiles', '× without channels'], rows }],
  };
}
