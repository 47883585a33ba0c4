// @ts-check
// Rehearses a plan (see plan.json) and executes nothing of it. Ends with 0 when all of it would pass, with 1 when
// something would be refused, with 2 when that could not be found out.
import { readFile } from 'node:fs/promises';
import { Client, isMultilocalError } from 'multilocal';
import { rehearsePost, rehearseReply } from './rehearse.mjs';

const REFUSED = 1;
const UNKNOWN = 2;

try {
  const { posts = [], replies = [] } = JSON.parse(await readFile(process.argv[2] ?? 'plan.json', 'utf8'));
  // Nothing but the dry run is kept of the client: what is not there cannot be called by mistake.
  const { dryRun: client } = await Client.connect();

  // One after the other: the accounts and limits that the first post is held against serve the others too.
  const verdicts = [];
  for (const post of posts) verdicts.push(await rehearsePost(client, post));
  for (const reply of replies) verdicts.push(await rehearseReply(client, reply));

  for (const { ok, title, remarks } of verdicts) {
    console.log(`${ok ? '✓' : '✗'} ${title}`);
    for (const remark of remarks) console.log(`    ${remark}`);
  }
  const refused = verdicts.filter(({ ok }) => !ok).length;
  console.log(`\n${verdicts.length} rehearsed, ${refused} would be refused.`);
  if (refused > 0) process.exitCode = REFUSED;
} catch (error) {
  console.error(`The plan could not be rehearsed. ${explain(error)}`);
  process.exitCode = UNKNOWN;
}

/** @param {unknown} error */
function explain(error) {
  if (!isMultilocalError(error)) return error instanceof Error ? error.message : String(error);
  // The service took the rehearsal for the real thing: somebody has to look.
  const warning = error.outcome === 'applied' ? ' It may have been EXECUTED: look before you run this again.' : '';
  return `${error.code}: ${error.message}${warning}`;
}
