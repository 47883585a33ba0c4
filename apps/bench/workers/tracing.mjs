// Microseconds of processor time of a call, with and without subscribers of its channels.
// node tracing.mjs <absent | silent | subscriber | otel> <calls in a round> <rounds>
import { tracingChannel } from 'node:diagnostics_channel';
import { ARTICLE } from './data.mjs';
import { processorTime } from './processor-time.mjs';

const [state, calls, rounds] = process.argv.slice(2);
// The client asks for the channels once, when it is loaded.
if (state === 'absent') process.getBuiltinModule = undefined;
const { Client } = await import('multilocal');

if (state === 'subscriber') tracingChannel('multilocal:request').subscribe({ asyncEnd() {} });
if (state === 'otel') {
  const api = await import('@opentelemetry/api');
  const { NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { instrument } = await import('multilocal/otel');
  new NodeTracerProvider().register();
  instrument(api);
}

const fetch = async () => new Response(ARTICLE, { headers: { 'content-type': 'application/json' } });
const client = new Client({ apiKey: 'bench', baseUrl: 'https://api.test', fetch, rateLimit: false });

async function round() {
  const begin = processorTime();
  for (let call = 0; call < Number(calls); call++) await client.articles.get(42);
  return ((processorTime() - begin) * 1_000) / Number(calls);
}
for (let turn = 0; turn < Math.ceil(Number(rounds) / 4); turn++) await round(); // warm
const samples = [];
for (let turn = 0; turn < Number(rounds); turn++) samples.push(await round());
console.log(JSON.stringify(samples));
