import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  url: string;
  /** The paths that were asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Serve files by their path, each with `headers`; a path without an extension is a page. */
export async function openSite(files: Record<string, string>, headers: Record<string, string> = {}): Promise<Site> {
  const asked: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    asked.push(url);
    const file = files[url];
    if (file === undefined) return void response.writeHead(404).end();
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, ...headers }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
