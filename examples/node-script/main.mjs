// @ts-check
// Prints the state of each location and each Google listing of a brand. It only reads, so the permission `read` is
// enough.
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
    // All programs with the same key share its limits, so the script has a maximum number of requests.
    rateLimit: { perDay: budget },
    onEvent(event) {
      if (event.type === 'request') requests++;
      if (event.type === 'wait')
        console.error(`Waiting ${Math.ceil(event.delay / 1000)} s for the budget of the minute.`);
    },
  });
  const { identity } = client;
  const fiches = identity.gmb_fiches;

  // Half a table is useless, so check the budget before it is used. Two of the lists are posts, and only a second page
  // shows their end.
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
  // Errors of the client never contain the key, so they can go into any log.
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
