import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Article, type ArticleStore, Client, type Identity } from 'multilocal';
import type { MockControl } from 'multilocal/mock/server';
import { directoryStore } from 'multilocal/node';
import { createMeter, type Meter } from './meter.js';
import type { Options } from './options.js';
import type { Screen } from './screen.js';
import type { Service } from './service.js';

/** A part of the demo: what is in `main.ts`'s list is told, in that order. */
export interface Chapter {
  readonly title: string;
  tell(demo: Demo): Promise<void>;
}

/** What the chapters share. */
export interface Demo {
  readonly client: Client;
  readonly identity: Identity;
  /** `undefined` against the real service. */
  readonly mock: MockControl | undefined;
  readonly options: Options;
  readonly site: Site;
  readonly meter: Meter;
  readonly screen: Screen;
  /** Aborted by Ctrl-C: every request takes it. */
  readonly signal: AbortSignal;
}

/** What lies on the disk. */
export interface Site {
  /** What came from the service: the articles, and what was confirmed to it. */
  readonly content: string;
  /** What goes online. */
  readonly pages: string;
  /** The home page, as a path to open. */
  readonly index: string;
  readonly store: ArticleStore;
  /** The stored articles, newest publication first. */
  articles(): Promise<Article[]>;
}

/** Connect, and lay out the folder: empty for the mock, as the last run left it for the real service. */
export async function openDemo(
  { apiKey, baseUrl, mock }: Service,
  options: Options,
  screen: Screen,
  signal: AbortSignal,
): Promise<Demo> {
  const meter = createMeter();
  const client = new Client({
    apiKey,
    baseUrl,
    onEvent(event) {
      meter.record(event);
      if (event.type === 'wait' || event.type === 'retry') screen.pause(event.delay);
    },
  });
  const identity = await client.me({ signal });

  // A folder for each service and key: a cursor of one means nothing to another.
  const owner = `${new URL(baseUrl).host}-${(identity.bulle ?? identity.sphere).id}`.replace(/[^\w.-]/g, '-');
  const site = openSite(join(options.out, mock ? 'mock' : owner));
  if (mock) for (const folder of [site.content, site.pages]) await rm(folder, { recursive: true, force: true });
  return { client, identity, mock, options, site, meter, screen, signal };
}

function openSite(folder: string): Site {
  const content = join(folder, 'content');
  const pages = join(folder, 'public');
  const store = directoryStore(join(content, 'articles'));
  return {
    content,
    pages,
    index: relative('', join(pages, 'index.html')),
    store,
    async articles() {
      const articles: Article[] = [];
      for await (const id of store.ids()) {
        articles.push(JSON.parse(await readFile(join(content, 'articles', `${id}.json`), 'utf8')));
      }
      return articles.sort((a, b) => (b.published_at ?? '').localeCompare(a.published_at ?? '') || b.id - a.id);
    },
  };
}
