import { serve } from '@hono/node-server';
import { Client } from 'multilocal';
import { createApp } from './app.js';

const { STAFF_TOKEN, PORT = '3000' } = process.env;
if (!STAFF_TOKEN) throw new Error('Set STAFF_TOKEN: whoever has it replies in the name of the brand.');

// A wrong key shows at the start. If the limits of the key are used up, visitors get a 503 and need not wait.
const client = await Client.connect({ rateLimit: { maxWait: 5_000 } });
const server = serve({ fetch: createApp(client, STAFF_TOKEN).fetch, port: Number(PORT) }, ({ port }) => {
  console.log(`http://localhost:${port}`);
});
// Waits for the replies that are being posted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
