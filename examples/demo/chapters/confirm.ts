import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chapter, Demo } from '../demo.js';
import { pageNames, pageUrl } from '../pages.js';
import { counted } from '../screen.js';

/** Number of confirmations at the same time. */
const AT_ONCE = 8;

export const confirm: Chapter = {
  title: 'Confirm each page with its address',
  async tell(demo) {
    if (!demo.mock && !demo.options.confirm) {
      demo.screen.skip('confirmations tell the real service that pages are online; --confirm sends them');
      return;
    }
    const { confirmed, before } = await confirmPages(demo);
    demo.screen.say(`${counted(confirmed, 'page')} confirmed, ${before} known already`);
  },
};

/** The confirmed version and address of each article. */
type Confirmed = Record<string, { updated_at: string; url: string }>;

/**
 * Tells the service where each page is, and remembers it. Every confirmation costs a request, so only new versions and
 * new addresses are confirmed.
 */
export async function confirmPages(demo: Demo): Promise<{ confirmed: number; before: number }> {
  const { client, site, screen, signal } = demo;
  const articles = await site.articles();
  const names = pageNames(articles);
  const file = join(site.content, 'confirmed.json');
  const old = await readConfirmed(file);
  const now: Confirmed = {};
  const open = articles.flatMap(({ id, updated_at }) => {
    const url = pageUrl(site.info, names.get(id) as string);
    const known = old[id];
    if (known?.updated_at !== updated_at || known.url !== url) return [{ id, updated_at, url }];
    now[id] = known;
    return [];
  });

  const before = articles.length - open.length;
  const bar = screen.bar('pages confirmed');
  let confirmed = 0;
  try {
    await forEach(open, AT_ONCE, async ({ id, updated_at, url }) => {
      await client.articles.confirm(id, { rendered_url: url }, { signal });
      now[id] = { updated_at, url };
      bar.update(++confirmed, open.length);
    });
  } finally {
    // This also runs after a failure, so that confirmed articles stay confirmed.
    await writeFile(`${file}.tmp`, `${JSON.stringify(now, null, 2)}\n`);
    await rename(`${file}.tmp`, file);
  }
  return { confirmed, before };
}

async function readConfirmed(file: string): Promise<Confirmed> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // The file is missing or damaged. Confirming again does no harm.
    return {};
  }
}

/**
 * Runs `work` on every item, several at a time. After a failure it starts no other item and waits for the running ones.
 */
async function forEach<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  // All workers share one generator: each takes the next item, and a failing one closes the generator for the others.
  const queue = (function* () {
    yield* items;
  })();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
