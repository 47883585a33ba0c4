// Runs before `next dev` and `next build`: writes the articles into `content`, where the pages read them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { loadEnvFile } from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { directoryStore } from 'multilocal/node';
import { isDue, readListings } from '../lib/listings.mjs';

const ARTICLES = 'content/articles';
const LISTINGS = `${ARTICLES}-listings.json`;
const MOCK = 'content/mock';
const PICTURES = 'public/mock';
// `lib/drafts.ts` reads it.
const DRAFTS = 'content/drafts';

// Next.js reads the same files.
for (const file of ['.env.local', '.env']) if (existsSync(file)) loadEnvFile(file);
const { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL } = process.env;
const withDrafts = process.argv.includes('--drafts') || process.env.DRAFTS === '1';
await rm(DRAFTS, { recursive: true, force: true });

if (MULTILOCAL_BASE_URL) {
  // As long as it is there, pages show it. A brand without articles must not be shown as the bakery of the mock.
  for (const folder of [MOCK, PICTURES]) await rm(folder, { recursive: true, force: true });
  await mkdir(ARTICLES, { recursive: true });
  // The command refuses the folder if it has the articles of another account.
  const cli = fileURLToPath(new URL('dist/cli.js', import.meta.resolve('multilocal/package.json')));
  const { status } = spawnSync(process.execPath, [cli, 'sync', ARTICLES, '--reconcile'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status === 0 && isDue(readAt(LISTINGS))) await writeListings(new Client(), LISTINGS);
  if (status === 0 && withDrafts) await writeDrafts(new Client());
} else if (MULTILOCAL_API_KEY || existsSync(ARTICLES)) {
  // A deployment that has lost a variable must not show the mock.
  console.error(`MULTILOCAL_BASE_URL is not set. To see the mock again, remove MULTILOCAL_API_KEY and ${ARTICLES}.`);
  process.exitCode = 1;
} else {
  await copyMock();
  console.warn('MULTILOCAL_BASE_URL is not set: the articles come from the mock.');
}

/** Copies the articles of the mock, and the pictures to where the site serves them. */
async function copyMock() {
  for (const folder of [MOCK, PICTURES]) await rm(folder, { recursive: true, force: true });
  await mkdir(PICTURES, { recursive: true });
  const server = await startMockServer();
  const client = new Client({ apiKey: server.api.keys.readOnly, baseUrl: server.url });
  const pictures = new Set();
  const store = directoryStore(MOCK);
  const put = (article) => {
    const text = JSON.stringify(article).replace(/http:\/\/127\.0\.0\.1:\d+\/[\w/-]+\.svg/g, (address) => {
      pictures.add(address);
      return `/mock/${basename(address)}`;
    });
    return store.put(JSON.parse(text));
  };
  await client.articles.syncTo({ ...store, put });
  await writeListings(client, `${MOCK}-listings.json`);
  for (const address of pictures) {
    await writeFile(`${PICTURES}/${basename(address)}`, await (await fetch(address)).text());
  }
  await server.close();
}

/** One request per 50 drafts. */
async function writeDrafts(client) {
  await mkdir(DRAFTS, { recursive: true });
  const { put } = directoryStore(DRAFTS);
  for await (const article of client.articles.changes({ status: 'draft' })) await put(article);
}

/** One request. With ratings, one more for each Google listing. */
async function writeListings(client, file) {
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  await writeFile(file, JSON.stringify(await readListings(client, before)));
}

/** When a file was written. */
function readAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtime.toISOString();
}
