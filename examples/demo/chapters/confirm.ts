import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chapter, Demo } from '../demo.js';
import { pageNames, pageUrl } from '../pages.js';
import { counted } from '../screen.js';
import { siteInfo } from './build.js';

/** How many confirmations are under way at once. */
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

/** By article: the version and the address that the service knows of. */
type Confirmed = Record<string, { updated_at: string; url: string }>;

/**
 * Tell the service where each page is, and remember it: every confirmation costs a request, and only a new version
 * or a new address is worth one.
 */
export async function confirmPages(demo: Demo): Promise<{ confirmed: number; before: number }> {
  const { client, site, screen, signal } = demo;
  const info = siteInfo(demo);
  const articles = await site.articles();
  const names = pageNames(articles);
  const file = join(site.content, 'confirmed.json');
  const old = await readConfirmed(file);
  const now: Confirmed = {};
  const open = articles.flatMap(({ id, updated_at }) => {
    const url = pageUrl(info, names.get(id) as string);
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
    // Also when something failed: what was confirmed stays confirmed.
    await writeFile(`${file}.tmp`, `${JSON.stringify(now, null, 2)}\n`);
    await rename(`${file}.tmp`, file);
  }
  return { confirmed, before };
}

async function readConfirmed(file: string): Promise<Confirmed> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // Missing or damaged: confirming again does no harm.
    return {};
  }
}

/** Run `work` on every item, so many at once. After a failure no other is begun, and those under way are waited for. */
async function forEach<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  // One generator for all: each takes the next item, and one that fails closes it for the others.
  const queue = (function* () {
    yield* items;
  })();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
