import { lstat, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRepeatable } from '../../core/call.js';
import { readBaseUrl } from '../../core/config.js';
import { flushFolder, ignoring, isTemporary, replaceFile } from '../../files/files.js';
import type { Identity } from '../../index.js';
import { maskId } from './encoded.js';
import { type Entry, type JournalContent, parseJournal } from './journal-file.js';
import { Lock } from './lock.js';
import type { Plan, PlanAction } from './plan.js';
import { clip, PlanError, unusable } from './problem.js';

/** The service and the brand of a plan. The journal of another service or brand is refused. */
export interface Owner {
  /** Address of the service, as the client got it. */
  readonly baseUrl: string;
  /** The response of GET /me. */
  readonly identity: Identity;
  /** Removes the key from what the plan and the service may contain: the journal is committed with the plan. */
  readonly clean?: (<Value>(value: Value) => Value) | undefined;
}

/** The fields of an entry that a run writes when an action has ended. */
export type Ending = Pick<Entry, 'outcome' | 'ids' | 'error' | 'status' | 'service_end'>;

interface Opening {
  readonly file: string;
  readonly content: JournalContent;
  /** Whether there was no file yet. */
  readonly isNew: boolean;
  readonly plan: Plan;
  readonly owner: Owner;
  readonly lock?: Lock;
}

type Head = Omit<JournalContent, 'entries'>;

/** The outcomes of actions that happened or may have happened. */
const LASTING: readonly Entry['outcome'][] = ['applied', 'started', 'unknown'];

/**
 * The journal of a plan: a file beside it that says which actions happened. Each change is on the disk before the next
 * request is sent, so a run that was killed at any instant can be continued.
 */
export class Journal {
  /** Path of the journal. */
  readonly file: string;
  /** The service and the brand that the journal belongs to. */
  readonly head: Head;
  readonly #isNew: boolean;
  readonly #entries: Map<PlanAction, Entry>;
  readonly #lock: Lock | undefined;
  readonly #clean: NonNullable<Owner['clean']>;
  readonly #reopen: () => Promise<Journal>;

  private constructor({ file, content, isNew, plan, owner, lock }: Opening) {
    const { entries, ...head } = content;
    this.file = file;
    this.head = head;
    this.#isNew = isNew;
    this.#entries = match(file, plan, entries);
    this.#lock = lock;
    this.#clean = owner.clean ?? ((value) => value);
    this.#reopen = () => Journal.open(plan, owner);
  }

