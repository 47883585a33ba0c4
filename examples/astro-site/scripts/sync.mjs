// @ts-check
// Updates content/articles before the build. A failure here ends the build, and the site stays unchanged.
// With --reconcile, it also looks for deleted articles, which needs a complete listing.
import { parseArgs } from 'node:util';
import { Client, isMultilocalError } from 'multilocal';
import { store } from '../src/articles.mjs';

const { values } = parseArgs({ options: { reconcile: { type: 'boolean', default: false } } });

try {
  const client = new Client();
  const { upserted, unpublished, deleted, requests } = await client.articles.syncTo(store, {
    reconcile: values.reconcile,
  });
  console.log(`${upserted} stored, ${unpublished + deleted} removed, ${requests} requests`);
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
