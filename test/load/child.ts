// A process of its own that makes 200 calls at once within 60 a minute, in a time that runs faster.
import { Client } from '../../src/client.js';
import { KEY } from '../support/fixtures.js';

const [, , baseUrl = '', pace = '1'] = process.argv;
const now = performance.now.bind(performance);
performance.now = () => now() * Number(pace);
const later = globalThis.setTimeout;
globalThis.setTimeout = ((run: () => void, ms = 0, ...rest: []) => later(run, ms / Number(pace), ...rest)) as never;

const client = new Client({ apiKey: KEY, baseUrl, rateLimit: { perMinute: 60, perDay: 1000 } });
const calls = Array.from({ length: 200 }, (_, index) => client.articles.get(index + 1));
await Promise.all(calls);
process.stdout.write('done');
