// @ts-check
// Rehearses a plan (see plan.json) without executing it. The exit code is 0 if every action would succeed, 1 if the
// service would refuse one, and 2 if the plan could not be rehearsed.
import { readFile } from 'node:fs/promises';
import { Client, isMultilocalError } from 'multilocal';
import { rehearsePost, rehearseReply } from './rehearse.mjs';

const REFUSED = 1;
const UNKNOWN = 2;

try {
  const { posts = [], replies = [] } = JSON.parse(await readFile(process.argv[2] ?? 'plan.json', 'utf8'));
  // Only the dry run of the client is kept, so nothing else can be called by mistake.
  const { dryRun: client } = await Client.connect();

  // One by one, because the reads of accounts and limits for the first post also serve the others.
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
  // The service executed the operation instead of a preview, so somebody has to check it.
  const warning = error.outcome === 'applied' ? ' It may have been EXECUTED: look before you run this again.' : '';
  return `${error.code}: ${error.message}${warning}`;
}
