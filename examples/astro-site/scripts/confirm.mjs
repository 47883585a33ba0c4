// @ts-check
// After the deployment, this script tells the service where each article is online, once for each version. The service
// links to confirmed pages from other articles, so the script does not confirm a page that is not online.
import { Client, isMultilocalError } from 'multilocal';
import { confirmPages } from 'multilocal/astro';

try {
  // Uses the key's own limits, which may be higher than the client's default, and leaves some of each minute to others.
  const client = await Client.connect({ rateLimit: { reserve: 20 } });
  const { confirmed, left, problems } = await confirmPages({ client, cacheDir: '.cache', maxRequests: 500 });
  for (const { url, reason } of problems) console.error(`not online: ${url} (${reason})`);
  console.log(`${confirmed} confirmed, ${left} left`);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
