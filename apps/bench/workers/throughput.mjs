// Calls against a real server of another process: calls a second and microseconds of processor time a call, for each
// number in flight. node throughput.mjs <folder> <candidate> <base URL>, in the Node that is measured; see rounds.mjs
import { connect } from './candidates.mjs';
import { processorTime } from './processor-time.mjs';
import { measureOnRequest } from './rounds.mjs';

const [folder, name, baseUrl] = process.argv.slice(2);
const job = await connect(folder, name, baseUrl);

async function send(calls, inFlight) {
  let left = calls;
  const line = async () => {
    while (left-- > 0) await job.article(42);
  };
  const [begin, used] = [performance.now(), processorTime()];
  await Promise.all(Array.from({ length: inFlight }, line));
  return {
    rate: (calls * 1_000) / (performance.now() - begin),
    used: ((processorTime() - used) * 1_000) / calls,
  };
}

await send(1_000, 50); // warm
await measureOnRequest(async () => ({ 1: await send(50, 1), 50: await send(250, 50) }));
