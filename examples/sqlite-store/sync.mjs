// Updates the database. Run it with a timer. A run without changes costs one request.
// With --reconcile, for example once a day, it also looks for deleted articles, which needs a complete listing.
import { parseArgs } from 'node:util';
import { Client, isMultilocalError } from 'multilocal';
import { openDatabase } from './store.mjs';

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'articles.db' }, reconcile: { type: 'boolean', default: false } },
});

const database = openDatabase(values.database);
try {
  const client = new Client();
  const result = await client.articles.syncTo(database.storeOf('all'), { reconcile: values.reconcile });
  const { upserted, unpublished, deleted, requests } = result;
  console.log(`${upserted} stored, ${unpublished + deleted} removed, ${requests} requests`);
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  database.close();
}
