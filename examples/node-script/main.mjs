// @ts-check
// Prints how each location and each Google listing of a brand does. It only reads: a key with the permission `read` will do.
import { parseArgs } from 'node:util';
import { Client, isMultilocalError } from 'multilocal';
import { listingRow, locationRows } from './figures.mjs';
import { table } from './table.mjs';

const DAYS = 30;

const budget = Number(readOptions().budget);
if (!(budget >= 1)) {
  console.error('--budget: expected a number of requests, such as 300');
  process.exit(1);
}

let requests = 0;
try {
  const client = await Client.connect({
    // Day and minute of a key are shared by all that use it, so a script says how much of the day it may take at most.
    rateLimit: { perDay: budget },
    onEvent(event) {
      if (event.type === 'request') requests++;
      if (event.type === 'wait')
        console.error(`Waiting ${Math.ceil(event.delay / 1000)} s for the budget of the minute.`);
    },
  });
  const identity = client.identity ?? (await client.me());
  const fiches = identity.gmb_fiches;

  // Half a table is worth nothing: see whether the budget will do before it is spent. Two of the lists are posts, whose end
  // only a second page shows.
  const expected = requests + 6 + 2 * fiches.length;
  if (expected > budget) {
    console.error(`${fiches.length} listings take ${expected} requests, and --budget allows ${budget}.`);
    process.exit(1);
  }

  const locations = await locationRows(client);
  const listings = [];
  for (const fiche of fiches) listings.push(await listingRow(client, fiche, DAYS));

  const name = identity.bulle?.name ?? identity.sphere.name;
  console.log(`${name}: ${locations.length} locations, ${fiches.length} listings\n`);
  console.log(table(['location', 'accounts', 'broken', 'planned', 'failed'], locations));
  console.log(
    table(['listing', 'stars', 'reviews', 'unanswered', 'views', 'calls', 'directions', 'website'], listings),
  );
  console.log(
    `Views and what follows: last ${DAYS} days. ${requests} of ${identity.rate_limits.per_day} requests of the day.`,
  );
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  // No error of the client holds the key: it may go into any log.
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}

function readOptions() {
  try {
    return parseArgs({ options: { budget: { type: 'string', default: '100' } } }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}
