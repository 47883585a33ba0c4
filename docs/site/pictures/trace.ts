// docs/images/trace.svg, from the spans of a real run.
import * as api from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { Client, memoryStore } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { instrument } from 'multilocal/otel';

const WIDTH = 760;
const MARGIN = 24;
const INDENT = 18;
/** Where the time axis begins. */
const AXIS = 330;
const ROW = 52;
const TOP = 64;

export async function tracePicture(): Promise<string> {
  return drawing(await run());
}

/** A nightly job: a sync whose second page fails once, then a confirmation. */
async function run(): Promise<ReadableSpan[]> {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  const stop = instrument(api);
  const mock = await startMockServer({ port: 0, latency: 90 });
  const client = new Client({ apiKey: mock.api.keys.sphere, baseUrl: mock.url, rateLimit: false });
  await api.trace.getTracer('app').startActiveSpan('nightly job', async (span) => {
    const store = memoryStore();
    await client.articles.syncTo(store, {
      onProgress({ upserted }) {
        if (upserted === 1) mock.api.fail({ status: 503, times: 1 });
      },
    });
    const [id] = store.articles.keys();
    await client.articles.confirm(Number(id), { rendered_url: 'https://www.example.com/blog/levain' });
    span.end();
  });
  stop();
  await mock.close();
  return inOrder(exporter.getFinishedSpans());
}

/** Each span after its parent, by time. */
function inOrder(spans: readonly ReadableSpan[], parent?: string): ReadableSpan[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .sort((one, other) => ms(one.startTime) - ms(other.startTime))
    .flatMap((span) => [span, ...inOrder(spans, span.spanContext().spanId)]);
}

function depthOf(span: ReadableSpan, spans: readonly ReadableSpan[]): number {
  const parent = spans.find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId);
  return parent ? 1 + depthOf(parent, spans) : 0;
}

function ms([seconds, nanos]: api.HrTime): number {
  return seconds * 1_000 + nanos / 1e6;
}

function drawing(spans: readonly ReadableSpan[]): string {
  const [root] = spans as [ReadableSpan];
  const begin = ms(root.startTime);
  const length = ms(root.duration);
  const x = (time: number) => Math.round(AXIS + ((time - begin) / length) * (WIDTH - MARGIN - AXIS));
  const height = TOP + spans.length * ROW + 8;
  const ticks = Array.from({ length: Math.floor(length / 200) + 1 }, (_, index) => index * 200);
  const title = `The trace of a nightly job with ${spans.length} spans: articles.syncTo has a request per page, and one was retried.`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="14">
  <title id="title">${title}</title>
  <!-- Written by \`npm run pictures\`. The picture brings its own background, so that it is legible wherever it is shown. -->
  <style>
    .paper { fill: #ffffff; stroke: #d0d7de; }
    .grid { stroke: #d0d7de; }
    .name { fill: #1f2328; font-weight: 600; }
    .note { fill: #424a53; font-size: 12px; }
    .job { fill: #8c959f; } .sync { fill: #8250df; } .call { fill: #0969da; }
    .retry { fill: #bc4c00; stroke: #ffffff; stroke-width: 1.5; } .retry-text { fill: #953800; font-size: 12px; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; stroke: #30363d; }
      .grid { stroke: #30363d; }
      .name { fill: #f0f6fc; }
      .note { fill: #c9d1d9; }
      .job { fill: #8b949e; } .sync { fill: #bc8cff; } .call { fill: #58a6ff; }
      .retry { fill: #ffa657; stroke: #0d1117; } .retry-text { fill: #ffa657; }
    }
  </style>
  <rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10"/>
${ticks.map((time) => tick(time, x(begin + time), height)).join('\n')}
${spans.map((span, index) => row(span, TOP + index * ROW, depthOf(span, spans), x)).join('\n')}
</svg>
`;
}

function tick(time: number, x: number, height: number): string {
  return `  <path class="grid" d="M${x} 44 V${height - 16}"/><text class="note" x="${x}" y="34" text-anchor="middle">${time} ms</text>`;
}

function row(span: ReadableSpan, y: number, depth: number, x: (time: number) => number): string {
  const { name, kind, attributes, startTime, endTime, duration, events } = span;
  const left = MARGIN + depth * INDENT;
  const [from, to] = [x(ms(startTime)), x(ms(endTime))];
  const color = kind === api.SpanKind.CLIENT ? 'call' : depth > 0 ? 'sync' : 'job';
  const notes = [
    attributes['multilocal.sync.upserted'] && `${attributes['multilocal.sync.upserted']} upserted`,
    attributes['multilocal.sync.requests'] && `${attributes['multilocal.sync.requests']} requests`,
    attributes['http.response.status_code'] && `status ${attributes['http.response.status_code']}`,
    attributes['http.request.resend_count'] && `resend_count ${attributes['http.request.resend_count']}`,
    `${Math.round(ms(duration))} ms`,
  ].filter(Boolean);
  const marks = events.map(({ time, attributes: of }) => {
    const at = x(ms(time));
    return `<path class="retry" d="M${at} ${y - 5} l6 9 l-6 9 l-6 -9 z"/><text class="retry-text" x="${at}" y="${y + 28}">retry after ${of?.['error.type']}</text>`;
  });
  return `  <text class="name" x="${left}" y="${y + 8}">${name}</text><text class="note" x="${left}" y="${y + 26}">${notes.join(' · ')}</text>
  <rect class="${color}" x="${from}" y="${y - 3}" width="${Math.max(2, to - from)}" height="14" rx="3"/>${marks.join('')}`;
}
