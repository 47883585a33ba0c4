// A process of its own whose environment names an HTTP proxy: Node reads it when it starts.
import { inspect } from 'node:util';
import { Client } from '../../src/client.js';
import { isMultilocalError } from '../../src/index.js';
import { KEY } from '../support/fixtures.js';

const [baseUrl = ''] = process.argv.slice(2);
const client = new Client({ apiKey: KEY, baseUrl, maxRetries: 1 });
const told = await client.articles.publish(42).then(
  () => ({ ended: 'ok', shown: '' }),
  (error: unknown) => ({
    ended: isMultilocalError(error) ? `${error.code} ${error.outcome} ${error.attempts}` : 'another error',
    shown: `${inspect(error, { depth: null, showHidden: true })} ${JSON.stringify(error)}`,
  }),
);
process.stdout.write(JSON.stringify(told));
