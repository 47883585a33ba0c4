import type { Identity } from 'multilocal';
import { ConfigurationError, isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { clip } from 'multilocal/internal/text';
import type { PlanJournal } from 'multilocal/node';
import type { Timer } from './clock.js';
import {
  type Entry,
  type JournalContent,
  type Made,
  outcomeIn,
  outcomeOf,
  parseJournal,
  printJournal,
  type Sent,
} from './journal-content.js';
import { inBrackets } from './words.js';

/** The service and the brand of a plan. The journal of another service or brand is refused. */
export interface Owner {
  /** Address of the service. */
  readonly address: string;
  /** The response of GET /me. */
  readonly identity: Identity;
  /** Removes the key: the journal may be committed with the plan. */
  readonly clean: <Value>(value: Value) => Value;
}

/** How a ledger is opened. */
interface Opening {
  readonly timer: Timer;
  /** Whether this run holds the lock of the journal, so that no other run writes it. */
  readonly isHeld?: boolean;
}

type Head = Omit<JournalContent, 'entries'>;
type Entries = ReadonlyMap<string, Entry>;

/** @throws a {@link ConfigurationError} if a journal is missing, or is none. */
export function checkJournal(operation: string, journal: unknown): void {
  const { load, save } = Object(journal) as Partial<PlanJournal>;
  if (typeof load === 'function' && typeof save === 'function') return;
  const message = `${operation}: \`journal\` must be a journal, or a repeated run would do everything again. Pass fileJournal(path) of \`multilocal/node\`, sqlJournal(…) of \`multilocal/sql\`, or memoryJournal().`;
  throw new ConfigurationError(message, { operation });
}

/** How long the save of an ending is tried again, in ms. */
export const RETRY_FOR = 30_000;
/** How often a save is tried that is refused: ten times although nobody else has written, and 100 times where others have. */
const MOST_SAVES = 100;

/**
 * What a journal says about keys. Each change is in the journal before the next request is sent, so a run that was killed at
 * any instant can be continued. Others may write entries of other keys meanwhile.
 */
export class Ledger {
  readonly #journal: PlanJournal;
  readonly #head: Head;
  readonly #clean: Owner['clean'];
  readonly #opening: Opening;
  /** Two runs that begin at the same moment would write the same text, and each would take the other's save for its own. */
  readonly #run = crypto.randomUUID();
  /** The text of the journal, as this run knows it. */
  #text: string | null;
  #entries: Entries;
  /** What this run has noted, for the errors of a journal that is lost. */
  readonly #endings: string[] = [];

  private constructor(journal: PlanJournal, text: string | null, owner: Owner, opening: Opening) {
    this.#journal = journal;
    this.#text = text;
    this.#head = headOf(owner);
    this.#clean = owner.clean;
    this.#opening = opening;
    this.#entries = this.#read(text);
  }

  /** Reads a journal. @throws a {@link PlanError} if the journal is damaged or belongs to another brand. */
  static async open(journal: PlanJournal, owner: Owner, opening: Opening): Promise<Ledger> {
    return new Ledger(journal, await answered(() => journal.load()), owner, opening);
  }

  /** What is known of a key, if it was ever started. */
  entryOf(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  entries(): Entries {
    return this.#entries;
  }

  /** The ids that an operation has made so far, under any key. */
  idsOf(operation: string): ReadonlySet<string> {
    const own = [...this.#entries.values()].filter((entry) => entry.operation === operation);
    return new Set(own.flatMap(({ made }) => made?.ids ?? []).map(String));
  }

  /** What other keys have of the same operation that was begun since then and may have happened. */
  sameOperationSince(key: string, operation: string, since: Date): (Sent | Made)[] {
    return [...this.#entries].flatMap(([other, entry]) => {
      const found = entry.sent ?? entry.made;
      const begun = entry.sent?.service_time ?? entry.made?.at ?? '';
      const isRival = other !== key && entry.operation === operation && Date.parse(begun) >= since.getTime();
      return found && isRival ? [found] : [];
    });
  }

  /** Notes how a request has ended. A journal that fails is tried again for half a minute, because only this run knows it. */
  async end(key: string, entry: Entry): Promise<void> {
    const ended: Entry = { ...entry, at: new Date(this.#opening.timer.date()).toISOString() };
    const { timer } = this.#opening;
    const until = timer.now() + RETRY_FOR;
    for (let pause = 500; ; pause *= 2) {
      try {
        await this.save(key, ended, true);
        if (outcomeOf(entry) !== 'not_applied') this.#endings.push(sentenceOf(key, ended));
        return;
      } catch (error) {
        const left = until - timer.now();
        if (permanent(error) || left <= 0) throw notNoted(error, key, ended);
        await timer.wait(Math.min(pause, left), undefined);
      }
    }
  }

  /** Reads the journal again. @throws a {@link PlanError} if another run has written the entry of this key: it still goes on. */
  async refresh(key: string): Promise<void> {
    this.#merge(await answered(() => this.#journal.load()), [key], false);
  }

  /** Notes that the request of an action is about to be sent, or that its entry is no longer needed. */
  save(key: string, entry: Entry | undefined, isEnding = false): Promise<void> {
    return this.saveAll(new Map([[key, entry]]), isEnding);
  }

  async saveAll(changes: ReadonlyMap<string, Entry | undefined>, isEnding = false): Promise<void> {
    for (let tries = 0; ; ) {
      const entries = new Map(this.#entries);
      for (const [key, entry] of changes) {
        if (!entry) entries.delete(key);
        else entries.set(key, { ...this.#cleaned(entry), saves: (this.#entries.get(key)?.saves ?? 0) + 1 });
      }
      const next = printJournal({ ...this.#head, run: this.#run, entries: Object.fromEntries(entries) });
      const isSaved = await answered(() => this.#journal.save(next, this.#text));
      const text = isSaved ? next : await answered(() => this.#journal.load());
      // A save that failed may have been carried out all the same.
      if (text === next) {
        this.#text = text;
        this.#entries = entries;
        return;
      }
      const isSame = text === this.#text;
      tries += isSame ? 10 : 1;
      if (tries >= MOST_SAVES) throw isRefusing(isSame);
      // Other work of the process goes on meanwhile.
      if (isSame) await this.#opening.timer.wait(2 ** (tries / 10), undefined);
      this.#merge(text, [...changes.keys()], isEnding);
    }
  }

  #cleaned(entry: Entry): Entry {
    const { target, made, sent } = entry;
    return { ...entry, ...this.#clean({ target, made, sent }) };
  }

  /** Takes over what others have written, unless it concerns these keys or takes back what this run knows. */
  #merge(text: string | null, keys: readonly string[], isEnding: boolean): void {
    const theirs = this.#read(text);
    if (this.#isOlder(theirs)) throw this.#isLost();
    for (const key of keys) {
      const [known, found] = [this.#entries.get(key), theirs.get(key)];
      // Another run may have looked up what we have sent: we know better.
      const isOurs = isEnding && known?.begun_at !== undefined && found?.begun_at === known.begun_at;
      if (!isOurs && JSON.stringify(found) !== JSON.stringify(known)) throw isLocked();
    }
    this.#text = text;
    this.#entries = theirs;
  }

  /** Whether something is missing that was noted for good, or stands there as it was before. */
  #isOlder(theirs: Entries): boolean {
    const { isHeld } = this.#opening;
    return [...this.#entries].some(([key, entry]) => {
      const found = theirs.get(key);
      // Another run may have finished a deletion, and forgotten it.
      if (!isHeld && (outcomeOf(entry) === 'not_applied' || entry.sent?.change === 'delete')) return false;
      return found === undefined || (found.saves ?? 0) < (entry.saves ?? 0);
    });
  }

  #read(text: string | null): Entries {
    if (!text) return new Map();
    const { entries, ...known } = parseJournal(text);
    refuseOther(known, this.#head);
    return new Map(Object.entries(entries));
  }

  #isLost(): PlanError {
    const done = this.#endings.length > 0 ? ` This run has noted: ${this.#endings.join('; ')}.` : '';
    const message = `The journal vanished, or was replaced by an older one, while the run went on.${done}`;
    const hint = 'Restore the journal. Do not run the plan before: it would repeat what happened.';
    return new PlanError('journal_lost', message, hint);
  }
}

/** Works while the journal keeps other runs away, if it can. */
export async function underLock<Value>(journal: PlanJournal, work: (held: boolean) => Promise<Value>): Promise<Value> {
  const lock: { release?: (() => Promise<void>) | undefined; isOver?: boolean } = {};
  const take = async () => {
    lock.release = await journal.hold?.();
    // Nobody waits for it any more.
    if (lock.isOver) await lock.release?.();
  };
  try {
    await answered(take, HELD);
    return await work(lock.release !== undefined);
  } finally {
    lock.isOver = true;
    // What happened is in the journal. A lock that stays is that of a process that ends.
    if (lock.release) await answered(lock.release).catch(() => {});
  }
}

/** @throws a `PlanError` if a journal fails, or does not respond: it would hold the run for ever. */
export async function answered<Value>(work: () => Promise<Value>, hint = RERUN): Promise<Value> {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error('It did not respond within 30 seconds.')), RETRY_FOR);
  });
  try {
    return await Promise.race([work(), silence]);
  } catch (error) {
    if (isMultilocalError(error)) throw error;
    const { message = error } = Object(error);
    throw new PlanError('journal_unusable', `The journal failed. ${message}`, hint, 'not_applied', error);
  } finally {
    clearTimeout(timeout);
  }
}

const RERUN = 'Repair the journal, then run the plan again.';
const HELD = 'Wait until the other run has ended, or repair the journal. Then run the plan again.';

function isLocked(): PlanError {
  const hint = 'Wait until the other run has ended, then run the plan again.';
  return new PlanError('journal_locked', 'Another run has written the entry of this action.', hint);
}

function isRefusing(isSame: boolean): PlanError {
  const load = isSame ? '`load` shows no change' : '`load` shows another text each time';
  const message = `The journal refuses to be written: \`save\` says that another run has written it, and ${load}.`;
  const hint = 'Correct `save`: it must resolve to true once it has stored the text.';
  return new PlanError('journal_unusable', message, hint);
}

function sentenceOf(key: string, entry: Entry): string {
  return `${clip(`${entry.operation} ${key}`)}: ${outcomeOf(entry)}${inBrackets(entry.made?.ids)}`;
}

/** The error of an ending that no journal knows: the message is the only place that has it. */
function notNoted(error: unknown, key: string, entry: Entry): PlanError {
  const { message: why = error } = Object(error);
  const { code, hint } = permanent(error) ?? REPAIR;
  return new PlanError(code, `The journal cannot note ${sentenceOf(key, entry)}. ${why}`, hint, outcomeIn(entry));
}

/** The error of a journal that cannot work a moment later. */
function permanent(error: unknown): PlanError | undefined {
  return error instanceof PlanError && error.code !== 'journal_unusable' ? error : undefined;
}

const REPAIR = {
  code: 'journal_unusable',
  hint: 'Repair the journal, and note there what happened before you run the plan again: `npx multilocal journal settle`.',
} as const;

function headOf({ address, identity: { sphere, bulle } }: Owner): Head {
  return { version: 2, service: address, sphere_id: sphere.id, bulle_id: bulle?.id ?? null };
}

/** An empty journal knows nothing, so no hint may lead to one. */
const NO_COPY = 'With an empty journal, everything would happen again.';

const DIFFERENCES = [
  ['service', 'another service', 'Otherwise, use the address of the first run.'],
  ['sphere_id', 'another brand', 'Use the key of the first run.'],
  ['bulle_id', 'a key with another scope', 'Use a key with the scope of the first run.'],
] as const;

function refuseOther(known: Head, head: Head): void {
  const other = DIFFERENCES.find(([name]) => known[name] !== head[name]);
  if (!other) return;
  const [name, what, todo] = other;
  const moved = `If the same service has a new address, set \`service\` in the journal to ${head.service}. `;
  throw new PlanError(
    'journal_of_another_brand',
    `The journal belongs to ${what}: \`${name}\` is ${clip(String(known[name]))} there, and ${head[name]} for this key.`,
    `${name === 'service' ? moved : ''}${todo} ${NO_COPY}`,
  );
}
