import { picture } from '../picture.mjs';
import { runWorker } from '../worker.mjs';

const BARS = [
  { what: 'article', title: 'One article', count: 20_000, print: (us) => `${us.toFixed(0)} µs` },
  { what: 'posts', title: 'A page of 100 posts', count: 2_000, print: (us) => `${us.toFixed(0)} µs` },
  { what: 'sync', title: 'A sync of 100 000 articles', count: 100_000, print: (us) => `${(us / 1e6).toFixed(1)} s` },
];

/** In the order of the bars. `own`: a part of this package. `ink`: the colour of the text on it. */
const OWNERS = [
  { name: 'request', title: 'parameters and request', own: true, fill: '#0b4f9e', ink: '#ffffff' },
  { name: 'call', title: 'state, events, masking', own: true, fill: '#0969da', ink: '#ffffff' },
  { name: 'limiter', title: 'limiter', own: true, fill: '#54aeff', ink: '#0d1117' },
  { name: 'read', title: 'sending, bounded reading', own: true, fill: '#80ccff', ink: '#0d1117' },
  { name: 'check', title: 'check of the response', own: true, fill: '#a5d6ff', ink: '#0d1117' },
  { name: 'sync', title: 'sync, order of timestamps', own: true, fill: '#cae8ff', ink: '#0d1117' },
  { name: 'ky', title: 'ky', fill: '#bc4c00', ink: '#ffffff' },
  { name: 'zod', title: 'zod', fill: '#8250df', ink: '#ffffff' },
  { name: 'json', title: 'JSON.parse', fill: '#116329', ink: '#ffffff' },
  { name: 'node', title: 'Node: Request, streams, text', fill: '#4ac26b', ink: '#0d1117' },
  { name: 'gc', title: 'garbage collection', fill: '#8c959f', ink: '#0d1117' },
  { name: 'stub', title: 'stub of the test', fill: '#d0d7de', ink: '#0d1117' },
];

export const title = 'Where the time of a call goes';
export const method = `V8's profiler looks at the stack of the main thread every 0.2 ms, on the newest Node. Source maps tell whose code runs. A
sample belongs to the innermost function. So what ky or our code asks of Node (\`Request\`, \`AbortSignal\`, streams, decoding) counts as
Node's, and regular expressions count as their caller's. The limiter is on, and its limits are so high that no call waits.

\`fetch\` is a stub that gives a \`Response\` of bytes at once. The sync reads 2000 pages of 50 articles. Its stub is shown too. The processor
time beside the title is that of all threads without the profiler, with the stub. Picture: [time-of-a-call.svg](../../docs/images/time-of-a-call.svg).`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const { name: node, path } = nodes.at(-1);
  const bars = [];
  for (const { what, title, count, print } of BARS) {
    const { microseconds, shares } = await runWorker(path, 'time', [folder, what, quick ? count / 20 : count]);
    bars.push({ title, cost: print(microseconds), shares });
  }
  const rows = OWNERS.map(({ name, title, own }) => [
    own ? `multilocal: ${title}` : title,
    ...bars.map(({ shares }) => percent(shares[name])),
  ]);
  const ours = ({ shares }) => OWNERS.reduce((sum, { name, own }) => sum + (own ? (shares[name] ?? 0) : 0), 0);
  return {
    targets: [],
    tables: [
      {
        caption: `Share of the samples, ${node}`,
        head: ['', ...bars.map(({ title, cost }) => `${title} (${cost})`)],
        rows: [...rows, ['**multilocal, all parts**', ...bars.map((bar) => percent(ours(bar)))]],
      },
    ],
    pictures: { 'time-of-a-call.svg': picture({ bars, owners: OWNERS, node }) },
  };
}

function percent(share = 0) {
  return `${(share * 100).toFixed(1)} %`;
}
