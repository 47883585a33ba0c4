// A process of its own that is stopped and continued: it says what happens, so that its parent knows when.
import { Client } from '../../src/client.js';
import { isMultilocalError } from '../../src/index.js';
import { KEY } from '../support/fixtures.js';

/** How much faster than the world its clock runs, so that a minute of the limiter takes 600 ms. */
export const SPEED = 100;
/** Requests in a minute of the fast clock. */
export const PER_MINUTE = 3;
/** Shorter than the stop, so that the next call begins as soon as the process goes on. */
const PAUSE = 200;

type Scenario = (client: Client) => PromiseLike<unknown>;

const SCENARIOS: Record<string, Scenario> = {
  publish: ({ articles }) => articles.publish(42),
  'get, then publish': async ({ articles }) => {
    await articles.get(42);
    const paused = new Promise((resolve) => setTimeout(resolve, PAUSE));
    say('idle');
    // A parent that is slow would stop it in the middle of the next call.
    process.kill(process.pid, 'SIGSTOP');
    await paused;
    return articles.publish(42);
  },
  'many, through the limiter': ({ articles }) => {
    hasten();
    return Promise.all(Array.from({ length: 3 * PER_MINUTE }, () => articles.publish(42)));
  },
};

function hasten(): void {
  const { setTimeout } = globalThis;
  const now = performance.now.bind(performance);
  performance.now = () => now() * SPEED;
  globalThis.setTimeout = Object.assign(
    (callback: () => void, ms = 0, ...values: []) => setTimeout(callback, ms / SPEED, ...values),
    setTimeout,
  ) as typeof setTimeout;
}

const say = (what: unknown) => process.stdout.write(`${JSON.stringify(what)}\n`);

const [scenario = '', baseUrl = '', options = '{}'] = process.argv.slice(2);
if (scenario) {
  const client = new Client({
    apiKey: KEY,
    baseUrl,
    onEvent: ({ type }) => void say(type),
    ...(JSON.parse(options) as object),
  });
  const ended = await Promise.resolve(SCENARIOS[scenario]?.(client)).then(
    () => 'ok',
    (error: unknown) => (isMultilocalError(error) ? `${error.code} ${error.outcome} ${error.attempts}` : String(error)),
  );
  say({ ended });
}
