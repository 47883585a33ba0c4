// Calls a second against a real server of another process.
// node throughput.mjs <folder> <base URL> <calls in flight> <calls in a round> <rounds>, in the Node that is measured
import { interleave } from '../statistics.mjs';
import { connectAll } from './candidates.mjs';

const [folder, baseUrl, inFlight, calls, rounds] = process.argv.slice(2);
const jobs = await connectAll(folder, baseUrl);
const round = async ({ job }) => {
  let left = Number(calls);
  const line = async () => {
    while (left-- > 0) await job.article(42);
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: Number(inFlight) }, line));
  return (Number(calls) * 1_000) / (performance.now() - begin);
};
await interleave(jobs, Math.ceil(Number(rounds) / 4), round); // warm
const samples = await interleave(jobs, Number(rounds), round);
console.log(JSON.stringify([...samples].map(([{ name }, values]) => [name, values])));
