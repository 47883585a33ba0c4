import { serve } from '@hono/node-server';
import { Client, isMultilocalError } from 'multilocal';
import { createApp } from './app.js';

const { STAFF_TOKEN, PORT = '3000' } = process.env;
if (!STAFF_TOKEN) {
  console.error('Set STAFF_TOKEN: whoever has it answers in the name of the brand.');
  process.exit(1);
}

try {
  // Reads GET /me at the start, so a wrong key shows now, and missing permissions are found without a request.
  // Nobody waits minutes for a page: if the limits of the key are used up, the response is 503 with Retry-After.
  const client = await Client.connect({ rateLimit: { maxWait: 5_000 } });
  const server = serve({ fetch: createApp(client, STAFF_TOKEN).fetch, port: Number(PORT) }, ({ port }) => {
    console.log(`http://localhost:${port}`);
  });
  // Waits for the replies that are being posted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
