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
  /** The client with the key. It is used only here: the page gets responses, never the key. */
  client: Client;
  port: number;
  /**
   * Allow pages below this address to be confirmed. Only with a mock: the service would show readers of other articles
   * links to it.
   */
  confirm?: boolean;
  /** Serve the result of `vite build` instead of the sources with hot updates. */
  built?: boolean;
}

/** The folder that `built` serves. */
export async function buildSite(): Promise<void> {
  await build({ root: import.meta.dirname, logLevel: 'warn' });
}

/** Serves the page and, below `/content`, the articles. Both have one origin, so pages need no key and no CORS. */
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
    // One list is enough for every page, so all readers together cause at most 96 requests a day.
    cache: { maxAge: 15 * 60_000 },
    // The service links to confirmed addresses from other articles, so they must belong to this site.
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
