import { getRequestListener } from '@hono/node-server';
import type { Client } from 'multilocal';
import { articlesProxy } from 'multilocal/proxy';
import {
  build,
  createServer,
  type InlineConfig,
  type Plugin,
  type PreviewServer,
  preview,
  type ViteDevServer,
} from 'vite';

export interface SiteOptions {
  /** Holds the key. It is used here alone: the page gets answers. */
  client: Client;
  port: number;
  /** Let pages be confirmed under this address. Only where a mock answers: links to it would lead readers of other articles nowhere. */
  confirm?: boolean;
  /** Serve what `vite build` has made, instead of the sources with hot updates. */
  built?: boolean;
}

/** What `built` serves. */
export async function buildSite(): Promise<void> {
  await build({ root: import.meta.dirname, logLevel: 'warn' });
}

/** Serve the page and, below `/content`, the articles: one origin, so that pages need no key and no CORS. */
export async function serveSite({ client, port, confirm = false, built = false }: SiteOptions) {
  const address = { host: '127.0.0.1', port, strictPort: true };
  const url = `http://${address.host}:${port}`;
  const config: InlineConfig = {
    root: import.meta.dirname,
    logLevel: 'warn',
    plugins: [articlesRoute(client, confirm ? [url] : [])],
    server: address,
    preview: address,
  };
  const server = built ? await preview(config) : await (await createServer(config)).listen();
  return { url, close: () => server.close() };
}

function articlesRoute(client: Client, origins: string[]): Plugin {
  const proxy = articlesProxy({
    client,
    path: '/content',
    // One list answers every page, so this bounds what all readers together spend on reading: 96 requests a day.
    cache: { maxAge: 15 * 60_000 },
    // The service links to confirmed addresses from other articles: they must be this site's.
    confirm: { origins },
    onError: (error) => console.error(error),
  });
  const answer = getRequestListener((request) => proxy(request), { overrideGlobalObjects: false });
  const mount = ({ middlewares }: ViteDevServer | PreviewServer) => {
    middlewares.use((request, response, next) => {
      if (request.url?.startsWith('/content/')) answer(request, response);
      else next();
    });
  };
  return { name: 'articles', configureServer: mount, configurePreviewServer: mount };
}
