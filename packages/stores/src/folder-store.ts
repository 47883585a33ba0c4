import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Article, CopyState, ListingState, ReadableArticleStore, StoredVersion } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import { checked, idOf } from './article.js';
import { createFolder, discard, flushFolder, ignoring, inFolder, readText, removeFile, replaceFile } from './files.js';
import { leaseBy } from './folder-lease.js';

const CURSOR = 'cursor.json';
/** Position of a complete listing. */
const LISTING = 'listing.json';
/** Reserves the folder. */
const LEASE = 'lease.json';
/** What `articlesProxy` knows of the copy. */
const STATE = 'state.json';
/** Name of an unfinished file that a killed run left. Only this store and the command `sync` use such names. */
const TEMPORARY =
  /^\.(-?\d+\.(json|md)|(cursor|lease|listing|owner|state)\.json|\.sync\.lock)\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;
/**
 * Number of files that are read or written at the same time. Node itself works on four. Some systems allow a process only
 * 64 open files, and the program needs most of them.
 */
const AT_ONCE = 8;

/** How an article is written into a file. */
export interface FileFormat {
  /** The ending of the files: `json`. */
  readonly ending: string;
  print(article: Article): string;
  /** The fields of a file, `id` and `updated_at` at least. Empty if it is no article. */
  parse(text: string): Record<string, unknown>;
}

export const JSON_FILES: FileFormat = {
  ending: 'json',
  print: (article) => `${JSON.stringify(article, null, 2)}\n`,
  parse,
};

/** The same with files of another format. What `all` gives is what the format parses. */
export function folderStore(path: string, format: FileFormat): ReadableArticleStore {
  const folder = new Folder(path, format);
  return {
    async loadCursor() {
      folder.canSweep = true;
      const text = await folder.read(CURSOR);
      if (text === undefined) return null;
      const { cursor } = parse(text);
      if (typeof cursor !== 'string') throw folder.damaged(CURSOR, 'The next run then lists all articles.');
      return cursor;
    },
    async saveCursor(cursor) {
      await folder.flush();
      await folder.write(CURSOR, { cursor });
    },
    async *ids() {
      for await (const { id } of folder.articles()) yield id;
    },
    all: () => folder.articles(),
    async loadState() {
      const text = await folder.read(STATE);
      if (text === undefined) return null;
      const state = parse(text);
      if (!isCopyState(state)) throw folder.damaged(STATE, 'The copy is then updated.');
      return state;
    },
    saveState: (state) => folder.write(STATE, state),
    lease: () => leaseBy(join(path, LEASE)),
    put: async (article) => folder.put(checked('directoryStore', article)),
    async remove(id) {
      if (await folder.article(id)) await folder.remove(folder.nameOf(id));
    },
    concurrency: AT_ONCE,
    async *versions() {
      for await (const article of folder.articles()) yield versionOf(article);
    },
    async loadListing() {
      const text = await folder.read(LISTING);
      if (text === undefined) return null;
      const state = parse(text);
      if (!isListingState(state)) throw folder.damaged(LISTING, 'The complete listing then starts again.');
      return state;
    },
    async saveListing(state) {
      await folder.flush();
      await (state ? folder.write(LISTING, state) : folder.remove(LISTING));
    },
  };
}

function isListingState(state: Fields): state is Fields & ListingState {
  const { bulle_id, isFirst, position, ids, missing, savedAt } = state;
  const isLocation = bulle_id === null || typeof bulle_id === 'string';
  const isOne = isLocation && typeof isFirst === 'boolean' && typeof position === 'string';
  const isDated = savedAt === undefined || typeof savedAt === 'string';
  return isOne && isDated && areIds(ids) && (missing === null || areIds(missing));
}

function isCopyState(state: Fields): state is Fields & CopyState {
  const isDate = (value: unknown) => value === null || typeof value === 'string';
  return isDate(state.refreshedAt) && isDate(state.reconciledAt) && typeof state.version === 'string';
}

function versionOf({ id, updated_at }: Article): StoredVersion {
  return [id, typeof updated_at === 'string' ? updated_at : ''];
}

function areIds(ids: unknown): boolean {
  return Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id));
}

/** The files of a store. Each method takes the name of a file in the folder. */
class Folder {
  /**
   * Whether all unfinished files come from killed runs: from the start of a run, which reads the cursor, to its first
   * write. A program that only lists the articles must not remove what a run is writing.
   */
  canSweep = false;

