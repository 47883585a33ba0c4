import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { hashOfPlan } from '@multilocal/plans/hash';
import type { Entry } from '@multilocal/plans/journal-content';
import { LASTING, parseJournal } from '@multilocal/plans/journal-content';
import { codeOf, ignoring, replaceFile } from '@multilocal/stores/files';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import { Lock } from '@multilocal/stores/journal/lock';
import type { Plan, PlanJournal } from 'multilocal/plans';
import { journalOf } from '../plan/journals.js';
import { type PlanFile, readPlan } from '../plan/plan-file.js';
import { Refused } from './refused.js';

/** Whose plan it is: the brand, the location of a location's key, and the address of the service. */
export interface PlanOwner {
  readonly sphere: string;
  readonly bulle: string | undefined;
  readonly address: string;
}

/** A plan that was written. */
export interface SavedPlan {
  /** 12 hex digits. Another text, another day or another brand gives another one. */
  readonly id: string;
  /** The day of its rehearsal. */
  readonly day: string;
  readonly hash: string;
  readonly file: PlanFile;
  readonly journal: PlanJournal;
  readonly journalPath: string;
  /** The path for people: it is not absolute. */
  readonly shown: string;
}

const DEFAULT = join('.multilocal', 'plans');

/**
 * The folder of the plans that were rehearsed. A plan bears the day of its rehearsal, so that the same text may go out next
 * month, and its journal stands beside it: `npx multilocal rehearse <file> --run` goes on with it.
 */
export class PlanFolder {
  readonly #folder: string;
  /** The folder as answers show it: never absolute. */
  readonly #shown: string;
  /** Where a person runs the command. */
  readonly #place: string;

  /** `given`: the value of `--plans`. */
  constructor(given: string | undefined) {
    // Some programs start their servers in the root folder, which no plan belongs in, and expand no `~`.
    const isRoot = process.cwd() === parse(process.cwd()).root;
    const isApart = given !== undefined && (isRoot || isAbsolute(given) || given.startsWith('~'));
    this.#folder = resolve(isRoot ? homedir() : '.', (given ?? DEFAULT).replace(/^~(?=[\\/]|$)/, homedir()));
    this.#shown = isApart ? '' : isRoot ? join('~', DEFAULT) : (given ?? DEFAULT);
    this.#place = isApart ? 'the folder of `--plans`' : 'the folder where this server runs';
  }

  /** How a person carries a plan out. */
  advice({ shown }: Pick<SavedPlan, 'shown'>): string {
    const path = shown.startsWith('-') ? `./${shown}` : shown;
    const file = /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
    return `A person carries it out in ${this.#place}: \`npx multilocal rehearse ${file} --run\`.`;
  }

