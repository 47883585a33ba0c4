// @ts-check
// After the deployment, this script tells the service where each article is online, once for each version. The service
// links to confirmed pages from other articles, so the script does not confirm a page that is not online.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { Client, isMultilocalError } from 'multilocal';
import { pageName, readArticles } from '../src/articles.mjs';

const FILE = 'content/confirmed.json';

const { SITE_URL } = process.env;
if (!SITE_URL) throw new Error('Set SITE_URL: where the site is online.');

/**
 * @type {Record<string, { updated_at: string, url: string }>} By article: the version and address that were confirmed.
 */
const confirmed = await readFile(FILE, 'utf8').then(JSON.parse, () => ({}));
let sent = 0;
try {
  // Uses the key's own limits, which may be higher than the client's default.
  const client = await Client.connect({ onEvent: sayLongWaits });
  const pending = (await readArticles()).flatMap((article) => {
    const { id, updated_at } = article;
    const url = new URL(`/articles/${pageName(article)}/`, SITE_URL).href;
    return confirmed[id]?.updated_at === updated_at && confirmed[id].url === url ? [] : [{ id, updated_at, url }];
  });
  if (pending.length > 0) console.log(`looks at ${pending.length} pages of ${SITE_URL}`);
  for (const [index, { id, updated_at, url }] of pending.entries()) {
    if (index > 0 && index % 20 === 0) console.log(`${index} of ${pending.length}`);
    if (await isOnline(url)) {
      await client.articles.confirm(id, { rendered_url: url });
      confirmed[id] = { updated_at, url };
      sent++;
    } else {
      console.error(`not online: ${url}`);
      process.exitCode = 1;
    }
  }
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  // This also runs after a failure, so that confirmed articles stay confirmed. Without the file, the script confirms
  // all articles again, which costs requests but does no harm.
  await mkdir('content', { recursive: true });
  await writeFile(`${FILE}.tmp`, JSON.stringify(confirmed, null, 2));
  await rename(`${FILE}.tmp`, FILE);
}
console.log(`${sent} confirmed`);

/**
 * Prints a line if the client has to wait for the key's limit per minute.
 * @param {import('multilocal').ClientEvent} event
 */
function sayLongWaits(event) {
  if (event.type === 'wait' && event.delay > 2_000) {
    console.log(`waits ${Math.ceil(event.delay / 1000)} s for the key's requests a minute`);
  }
}

/** @param {string} url */
async function isOnline(url) {
  const response = await fetch(url, { method: 'HEAD' }).catch(() => undefined);
  return response?.ok === true;
}
