import { sleep } from 'multilocal/internal/abort';
import { ApiError } from 'multilocal/internal/errors';
import { isOutage } from 'multilocal/internal/retry';
import { EXIT, exitCodeOf, failureOf } from '../failure.js';
import { DAY } from '../flags.js';
import { plural } from '../words.js';
import { ANOTHER_SYNC } from './folder.js';
import { type SyncTask, update } from './run.js';
import { Changes, changesInWords, resultInWords } from './words.js';

const MINUTE = 60_000;
/** Part of the day's requests that the runs may use. The rest is for other calls with the key. */
const SHARE = 0.5;

/** Whether waiting does not fix an error: a refused key, wrong arguments, an unknown location, a wrong folder. */
function isFinal(error: unknown): boolean {
  const exit = exitCodeOf(error);
  const isRefusal = error instanceof ApiError && !isOutage(error) && exit !== EXIT.retry;
  return exit === EXIT.denied || exit === EXIT.usage || isRefusal || Object(error).code === ANOTHER_SYNC;
}

/** Returns the pause between two runs, in ms. Each run sends this number of requests. */
export function pauseFor(requests: number, perDay: number): number {
  return Math.max(MINUTE, Math.ceil((DAY * Math.max(1, requests)) / (Math.max(1, perDay) * SHARE)));
}

/**
 * Updates the folder again and again until Ctrl-C. An outage is a warning.
 * @throws the error of a run if waiting does not fix it.
 */
export async function watch(task: SyncTask): Promise<number> {
  const { output, sent, signal } = task;
  const total = new Changes();
  let runs = 0;
  while (!signal.aborted && !output.isClosed) {
    const changes = new Changes();
    const pause = await attempt(task, changes);
    runs++;
    for (const name of ['upserted', 'unpublished', 'deleted'] as const) total[name] += changes[name];
    if (signal.aborted) break;
    output.status(`Next run in ${Math.round(pause / 1000)} s. Ctrl-C ends.`);
    await sleep(pause, signal).catch(() => {});
    output.status('');
  }
  const changed = changesInWords(total) || 'nothing changed';
  output.note(`Ended after ${plural(runs, 'run')}: ${changed} (${plural(sent(), 'request')}).`);
  return signal.aborted ? EXIT.interrupted : EXIT.done;
}

/** Makes one run and prints its result or its error. Returns the ms until the next run. */
async function attempt(task: SyncTask, changes: Changes): Promise<number> {
  const { client, folder, output, reconcile, sent, signal } = task;
  const before = sent();
  // The limit of the key, or that of `--per-day`.
  const perDay = async () => (await client.budget()).day.limit;
  try {
    // The limits of the key decide on the pause.
    if (!client.identity) await client.me({ signal });
    const result = await update(task, changes, before);
    output.data(result, output.wrap(resultInWords(folder, result)));
    // The first run may be long, and the next ones are short, unless each one lists everything.
    return pauseFor(reconcile ? result.requests : 1, await perDay());
  } catch (error) {
    const pause = Math.max(pauseFor(sent() - before, await perDay()), Number(Object(error).retryAfter ?? 0));
    if (signal.aborted) return pause;
    if (isFinal(error)) throw error;
    const failure = failureOf(error);
    if (output.isJson) output.data({ error: failure }, '');
    const retry = `The next run is in ${Math.round(pause / 1000)} s.`;
    output.note(`${output.paintNote('yellow', 'warning')} ${failure.message} ${retry}`);
    output.note(output.paintNote('dim', failure.hint));
    return pause;
  }
}
