import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { type Entry, hashOfPlan, outcomeOf, parseJournal, readActions } from '@multilocal/plans/inside';
import { codeOf, ignoring, replaceFile } from '@multilocal/stores/files';
import { fileJournal } from '@multilocal/stores/journal/file-journal';
import type { Plan, PlanJournal } from 'multilocal/plans';
import { nameJournal } from '../front.js';
import { JOURNAL } from '../plan/journals.js';
import { type PlanFile, readPlan } from '../plan/plan-file.js';
import { sha256, shellPath } from '../words.js';
import { Refused } from './refused.js';

/** Whose plan it is: the brand, the location of a location's key, and the address of the service. */
export interface PlanOwner {
  readonly sphere: string;
  readonly bulle: string | undefined;
  readonly address: string;
}

/** A plan that was written. */
export interface SavedPlan {
  /** 12 hex digits. Another text or another brand gives another one. */
  readonly id: string;
  readonly hash: string;
  readonly file: PlanFile;
  /** The journal of all plans of the folder. */
  readonly journal: PlanJournal;
  /** The path for people: it is not absolute. */
  readonly shown: string;
  /** Whether no plan of this process or an earlier one was this one. */
  readonly isNew?: boolean;
}

const DEFAULT = join('.multilocal', 'plans');

/**
 * The folder of the plans that were rehearsed, and of the journal that they share: an action that two of them have happens
 * once. `npx multilocal rehearse <file> --run` goes on with it.
 */
export class PlanFolder {
  readonly #folder: string;
  /** The folder as answers show it: never absolute. */
  readonly #shown: string;
  /** Where a person runs the command. */
  readonly #place: string;
  /** How often each plan was saved: another call may still rehearse what one has created. */
  readonly #saves = new Map<string, number>();

  /** `given`: the value of `--plans`. */
  constructor(given: string | undefined) {
    // Some programs start their servers in the root folder, which no plan belongs in, and expand no `~`.
    const isRoot = process.cwd() === parse(process.cwd()).root;
    const isApart = given !== undefined && (isRoot || isAbsolute(given) || given.startsWith('~'));
    this.#folder = resolve(isRoot ? homedir() : '.', (given ?? DEFAULT).replace(/^~(?=[\\/]|$)/, homedir()));
    this.#shown = isApart ? '' : isRoot ? join('~', DEFAULT) : (given ?? DEFAULT);
    this.#place = isApart ? 'the folder of `--plans`' : 'the folder where this server runs';
  }

  /** How a person carries a plan out. `flags`: what was chosen, as flags of the command. */
  advice({ shown }: Pick<SavedPlan, 'shown'>, flags = ''): string {
    return `A person carries it out in ${this.#place}: \`npx multilocal rehearse ${shellPath(shown)} --run${flags}\`.`;
  }

