import { createInterface } from 'node:readline';

/** Says with a line that this process is ready. Then it measures one round and prints it as JSON for each line it gets. */
export async function measureOnRequest(round) {
  console.log('ready');
  for await (const _line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await round()));
}
