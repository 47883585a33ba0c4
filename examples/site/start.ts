// Serves the site on port 5173 (or PORT), with the mock API unless
// MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL name the real service. `--built` builds the site and serves the result.
import { Client } from 'multilocal';
import { startMock } from './mock.js';
import { buildSite, serveSite } from './serve.js';

const { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL, PORT = '5173' } = process.env;
const isReal = Boolean(MULTILOCAL_API_KEY && MULTILOCAL_BASE_URL);
const client = isReal ? new Client() : await mockClient();
if (isReal) console.log(`The service is ${MULTILOCAL_BASE_URL}: it is read, and no page is confirmed.`);
const built = process.argv.includes('--built');
if (built) await buildSite();
const { url } = await serveSite({ client, port: Number(PORT), confirm: !isReal, built }).catch((error: Error) => {
  if (!/already in use/.test(error.message)) throw error;
  console.error(`Port ${PORT} is taken. Another one: PORT=5174 npx tsx examples/site/start.ts`);
  process.exit(1);
});
console.log(`The site is at ${url}\nCtrl-C stops it.`);

/** Reads and confirmations need only the permission `read`, so the key has no other. */
async function mockClient(): Promise<Client> {
  const { url: baseUrl, api } = await startMock();
  console.log(`The mock API is at ${baseUrl}/api/v2`);
  return new Client({ apiKey: api.keys.readOnly, baseUrl });
}
