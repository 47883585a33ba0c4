import type { Article, ArticleStore, SyncResult } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import type { Output } from '../output.js';
import { type Counts, changesInWords, NO_COUNTS, requestsInWords } from './words.js';

/** What a sync would do: its result, and the ids behind the numbers. `requests` were sent by the preview. */
export interface Preview extends Omit<SyncResult, 'done'> {
  readonly ids: Readonly<Record<Kind, readonly number[]>>;
}

const KINDS = ['upserted', 'unpublished', 'deleted'] as const satisfies (keyof Counts)[];
type Kind = (typeof KINDS)[number];

/** A store that reads a folder, and only notes what a sync would change there. It needs no lock: files change atomically. */
export class PreviewStore implements ArticleStore {
  readonly #folder: string;
  readonly #changed: Readonly<Record<Kind, Set<number>>> = {
    upserted: new Set(),
    unpublished: new Set(),
    deleted: new Set(),
  };
  #counts: Counts = NO_COUNTS;
  /** The article of the last call. The progress that follows tells what happened to it. */
  #last = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get changed(): Preview['ids'] {
    const { upserted, unpublished, deleted } = this.#changed;
    return { upserted: [...upserted], unpublished: [...unpublished], deleted: [...deleted] };
  }

  /** Takes the progress after each call. */
  settle(counts: Counts): void {
    for (const kind of KINDS) if (counts[kind] > this.#counts[kind]) this.#changed[kind].add(this.#last);
    this.#counts = counts;
  }

  loadCursor() {
    return this.#read().loadCursor();
  }

  loadListing() {
    return this.#read().loadListing?.() ?? null;
  }

  ids() {
    return this.#read().ids();
  }

  versions() {
    return this.#read().versions?.() ?? [];
  }

  put({ id }: Article): void {
    this.#last = id;
  }

  async remove(id: number): Promise<void> {
    this.#last = id;
  }

  async saveCursor(): Promise<void> {}

  saveListing(): void {}

  /** A store that has read its cursor removes unfinished files, which may be those of a running sync. So each read has its own. */
  #read(): ArticleStore {
    return directoryStore(this.#folder);
  }
}

/** The result of a preview for people. */
export function previewInWords(folder: string, preview: Preview, output: Output): string {
  const changes = changesInWords(preview, { put: 'store', removed: 'remove' });
  const ids = KINDS.filter((kind) => preview.ids[kind].length > 0).map((kind) => [kind, preview.ids[kind].join(', ')]);
  const said = changes ? `A sync of ${folder} would ${changes}` : `${folder} is up to date`;
  const sentence = output.wrap(`${said} ${requestsInWords(preview)}. Nothing was written.`);
  return ids.length > 0 ? `${sentence}\n${output.fields(Object.fromEntries(ids))}` : sentence;
}
