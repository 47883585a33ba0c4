// workerd: the suite at /smoke; at /shared/{fault}/{tag} and /proxy/{fault} what one client does for several requests at
// once, which workerd keeps apart: what one of them opened may not be touched in another, and ends with its visitor.
import { Client } from 'multilocal';
import { articlesProxy } from 'multilocal/proxy';
import { smoke, tell } from './smoke.mjs';

/** By what the route says, one for the whole isolate. */
const clients = new Map();
const proxies = new Map();

export default {
  async fetch(request, _env, context) {
    try {
      const leavesAfter = Number(request.headers.get('x-leaves-after'));
      if (!leavesAfter) return await answer(request, context);
      // What a request has begun and not awaited ends with it, as when its visitor leaves.
      const left = new Promise((resolve) => setTimeout(() => resolve(Response.json('left')), leavesAfter));
      return await Promise.race([answer(request, context), left]);
    } catch (error) {
      return new Response(tell(error), { status: 500 });
    }
  },
};

async function answer(request, context) {
  const world = JSON.parse(request.headers.get('x-world'));
  const [, kind, fault, tag = ''] = new URL(request.url).pathname.split('/');
  if (kind === 'smoke') return Response.json(await smoke(world));

  const id = `${fault}/${kind}-${fault}${tag}`;
  const client =
    clients.get(id) ?? new Client({ apiKey: world.keys.bulle, baseUrl: `${world.faultsUrl}/${id}`, maxRetries: 1 });
  clients.set(id, client);
  if (kind === 'shared') {
    const { articles } = await client.articles.list({ status: 'published' });
    return Response.json(articles.length);
  }
  const proxy = proxies.get(id) ?? articlesProxy({ client });
  proxies.set(id, proxy);
  const given = await proxy(new Request('https://www.example.com/api/v2/articles?status=published'), context);
  return Response.json(given.ok ? (await given.json()).articles.length : await given.text());
}