  /**
   * Opens the journal of a plan for a run, and locks it until {@link close}.
   * @throws a {@link PlanError} if another run holds the lock, if the journal is damaged or belongs to another brand, if
   * the plan lacks an action that was carried out, or if another plan of the folder has carried out one of its actions.
   */
  static async open(plan: Plan, owner: Owner): Promise<Journal> {
    const file = await journalOf(plan);
    const lock = await Lock.take(lockOf(file));
    try {
      await sweep(file);
      return await Journal.#load({ file, plan, owner, lock });
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Reads the journal of a plan without a lock, for a rehearsal. Throws like {@link open}. */
  static async read(plan: Plan, owner: Owner): Promise<Journal> {
    return Journal.#load({ file: await journalOf(plan), plan, owner });
  }

  static async #load(opening: Omit<Opening, 'content' | 'isNew'>): Promise<Journal> {
    const { file, plan, owner } = opening;
    const journal = new Journal({ ...opening, ...(await load(file, owner)) });
    const isKnown = (action: PlanAction) => LASTING.some((one) => one === journal.entryOf(action)?.outcome);
    const fresh = plan.actions.filter((action) => !isKnown(action) && !isRepeatable(action.endpoint));
    await refuseRepeated(journal, await targetOf(plan.file), fresh);
    return journal;
  }

  /** Returns what is known of an action. `undefined` if it was never started. */
  entryOf(action: PlanAction): Entry | undefined {
    return this.#entries.get(action);
  }

  /** Whether the journal has no entry of the plan. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** The ids of the objects that an operation has created so far. */
  idsOf(operation: string): ReadonlySet<string> {
    const ids = [...this.#entries.values()]
      .filter((entry) => entry.operation === operation)
      .flatMap(({ ids }) => ids ?? []);
    return new Set(ids.map(String));
  }

  /** The other actions of the same operation that were started since then and may have happened. */
  othersOf(action: PlanAction, since: Date): PlanAction[] {
    return [...this.#entries]
      .filter(([other, entry]) => other !== action && entry.operation === action.operation)
      .filter(
        ([, { outcome, service_time }]) => LASTING.includes(outcome) && Date.parse(service_time) >= since.getTime(),
      )
      .map(([other]) => other);
  }

  /** Notes that the request of an action is about to be sent. `at` is the time of the service. */
  async start(action: PlanAction, at: Date): Promise<void> {
    const { operation, hash, target } = action;
    const started = { started_at: new Date().toISOString(), service_time: at.toISOString() };
    await this.#write(action, { operation, action: hash, target, outcome: 'started', ...started });
  }

  /** Notes how an action that was started has ended. */
  async end(action: PlanAction, ending: Ending): Promise<void> {
    const { ids: _, error: __, status: ___, service_end: ____, ...entry } = this.#entries.get(action) as Entry;
    await this.#write(action, { ...entry, ...ending, ended_at: new Date().toISOString() });
  }

  /** Takes {@link start} back: the entry is again what it was before. Deletes a journal that did not exist before. */
  async restore(action: PlanAction, before: Entry | undefined): Promise<void> {
    if (before) this.#entries.set(action, before);
    else this.#entries.delete(action);
    await this.#save('not_applied');
  }

  /** Returns this journal if it is locked. Otherwise opens it anew with a lock, and the caller must close it. */
  async hold(): Promise<Journal> {
    return this.#lock ? this : this.#reopen();
  }

  /** Releases the lock. */
  async close(): Promise<void> {
    await this.#lock?.release();
  }

  async #write(action: PlanAction, entry: Entry): Promise<void> {
    const { target, ids, ...own } = entry;
    const shown = ids?.map((id) => maskId(id, this.#clean));
    this.#entries.set(action, { ...own, ...this.#clean({ target }), ids: shown });
    await this.#save(entry.outcome === 'started' ? 'not_applied' : 'unknown');
  }

  /** Writes the file. `outcome` is that of the last write if this fails. */
  async #save(outcome: 'not_applied' | 'unknown'): Promise<void> {
    const inOrder = [...this.#entries].sort(([a], [b]) => a.index - b.index).map(([, each]) => each);
    const content: JournalContent = { ...this.head, entries: inOrder };
    try {
      await this.#lock?.check(outcome);
      if (this.isEmpty && this.#isNew) await rm(this.file, { force: true });
      else await replaceFile(this.file, `${JSON.stringify(content, null, 2)}\n`);
      await flushFolder(dirname(this.file));
    } catch (error) {
      throw unusable(error, this.file, 'written', outcome);
    }
  }
}

async function journalOf(plan: Plan): Promise<string> {
  return targetOf(`${await targetOf(plan.file)}.journal.json`);
}

/** Plans whose journals are one file by a symbolic link have one lock. */
function lockOf(journal: string): string {
  return `${journal.replace(/(?<=\.journal)\.json$/, '')}.lock`;
}

/** Follows symbolic links, so that every name of a plan has the same journal and lock. */
async function targetOf(file: string): Promise<string> {
  const stats = await lstat(file).catch(ignoring('ENOENT'));
  if (!stats?.isSymbolicLink()) return file;
  return realpath(file).catch((error) => {
    throw unusable(error, file, 'read');
  });
}

/** Removes unfinished files of killed runs. A file that cannot be removed does no harm. */
async function sweep(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (isTemporary(name, basename(file))) await rm(join(dirname(file), name)).catch(() => {});
  }
}

async function load(file: string, { baseUrl, identity }: Owner): Promise<Pick<Opening, 'content' | 'isNew'>> {
  const service = readBaseUrl(baseUrl, true).root ?? '';
  const { sphere, bulle } = identity;
  const head = { version: 1, service, sphere_id: sphere.id, bulle_id: bulle?.id ?? null } as const;
  const text = await readFile(file, 'utf8')
    .catch(ignoring('ENOENT'))
    .catch((error) => {
      throw unusable(error, file, 'read');
    });
  if (text === undefined) return { content: { ...head, entries: [] }, isNew: true };
  const content = parseJournal(file, text);
  const other = DIFFERENCES.find(([name]) => content[name] !== head[name]);
  if (!other) return { content, isNew: false };
  const [name, what, todo] = other;
  throw new PlanError(
    'journal_of_another_brand',
    `${file} belongs to ${what}: \`${name}\` is ${clip(String(content[name]))} there, and ${head[name]} for this key.`,
    `${todo(service)} ${NO_COPY}`,
  );
}

/** A copy of the plan has no journal, so no hint may lead to one. */
const NO_COPY = 'Do not run a copy of the plan: a copy has no journal, so everything would happen again.';

const DIFFERENCES = [
  [
    'service',
    'another service',
    (now: string) =>
      `If the same service has a new address, set \`service\` in the journal to ${now}. Otherwise, use the address of the first run.`,
  ],
  ['sphere_id', 'another brand', () => 'Use the key of the first run.'],
  ['bulle_id', 'a key with another scope', () => 'Use a key with the scope of the first run.'],
] as const;

/**
 * Refuses to repeat an action that is in the journal of another plan of the folder. The file may have been renamed, copied
 * or linked. Actions without a target are those of the key's own location, so the journal of another key does not count
 * for them. The address does not count, because a service may move.
 */
async function refuseRepeated(
  { file, head, isEmpty }: Journal,
  plan: string,
  fresh: readonly PlanAction[],
): Promise<void> {
  const actions = new Map(fresh.map((action) => [action.hash, action]));
  // A journal that has entries must not be replaced by another one.
  const todo = isEmpty ? `rename its journal to ${file}` : 'run it under the old name';
  const same = `If this is the same plan under a new name, ${todo}.`;
  for (const other of await otherJournals(dirname(plan), file)) {
    const content = await contentOf(other);
    if (content?.sphere_id !== head.sphere_id) continue;
    for (const { action: hash, outcome } of content.entries) {
      const action = actions.get(hash);
      const isSame = action && (content.bulle_id === head.bulle_id || action.target !== undefined);
      if (!isSame || !LASTING.includes(outcome)) continue;
      const what = `${action.operation} of line ${action.line}`;
      throw new PlanError(
        'journal_of_another_plan',
        `${other} has the action ${what} with the outcome \`${outcome}\`: another plan, or this plan under another name, has sent it.`,
        `${same} If the action must happen once more, move the other plan and its journal to another folder.`,
      );
    }
  }
}

async function otherJournals(folder: string, own: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.journal.json'));
  const files = names.map((name) => join(folder, name));
  const targets = await Promise.all(files.map((file) => targetOf(file).catch(() => file)));
  return files.filter((_, index) => targets[index] !== own);
}

/** Returns the content of a journal, or `undefined` if the file is none: other programs may use such names. */
async function contentOf(file: string): Promise<JournalContent | undefined> {
  try {
    return (await stat(file)).isFile() ? parseJournal(file, await readFile(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the entry of each action. The order of the actions does not matter. */
function match(file: string, plan: Plan, entries: readonly Entry[]): Map<PlanAction, Entry> {
  const left = [...entries];
  const found = new Map<PlanAction, Entry>();
  for (const action of plan.actions) {
    const index = left.findIndex(
      ({ operation, action: hash }) => operation === action.operation && hash === action.hash,
    );
    const [entry] = index < 0 ? [] : left.splice(index, 1);
    if (entry) found.set(action, entry);
  }
  const lost = left.find(({ outcome }) => LASTING.includes(outcome));
  if (!lost) return found;
  const { operation, target, started_at, outcome } = lost;
  const what = clip(`${operation}${target === undefined ? '' : ` (${target})`}`);
  throw new PlanError(
    'plan_changed',
    `The plan was changed: ${file} has the action ${what} of ${started_at} with the outcome \`${outcome}\`, and the plan no longer has this action.`,
    'Restore the action in the plan, or move the new actions to a new file. You may reorder and add actions.',
  );
}