  /**
   * Writes a plan of today. The same plan is the same file.
   * @throws a {@link Refused} if the folder cannot be written, or if the file was changed and something of it may have happened.
   */
  async save(plan: Plan, owner: PlanOwner, today: string): Promise<SavedPlan> {
    const id = idOf(hashOfPlan(plan), owner, today);
    const name = `${today}-${id}.json`;
    try {
      await this.#make();
      if ((await this.#names()).includes(name)) {
        const before = await this.#open(name, id);
        if (before.hash === hashOfPlan(plan)) return before;
        if ((await this.entries(before)).length > 0) throw changed();
      }
      await replaceFile(join(this.#folder, name), `${JSON.stringify(plan, null, 2)}\n`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      const where = this.#shown || 'the folder of `--plans`';
      const message = `The plan cannot be written to ${where} (${codeOf(error)}). Nothing was sent.`;
      throw new Refused('plans_unusable', message, 'A person must start the server with `--plans <folder>`.');
    }
    return this.#open(name, id);
  }

  /**
   * Reads a plan that was rehearsed for this brand, on any day.
   * @throws a {@link Refused} if there is none, or if the file was changed since.
   */
  async find(id: string, owner: PlanOwner): Promise<SavedPlan> {
    const names = await this.list();
    const name = names.find((one) => one.endsWith(`-${id}`));
    if (!/^[\da-f]{12}$/.test(id) || name === undefined) {
      throw new Refused('no_such_plan', 'There is no plan with this id.', 'Call `rehearse` and use the id it answers.');
    }
    const plan = await this.open(name);
    if (plan.file.problems.length > 0 || idOf(plan.hash, owner, plan.day) !== id) throw changed();
    return plan;
  }

  /** @throws a {@link Refused} if the plan was rehearsed on another day. */
  refuseOld(plan: SavedPlan, today: string): void {
    if (plan.day === today) return;
    const message = `The plan was rehearsed on ${plan.day}. Nothing was sent.`;
    throw new Refused('plan_of_another_day', message, `Rehearse it again. ${this.advice(plan)}`);
  }

  /** Lets one plan of the folder after the other happen: each run sees what the ones before have done. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const lock = await Lock.take(join(this.#folder, 'carry-out.lock'));
    try {
      return await work();
    } finally {
      await lock.release().catch(() => {});
    }
  }

  /** Removes a plan that was refused, unless something of it may have happened, or is happening. */
  async discard(plan: SavedPlan): Promise<void> {
    const release = await plan.journal.hold?.().catch(() => undefined);
    if (!release) return;
    try {
      if ((await this.entries(plan)).some(({ outcome }) => LASTING.includes(outcome))) return;
      await rm(plan.file.file, { force: true });
      await rm(plan.journalPath, { force: true });
    } finally {
      await release();
    }
  }

  /** What the journal of a plan knows. */
  async entries({ journal }: SavedPlan): Promise<readonly Entry[]> {
    const text = await journal.load();
    return text ? Object.values(parseJournal(text).entries) : [];
  }

  /** The names of all plans, without `.json`. */
  async list(): Promise<string[]> {
    const names = await this.#names().catch(() => []);
    return names.flatMap((name) => /^(\d{4}-\d\d-\d\d-[\da-f]{12})\.json$/.exec(name)?.[1] ?? []);
  }

  /** Opens one of {@link list}. */
  open(name: string): Promise<SavedPlan> {
    return this.#open(`${name}.json`, name.slice(-12));
  }

  /** Removes the absolute paths of this machine from a message, or from all texts of a value. */
  withoutPaths(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.withoutPaths(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.withoutPaths(field)]));
    }
    if (typeof value !== 'string') return value;
    const places = [[this.#folder, this.#shown] as const, [process.cwd(), ''] as const, [homedir(), '~'] as const];
    return places.reduce((text, [path, shown]) => withoutPath(text, path, shown), value);
  }

  async #open(name: string, id: string): Promise<SavedPlan> {
    const path = join(this.#folder, name);
    // A link could lead to another plan between two looks.
    if ((await lstat(path)).isSymbolicLink()) throw changed();
    const file = await readPlan(path);
    const journalPath = await journalOf(file.file);
    const journal = fileJournal(journalPath);
    const hash = file.problems.length === 0 ? hashOfPlan(file.plan) : '';
    return { id, day: name.slice(0, 10), hash, file, journal, journalPath, shown: join(this.#shown, name) };
  }

  async #names(): Promise<string[]> {
    return (await readdir(this.#folder).catch(ignoring('ENOENT'))) ?? [];
  }

  /** Makes the folder and the one above it, and no others: a wrong path is not repaired. */
  async #make(): Promise<void> {
    for (const folder of [dirname(this.#folder), this.#folder]) {
      await mkdir(folder).catch(ignoring('EEXIST', 'EISDIR', 'EROFS'));
    }
  }
}

function changed(): Refused {
  const message = 'The plan was changed after its rehearsal, or is one of another brand. Nothing was sent.';
  return new Refused('plan_changed', message, 'Rehearse its actions again.');
}

/** Only whole names of a path: `/app` is no part of `https://pain.test/app`. */
function withoutPath(text: string, path: string, shown: string): string {
  if (path === parse(path).root) return text;
  const pattern = new RegExp(`(?<![\\w.:/-])${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(/|(?![\\w.-]))`, 'g');
  return text.replace(pattern, (_, slash) => (shown === '' ? (slash ? '' : '.') : `${shown}${slash}`));
}

function idOf(hash: string, { sphere, bulle, address }: PlanOwner, day: string): string {
  const text = [hash, day, sphere, bulle ?? '', address].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The day of this machine: `2026-12-24`. */
export function today(now: Date = new Date()): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
