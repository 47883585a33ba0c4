// A process that fails as a careless program does: nobody catches, and everything is printed.
import { Client, memoryStore } from '../../src/index.js';
import { directoryStore } from '../../src/node.js';
import { ECHOES, type Fault, SILENT } from './faults.js';
import { CONTACTS } from './find.js';

const [, , wanted = ''] = process.argv;
const all: Record<string, Fault> = { ...SILENT, ...ECHOES };
const faults = wanted === 'all' ? Object.values(all) : [all[wanted] as Fault];

for (const fault of faults) {
  const fetch = async (input: string | URL | Request, init?: RequestInit) => fault(new Request(input, init));
  // The key comes from the environment, as it should.
  const client = new Client({ baseUrl: 'https://leaks.test', fetch, rateLimit: false, maxRetries: 0, timeout: 100 });
  const store = memoryStore();
  const folder = directoryStore('/nonexistent/multilocal');
  const promise = client.articles.get(1);
  const asked = client.acquisition.requestReviews({ contacts: CONTACTS, fiche_id: 'f' });
  const changes = client.articles.changes();
  console.log(client, client.articles, client.posts, client.dryRun, client.forBulle('b'), store, folder, changes);
  console.log('%o', client, promise, asked, client.posts.list(), client.reviews.list().withResponse());
  console.dir(client, { depth: null, showHidden: true });
  console.error(JSON.stringify({ client, store, promise }));
  void client.articles.syncTo(store);
  void client.posts.delete(1);
  void client.articles.publish(1, { dry_run: true });
  void (async () => {
    for await (const post of client.posts.list()) console.log(post);
  })();
}
