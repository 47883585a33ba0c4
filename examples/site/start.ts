// Run by `npm run example:site`: the site on http://127.0.0.1:5173, with the mock API in the service's place unless
// MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL name the real one. `--built` serves what `vite build` has made.
import { Client } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { serveSite } from './serve.js';

const { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL } = process.env;
const client = MULTILOCAL_API_KEY && MULTILOCAL_BASE_URL ? new Client() : await mockClient();
const { url } = await serveSite({ client, port: 5173, built: process.argv.includes('--built') });
console.log(`The site is at ${url}\nCtrl-C stops it.`);

/** Reading and confirming need the permission `read` alone, so that is all the key has. */
async function mockClient(): Promise<Client> {
  const { url: baseUrl, api } = await startMockServer();
  // The seed's pictures stand on a host that does not exist: without them the page draws its own.
  for (const { id, updated_at } of api.articles.all()) {
    api.articles.touch(id, { featured_image_url: null, updated_at });
  }
  console.log(`The mock API is at ${baseUrl}/api/v2`);
  return new Client({ apiKey: api.keys.readOnly, baseUrl });
}
