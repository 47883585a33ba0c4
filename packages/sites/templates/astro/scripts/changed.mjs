// Says whether the site must be built again: one request. Without a change, it exits with 10, or on GitHub writes
// `changed=false` for the next steps.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { Client } from 'multilocal';

const FILE = '.cache/changed.json';
/** Milliseconds after which a build looks for deleted articles, which no list of changes has. */
const DAY = 86_400_000;
/** Milliseconds by which this clock may be ahead of the service's clock. */
const AHEAD = 120_000;

if (existsSync('.env')) loadEnvFile();
const now = Date.now();
const last = existsSync(FILE) ? Date.parse(JSON.parse(readFileSync(FILE, 'utf8')).checked) : Number.NaN;
const isRecent = now - last >= 0 && now - last < DAY;
const isChanged = !isRecent || (await hasChanges(new Date(last).toISOString()));

// The host keeps the folder only if the build and the deployment succeed. So a failed one is tried again.
if (isChanged) {
  mkdirSync('.cache', { recursive: true });
  writeFileSync(FILE, JSON.stringify({ checked: new Date(now - AHEAD).toISOString() }));
}
console.log(isChanged ? 'Build the site.' : 'Nothing has changed.');
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `changed=${isChanged}\n`);
else if (!isChanged) process.exitCode = 10;

/** Articles that went offline are changes too. */
async function hasChanges(updated_since) {
  const { articles } = await new Client().articles.list({ status: 'all', updated_since });
  return articles.length > 0;
}
