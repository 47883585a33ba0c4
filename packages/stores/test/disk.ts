// A disk in memory in place of node:fs/promises. It can lose power, and it can follow the rules of Windows.
import { dirname, normalize } from 'node:path';

interface File {
  /** What programs read. */
  text: string;
  /** What is on the disk for certain. */
  flushed: string;
}

/** What a power cut leaves. */
export interface Cut {
  /** Whether each changed name survives, oldest first: a file system may keep a later one and lose an earlier one. */
  names: readonly boolean[];
  /** How much of the unflushed text at the end of a file survives, from 0 to 1. */
  text: number;
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

export class Disk {
  /** Changes until the power is cut. */
  left = Number.POSITIVE_INFINITY;
  /** Whether nothing more can be written. */
  full = false;
  /** With the rules of Windows, the code that opening a folder fails with. */
  windows: string | undefined;
  /** Files that another program has open: the code that a change fails with, and for how many times. */
  readonly inUse = new Map<string, { code: string; times: number }>();
  /** Every change, in its order. */
  readonly log: string[] = [];
  /** Every read of a file or a folder, in its order. */
  readonly reads: string[] = [];
  /** Number of open files, and the largest number so far. */
  readonly handles = { open: 0, most: 0 };

  /** `null` is a folder. */
  #names = new Map<string, File | null>();
  #flushedNames = new Map<string, File | null>();
  #unflushed: ((names: Map<string, File | null>) => void)[] = [];

  get files(): ReadonlyMap<string, string> {
    return new Map([...this.#names].flatMap(([path, file]) => (file ? [[path, file.text]] : [])));
  }

  reset(): void {
    Object.assign(this, { left: Number.POSITIVE_INFINITY, windows: undefined, full: false });
    for (const kept of [this.inUse, this.#names, this.#flushedNames]) kept.clear();
    Object.assign(this.handles, { open: 0, most: 0 });
    this.log.length = this.reads.length = this.#unflushed.length = 0;
  }

  cut({ names, text }: Cut): void {
    for (const [index, change] of this.#unflushed.splice(0).entries()) if (names[index]) change(this.#flushedNames);
    this.#names = new Map(this.#flushedNames);
    for (const file of this.#names.values()) {
      if (!file) continue;
      // A store writes each file once, from its beginning.
      const added = file.text.slice(file.flushed.length);
      file.text = file.flushed + added.slice(0, Math.floor(added.length * text));
      file.flushed = file.text;
    }
    this.left = Number.POSITIVE_INFINITY;
  }

  /** The functions of node:fs/promises that a store calls. */
  readonly module = {
    mkdir: async (path: string) => {
      for (let name = normalize(path); name !== dirname(name); name = dirname(name)) {
        this.#names.set(name, null);
        this.#flushedNames.set(name, null);
      }
    },
    open: async (path: string, flag: string) => {
      const name = normalize(path);
      if (this.#names.get(name) === null && this.windows) throw failure(this.windows, path);
      if (flag === 'r' || flag === 'r+') this.#find(path);
      else if (!this.#names.has(name)) {
        this.#find(dirname(name));
        this.#change('open', name);
        const file = { text: '', flushed: '' };
        this.#rename((names) => names.set(name, file));
      } else if (flag === 'wx') throw failure('EEXIST', path);
      return this.#handle(name, flag);
    },
    readdir: async (path: string, options?: object) => {
      this.reads.push(`readdir ${normalize(path)}`);
      this.#find(path);
      const inside = [...this.#names].filter(([name]) => dirname(name) === normalize(path) && name !== normalize(path));
      return inside.map(([full, file]) => {
        const name = full.slice(normalize(path).length + 1);
        return options ? { name, isDirectory: () => file === null } : name;
      });
    },
    readFile: async (path: string) => {
      this.reads.push(`readFile ${normalize(path)}`);
      const file = this.#find(path);
      if (!file) throw failure('EISDIR', path);
      return file.text;
    },
    link: async (path: string) => {
      throw failure('EPERM', path);
    },
    lstat: async (path: string) => this.#find(path) && { isSymbolicLink: () => false },
    readlink: async (path: string) => this.#find(path),
    rename: async (from: string, to: string) => {
      const file = this.#find(from);
      this.#change('rename', normalize(to));
      this.#rename((names) => names.set(normalize(to), file).delete(normalize(from)));
    },
    rm: async (path: string, options: { force?: boolean } = {}) => {
      if (options.force && !this.#names.has(normalize(path))) return;
      this.#find(path);
      this.#change('rm', normalize(path));
      this.#rename((names) => names.delete(normalize(path)));
    },
    stat: async (path: string) => {
      const file = this.#find(path);
      return { isDirectory: () => file === null };
    },
  };

  #handle(name: string, flag: string) {
    const file = this.#names.get(name) ?? null;
    this.handles.most = Math.max(this.handles.most, ++this.handles.open);
    return {
      writeFile: async (text: string) => {
        try {
          this.#change('write', name);
        } catch (error) {
          // The process ends in the midst of a write.
          if (file) file.text += text.slice(0, text.length / 2);
          throw error;
        }
        if (file) file.text += text;
      },
      sync: async () => {
        if (flag === 'r' && this.windows) throw failure('EPERM', name);
        this.#change('sync', name);
        if (file) file.flushed = file.text;
        else for (const change of this.#unflushed.splice(0)) change(this.#flushedNames);
      },
      close: async () => {
        this.handles.open--;
      },
    };
  }

  #rename(change: (names: Map<string, File | null>) => void): void {
    change(this.#names);
    this.#unflushed.push(change);
  }

  #find(path: string): File | null {
    const file = this.#names.get(normalize(path));
    if (file === undefined) throw failure('ENOENT', path);
    return file;
  }

  #change(what: string, name: string): void {
    if (this.left <= 0) throw new Error('the power is cut');
    this.left--;
    if (what === 'write' && this.full) throw failure('ENOSPC', name);
    const held = this.inUse.get(name);
    if (held && what !== 'sync' && held.times-- > 0) throw failure(held.code, name);
    this.log.push(`${what} ${name}`);
  }
}

export const disk = new Disk();
