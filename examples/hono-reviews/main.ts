import { serve } from '@hono/node-server';
import { Client, isMultilocalError } from 'multilocal';
import { createApp } from './app.js';

const { STAFF_TOKEN, PORT = '3000' } = process.env;
if (!STAFF_TOKEN) {
  console.error('Set STAFF_TOKEN: whoever has it answers in the name of the brand.');
  process.exit(1);
}

try {
  // GET /me at the start: a wrong key shows now, and what it may not do is refused without a request from here on.
  // Nobody waits for minutes at a page: where the budget of the key is used up, the answer is 503 with Retry-After.
  const client = await Client.connect({ rateLimit: { maxWait: 5_000 } });
  const server = serve({ fetch: createApp(client, STAFF_TOKEN).fetch, port: Number(PORT) }, ({ port }) => {
    console.log(`http://localhost:${port}`);
  });
  // Replies that are under way are waited for.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
} catch (error) {
  if (!isMultilocalError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
