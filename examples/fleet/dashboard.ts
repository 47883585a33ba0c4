// The jobs in a browser, with their progress and their errors: bull-board on a free port of loopback.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Fleet } from './fleet.js';

/** The dashboard has no password: everybody who reaches the port may retry and delete jobs. */
export async function openDashboard({ due, sync }: Fleet): Promise<{ url: string; close(): void }> {
  const adapter = new HonoAdapter(serveStatic);
  createBullBoard({ queues: [new BullMQAdapter(sync), new BullMQAdapter(due)], serverAdapter: adapter });
  const app = new Hono().route('/', adapter.registerPlugin());
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}
