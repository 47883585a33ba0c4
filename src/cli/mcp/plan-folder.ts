import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { codeOf, ignoring, replaceFile } from '../../files/files.js';
import { fileJournal } from '../../node.js';
import { hashOfPlan } from '../../plans/hash.js';
import type { Plan, PlanJournal } from '../../plans/index.js';
import { type Entry, LASTING, parseJournal } from '../../plans/journal-content.js';
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
    // Some programs start their servers in the root folder, which no plan belongs in.
    const isRoot = process.cwd() === parse(process.cwd()).root;
    this.#folder = resolve(isRoot ? homedir() : '.', given ?? DEFAULT);
    const isApart = given !== undefined && (isRoot || isAbsolute(given));
    this.#shown = isApart ? '' : isRoot ? join('~', DEFAULT) : (given ?? DEFAULT);
    this.#place = isApart ? 'the folder of `--plans`' : 'the folder where this server runs';
  }

  /** How a person carries a plan out. */
  advice({ shown }: Pick<SavedPlan, 'shown'>): string {
    const file = /^[\w./~-]+$/.test(shown) ? shown : JSON.stringify(shown);
    return `A person carries it out in ${this.#place}: \`npx multilocal rehearse ${file} --run\`.`;
  }

  /** Writes a plan of today. The same plan is the same file. */
  async save(plan: Plan, owner: PlanOwner, today: string): Promise<SavedPlan> {
    const id = idOf(hashOfPlan(plan), owner, today);
    const name = `${today}-${id}.json`;
    const path = join(this.#folder, name);
    try {
      await this.#make();
      if (!(await this.#names()).includes(name)) await replaceFile(path, `${JSON.stringify(plan, null, 2)}\n`);
    } catch (error) {
      const message = `The plan cannot be written to ${this.#shown || 'the folder of `--plans`'} (${codeOf(error)}). Nothing was sent.`;
      throw new Refused('plans_unusable', message, 'A person must start the server with `--plans <folder>`.');
    }
    return this.#open(name, id);
  }

  /**
   * Reads a plan that was rehearsed today for this brand.
   * @throws a {@link Refused} if there is none, or if the file was changed since.
   */
  async find(id: string, owner: PlanOwner, today: string): Promise<SavedPlan> {
    const names = await this.#names().catch(() => []);
    const name = names.find((one) => one.endsWith(`-${id}.json`));
    if (!/^[\da-f]{12}$/.test(id) || name === undefined) {
      throw new Refused('no_such_plan', 'There is no plan with this id.', 'Call `rehearse` and use the id it answers.');
    }
    const plan = await this.#open(name, id);
    const day = name.slice(0, -`-${id}.json`.length);
    if (day !== today) {
      const hint = `Rehearse it again. ${this.advice(plan)}`;
      throw new Refused('plan_of_another_day', `The plan was rehearsed on ${day}. Nothing was sent.`, hint);
    }
    if (plan.file.problems.length > 0 || idOf(plan.hash, owner, day) !== id) {
      const message = 'The plan was changed after its rehearsal, or is one of another brand. Nothing was sent.';
      throw new Refused('plan_changed', message, 'Rehearse its actions again.');
    }
    return plan;
  }

  /** Removes a plan that was refused, unless something of it may have happened. */
  async discard(plan: SavedPlan): Promise<void> {
    if ((await this.entries(plan)).some(({ outcome }) => LASTING.includes(outcome))) return;
    await rm(plan.file.file, { force: true });
    await rm(plan.journalPath, { force: true });
  }

  /** What the journal of a plan knows. */
  async entries({ journal }: SavedPlan): Promise<readonly Entry[]> {
    const text = await journal.load();
    return text ? parseJournal(text).entries : [];
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

  /** Removes the absolute paths of this machine from a text. */
  withoutPaths(text: string): string {
    const shorter = text
      .replaceAll(join(this.#folder, '/'), this.#shown && join(this.#shown, '/'))
      .replaceAll(this.#folder, this.#shown || '`--plans`');
    const [here, home] = [process.cwd(), homedir()];
    const inside = here === parse(here).root ? shorter : shorter.replaceAll(`${here}/`, '').replaceAll(here, '.');
    return home === parse(home).root ? inside : inside.replaceAll(home, '~');
  }

  async #open(name: string, id: string): Promise<SavedPlan> {
    const file = await readPlan(join(this.#folder, name));
    const journalPath = await journalOf(file.file);
    const journal = fileJournal(journalPath);
    const hash = file.problems.length === 0 ? hashOfPlan(file.plan) : '';
    return { id, hash, file, journal, journalPath, shown: join(this.#shown, name) };
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

function idOf(hash: string, { sphere, bulle, address }: PlanOwner, day: string): string {
  const text = [hash, day, sphere, bulle ?? '', address].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The day of this machine: `2026-12-24`. */
export function today(now: Date = new Date()): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
