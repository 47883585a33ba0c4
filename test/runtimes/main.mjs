// Node, Bun and Deno: the suite, what needs files and CommonJS, and one line of JSON. It does not call process.exit():
// that a program which used the client ends by itself is a test too, of test/package/runtimes.test.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { Client, NotFoundError } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { smoke, tell } from './smoke.mjs';

const world = JSON.parse(process.argv[2]);
const results = await smoke(world);
const { keys, baseUrl } = world;

await test('CommonJS: the same classes', async () => {
  const cjs = createRequire(import.meta.url)('multilocal');
  const error = await new cjs.Client({ apiKey: keys.bulle, baseUrl }).articles.get(987_654).catch((thrown) => thrown);
  if (!(error instanceof NotFoundError)) throw new Error(`got ${tell(error)}`);
});

await test('directoryStore: every article, in files, then nothing new', async () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'store-'));
  try {
    const client = new Client({ apiKey: keys.sphere, baseUrl, rateLimit: false });
    const first = await client.articles.syncTo(directoryStore(folder));
    const second = await client.articles.syncTo(directoryStore(folder));
    if (first.upserted < 120 || second.upserted !== 0) throw new Error(`${first.upserted}, then ${second.upserted}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

console.log(JSON.stringify(results));

async function test(name, run) {
  try {
    await run();
    results.push({ name, ok: true });
  } catch (error) {
    results.push({ name, ok: false, error: tell(error) });
  }
}
