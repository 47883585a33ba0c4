// Calls against a real server of another process. Prints calls a second and microseconds of processor time a call.
// node throughput.mjs <folder> <candidate> <base URL> <calls in flight> <calls in a round> <rounds>
import { connect } from './candidates.mjs';
import { processorTime } from './processor-time.mjs';

const [folder, name, baseUrl, ...numbers] = process.argv.slice(2);
const [inFlight, calls, rounds] = numbers.map(Number);
const job = await connect(folder, name, baseUrl);

async function round() {
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

for (let turn = 0; turn < rounds; turn++) await round(); // warm
const samples = [];
for (let turn = 0; turn < rounds; turn++) samples.push(await round());
console.log(JSON.stringify(samples));