  /**
   * Writes a plan. The same plan is the same file.
   * @throws a {@link Refused} if the folder cannot be written, or belongs to another key.
   */
  async save(plan: Plan, owner: PlanOwner): Promise<SavedPlan> {
    await this.#refuseOther(owner);
    const id = idOf(hashOfPlan(plan), owner);
    const path = join(this.#folder, `${id}.json`);
    const saves = this.#saves.get(id) ?? 0;
    const isNew = saves === 0 && !existsSync(path);
    this.#saves.set(id, saves + 1);
    try {
      // The folder and the one above it, and no others: a wrong path is not repaired.
      for (const folder of [dirname(this.#folder), this.#folder]) {
        await mkdir(folder).catch(ignoring('EEXIST', 'EISDIR', 'EROFS'));
      }
      await replaceFile(path, `${JSON.stringify(plan, null, 2)}\n`);
    } catch (error) {
      const where = this.#shown || 'the folder of `--plans`';
      const message = `The plan cannot be written to ${where} (${codeOf(error)}). Nothing was sent.`;
      throw new Refused('plans_unusable', message, 'A person must start the server with `--plans <folder>`.');
    }
    return { ...(await this.open(id)), isNew };
  }

  /**
   * Reads a plan that was rehearsed for this brand, on any day.
   * @throws a {@link Refused} if there is none, or if the file was changed since.
   */
  async find(id: string, owner: PlanOwner): Promise<SavedPlan> {
    if (!(await this.list()).includes(id)) {
      throw new Refused('no_such_plan', 'There is no plan with this id.', 'Call `rehearse` and use the id it returns.');
    }
    const plan = await this.open(id);
    if (plan.file.problems.length > 0 || idOf(plan.hash, owner) !== id) throw changed();
    await this.#refuseOther(owner);
    return plan;
  }

  /**
   * Removes a plan that its call has created, unless something of it may have happened, or is happening. Of another one, a person
   * may have the command.
   */
  async discard(plan: SavedPlan): Promise<void> {
    const release = await plan.journal.hold?.().catch(() => undefined);
    if (!release) return;
    try {
      if ((await this.entries(plan)).some((entry) => outcomeOf(entry) !== 'not_applied')) return;
      if (!plan.isNew || this.#saves.get(plan.id) !== 1) return;
      this.#saves.delete(plan.id);
      await rm(plan.file.file, { force: true });
    } finally {
      await release();
    }
  }

  /** A folder has one journal, which belongs to the brand and the scope of its first key. No plan of another can be carried out with it. */
  async #refuseOther({ sphere, bulle }: PlanOwner): Promise<void> {
    // What cannot be read is said by what needs it.
    const text = await fileJournal(join(this.#folder, JOURNAL))
      .load()
      .catch(() => null);
    if (!text) return;
    const { sphere_id, bulle_id } = parseJournal(text);
    if (sphere_id === sphere && (bulle_id ?? undefined) === bulle) return;
    const message = 'The folder of the plans belongs to another brand, or to a key of another scope. Nothing was sent.';
    const hint = 'A person must start the server of each with a folder of its own: `--plans <folder>`.';
    throw new Refused('journal_of_another_brand', message, hint);
  }

  /** What the journal of the folder knows, by key. */
  async entriesOf({ journal }: SavedPlan): Promise<ReadonlyMap<string, Entry>> {
    const text = await journal.load();
    return new Map(Object.entries(text ? parseJournal(text).entries : {}));
  }

  /** What it knows of the actions of a plan. */
  async entries(plan: SavedPlan): Promise<readonly Entry[]> {
    const known = readActions(plan.file.plan).actions;
    return [...(await this.entriesOf(plan))].flatMap(([key, entry]) => {
      const hash = (entry.sent ?? entry.made)?.hash;
      return known.some((action) => action.key === key || action.hash === hash) ? [entry] : [];
    });
  }

  /** The ids of all plans. */
  async list(): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(() => undefined)) ?? [];
    return names.flatMap((name) => /^([\da-f]{12})\.json$/.exec(name)?.[1] ?? []);
  }

  /** Opens one of {@link list}. */
  async open(id: string): Promise<SavedPlan> {
    const path = join(this.#folder, `${id}.json`);
    // A link could lead to another plan between two looks.
    if ((await lstat(path)).isSymbolicLink()) throw changed();
    const file = await readPlan(path);
    const journal = fileJournal(join(this.#folder, JOURNAL));
    nameJournal(join(this.#shown, JOURNAL));
    const hash = file.problems.length === 0 ? hashOfPlan(file.plan) : '';
    return { id, hash, file, journal, shown: join(this.#shown, `${id}.json`) };
  }

  /** Removes the absolute paths of this machine from a text. */
  withoutPaths(text: string): string {
    const places = [[this.#folder, this.#shown] as const, [process.cwd(), ''] as const, [homedir(), '~'] as const];
    return places.reduce((rest, [path, shown]) => withoutPath(rest, path, shown), text);
  }
}

function changed(): Refused {
  const message = 'The plan was changed after its rehearsal, or belongs to another key. Nothing was sent.';
  return new Refused('plan_changed', message, 'Rehearse its actions again.');
}

/** Only whole names of a path: `/app` is not part of `https://pain.test/app`. */
function withoutPath(text: string, path: string, shown: string): string {
  if (path === parse(path).root) return text;
  const pattern = new RegExp(`(?<![\\w.:/-])${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(/|(?![\\w.-]))`, 'g');
  return text.replace(pattern, (_, slash) => (shown === '' ? (slash ? '' : '.') : `${shown}${slash}`));
}

function idOf(hash: string, { sphere, bulle, address }: PlanOwner): string {
  return sha256([hash, sphere, bulle ?? '', address].join('\n')).slice(0, 12);
}
