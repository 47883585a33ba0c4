// @ts-check
// Prints the state of each location and each Google listing of a brand. It only reads: the permission `read` is enough.
import { parseArgs } from 'node:util';
import { Client, isMultilocalError } from 'multilocal';
import { listingRow, locationRows } from './figures.mjs';

const DAYS = 30;
const budget = Number(parseArgs({ options: { budget: { type: 'string', default: '100' } } }).values.budget);

let requests = 0;
try {
  const client = await Client.connect({
    // All programs with the same key share its limits, so the script has a maximum number of requests.
    rateLimit: { perDay: budget },
    onEvent({ type }) {
      if (type === 'request') requests++;
    },
  });
  const { gmb_fiches: fiches, bulle, sphere, rate_limits } = client.identity;

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

  console.log(`${bulle?.name ?? sphere.name}: ${locations.length} locations, ${fiches.length} listings\n`);
  print('location accounts broken planned failed', locations);
  print('listing stars reviews unanswered views calls directions website', listings);
  console.log(`Views and what follows: last ${DAYS} days. ${requests} of ${rate_limits.per_day} requests of the day.`);
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  // Errors of the client never contain the key, so they can go into any log.
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}

/**
 * Prints rows with the names of their columns. Numbers are aligned right.
 *
 * @param {string} columns
 * @param {import('./figures.mjs').Row[]} rows
 */
function print(columns, rows) {
  const lines = [columns.split(' '), ...rows].map((row) => row.map(String));
  const width = (/** @type {number} */ column) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  for (const [name = '', ...cells] of lines)
    console.log([name.padEnd(width(0)), ...cells.map((cell, index) => cell.padStart(width(index + 1)))].join('  '));
  console.log();
}