  constructor(
    readonly path: string,
    readonly format: FileFormat,
  ) {}

  /** @throws {InvalidRequestError} if the id is not an integer. */
  nameOf(id: number): string {
    return `${idOf('directoryStore', id)}.${this.format.ending}`;
  }

  /**
   * The articles in the folder. It also removes unfinished files of killed runs, because a listing only for them would take
   * long in a large folder.
   */
  async *articles(): AsyncGenerator<Article> {
    const names = await this.#names();
    if (this.canSweep) await this.#sweep(names);
    const ids = names
      .map((name) => ({ name, id: Number(name.slice(0, -this.format.ending.length - 1)) }))
      .filter(({ name, id }) => Number.isSafeInteger(id) && name === this.nameOf(id))
      .map(({ id }) => id);
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const reads = ids.slice(start, start + AT_ONCE).map((id) => this.article(id));
      for (const article of await Promise.all(reads)) if (article) yield article;
    }
  }

  /** The article with this id. `undefined` if there is none: a file such as `2024.json` may belong to another program. */
  async article(id: number): Promise<Article | undefined> {
    const article = this.format.parse((await this.read(this.nameOf(id))) ?? '');
    return article.id === id ? (article as Fields & Article) : undefined;
  }

  /**
   * Stores an article. Reads the file before it, because another program may have written it since the folder was listed.
   * @throws {ConfigurationError} if the file is not this article. A cut-off file was not written by {@link write}, which
   * renames complete files only.
   */
  async put(article: Article): Promise<void> {
    const name = this.nameOf(article.id);
    const text = (await this.read(name)) ?? '';
    // With an empty file, nothing gets lost.
    if (text.trim() !== '' && this.format.parse(text).id !== article.id)
      throw this.#inTheWay(name, `is not the article ${article.id}, but the store needs this name for it`, 'file');
    await this.writeText(name, this.format.print(article));
  }

  read(name: string): Promise<string | undefined> {
    return this.#use(name, readText);
  }

  /** Replaces a file atomically: after a power cut, it has either the old or the new value. */
  write(name: string, value: object): Promise<void> {
    return this.writeText(name, `${JSON.stringify(value, null, 2)}\n`);
  }

  async writeText(name: string, text: string): Promise<void> {
    this.canSweep = false;
    await this.#use(name, (file) =>
      replaceFile(file, text).catch(async (error) => {
        ignoring('ENOENT')(error);
        await createFolder(this.path);
        await replaceFile(file, text);
      }),
    );
  }

  async remove(name: string): Promise<void> {
    await this.#use(name, removeFile);
  }

  /** Flushes the folder, so that new and removed names are on the disk. */
  flush(): Promise<void> {
    return inFolder(this.path, () => flushFolder(this.path));
  }

  damaged(name: string, consequence: string): ConfigurationError {
    return new ConfigurationError(
      `${join(this.path, name)} is damaged. Delete the file. ${consequence} Nothing is lost.`,
    );
  }

  async #sweep(names: readonly string[]): Promise<void> {
    for (const name of names) if (TEMPORARY.test(name)) await discard(join(this.path, name));
  }

  async #names(): Promise<string[]> {
    const entries = await inFolder(this.path, () =>
      readdir(this.path, { withFileTypes: true }).catch(ignoring('ENOENT')),
    );
    return (entries ?? []).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  }

  /** Runs an action on a file. If a folder has the name of the file, the error says so. */
  async #use<Result>(name: string, action: (file: string) => Promise<Result>): Promise<Result> {
    const file = join(this.path, name);
    try {
      return await action(file);
    } catch (error) {
      const isFolder = await stat(file).then(
        (stats) => stats.isDirectory(),
        () => false,
      );
      if (!isFolder) return await inFolder(file, () => Promise.reject(error));
      throw this.#inTheWay(name, 'is a folder, but the store needs this name for a file', 'folder');
    }
  }

  #inTheWay(name: string, reason: string, what: 'file' | 'folder'): ConfigurationError {
    return new ConfigurationError(`${join(this.path, name)} ${reason}. Move or rename the ${what}.`);
  }
}

type Fields = Record<string, unknown>;

/** The fields of a JSON object. Empty if the text is not a JSON object. */
function parse(text: string): Fields {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
