import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { Client } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { articlesProxy } from 'multilocal/proxy';

const { MULTILOCAL_API_KEY, PORT = '3000' } = process.env;
// Without a key, a mock with a bakery chain stands for the service.
const mock = MULTILOCAL_API_KEY ? undefined : await startMockServer();
const client = mock ? new Client({ apiKey: mock.api.keys.readOnly, baseUrl: mock.url }) : new Client();
const proxy = articlesProxy({ client, path: '/content', onError: (error) => console.error(error) });

const fileOf = (path, base = import.meta.url) => fileURLToPath(new URL(path, base));
const element = fileOf('dist/browser/multilocal-element.min.js', import.meta.resolve('multilocal/package.json'));

const app = new Hono();
app.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", 'https:'],
      requireTrustedTypesFor: ["'script'"],
    },
  }),
);
app.all('/content/*', (c) => proxy(c.req.raw));
app.get('/multilocal-element.min.js', serveStatic({ path: element }));
app.get('*', serveStatic({ root: fileOf('public') }));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) => {
  console.log(`The page is at http://127.0.0.1:${port}`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    mock?.close();
  });
}
