// Run by `npm run demo`: articles become a static site, then a post, a review, figures and a report of the locations.
// It uses the mock, or the real service if the environment has its address and a key. Nothing is written to a real
// service, except confirmations of pages with --site-url.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, isMultilocalError } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { answer, measure, plan, report } from './locations.js';
import { chapter, counted, type Demo, say, table } from './shared.js';
import { build, change, confirm, rehearse, siteIn, synchronise } from './site.js';

type Chapter = [title: string, tell: (demo: Demo) => Promise<void>];

const chapters: Chapter[] = [
  ['What the key covers', introduce],
  ['Synchronise the articles into a folder', synchronise],
  ['Render them as a static site', build],
  ['Confirm each page with its address', confirm],
  ['One article changes, one goes offline, one is deleted', change],
  ['Rehearse a publication', rehearse],
  ['Plan a post for three locations', plan],
  ['Reply to a review', answer],
  ['Draw the figures of a listing', measure],
  ['Have a report made, and fetch it', report],
];

async function introduce({ identity, mock }: Demo): Promise<void> {
  const { bulle, sphere, permissions, rate_limits, gmb_fiches } = identity;
  say(mock ? `The mock responds at ${mock.baseUrl}` : 'The real service responds');
  table([
    ['covers', bulle ? `${bulle.name} (${sphere.name})` : `${sphere.name}, the whole brand`],
    ['permissions', permissions.join(', ')],
    ['limits', `${rate_limits.per_minute} requests a minute, ${rate_limits.per_day} a day`],
    ['listings', String(gmb_fiches.length)],
  ]);
}

const READS =
  'The demo takes minutes: it reads the real service within the limits of the key, and previews what it would write.';

/** The real service, or the mock on a free port with limits that allow hundreds of confirmations in seconds. */
async function openService() {
  const { MULTILOCAL_API_KEY: apiKey, MULTILOCAL_BASE_URL: baseUrl } = process.env;
  if (apiKey && baseUrl) return { apiKey, baseUrl, mock: undefined, close: async () => {} };
  const { url, api, close } = await startMockServer({ rateLimit: { perMinute: 6_000, perDay: 100_000 }, latency: 40 });
  return { apiKey: api.keys.sphere, baseUrl: url, mock: api, close };
}

async function main(signal: AbortSignal): Promise<void> {
  const { 'site-url': siteUrl, out } = parseArgs({
    options: { 'site-url': { type: 'string' }, out: { type: 'string', default: join(import.meta.dirname, 'site') } },
  }).values;
  const service = await openService();
  try {
    const { apiKey, baseUrl, mock } = service;
    say(
      mock ? 'The demo takes about 15 seconds. Everything runs on this machine, against a mock of the service.' : READS,
    );
    let requests = 0;
    const client = await Client.connect({
      apiKey,
      baseUrl,
      onEvent: ({ type }) => void (type === 'request' && requests++),
    });
    const { identity } = client;
    const site = await siteIn(
      out,
      mock ? undefined : `${new URL(baseUrl).host}-${identity.sphere.id}`,
      siteUrl,
      identity,
    );
    const demo: Demo = { client, identity, mock, site, signal };
    for (const [index, [title, tell]] of chapters.entries()) {
      signal.throwIfAborted();
      chapter(`${index + 1}/${chapters.length}  ${title}`);
      await tell(demo);
    }
    chapter(`${counted(requests, 'request')} of ${identity.rate_limits.per_day} a day. The site: ${site.index}`);
  } finally {
    await service.close();
  }
}

const interrupt = new AbortController();
process.on('SIGINT', () => interrupt.abort());
await main(interrupt.signal).catch((error) => {
  process.exitCode = interrupt.signal.aborted ? 130 : 1;
  // Errors of the client never contain the key, and say what to do.
  const text = isMultilocalError(error) ? `${error.code}: ${error.message}` : String(error);
  console.error(interrupt.signal.aborted ? 'Stopped.' : text);
});
