// One run of a sync in a process of its own, which may be killed at any instant: the arguments are the address and the folder.

import { directoryStore } from 'multilocal/node';
import { Client } from '../../src/index.js';

const [, , baseUrl = '', folder = '', reconcile = ''] = process.argv;
const client = new Client({ apiKey: 'fuzz-key', baseUrl, rateLimit: false, maxRetries: 8, timeout: 800 });
try {
  await client.articles.syncTo(directoryStore(folder), {
    reconcile: reconcile === 'reconcile',
    allowMassDeletion: true,
  });
} catch (error) {
  process.stderr.write(`${(error as { code?: string }).code} ${(error as Error).message}`);
  process.exitCode = 3;
}
