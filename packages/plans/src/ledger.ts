import type { Identity } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { clip } from 'multilocal/internal/text';
import type { PlanJournal } from 'multilocal/node';
import type { Action } from './actions.js';
import { maskId } from './encoded.js';
import { type Entry, type JournalContent, LASTING, parseJournal, printJournal } from './journal-content.js';

/** The service and the brand of a plan. The journal of another service or brand is refused. */
export interface Owner {
  /** Address of the service. */
  readonly address: string;
  /** The response of GET /me. */
  readonly identity: Identity;
  /** Removes the key: the journal may be committed with the plan. */
  readonly clean: <Value>(value: Value) => Value;
}

/** The fields of an entry that a run writes when an action has ended. */
export type Ending = Pick<Entry, 'outcome' | 'ids' | 'error' | 'status' | 'service_end'>;

type Head = Omit<JournalContent, 'entries'>;

/**
 * What a journal says about the actions of a plan. Each change is in the journal before the next request is sent, so a run
 * that was killed at any instant can be continued.
 */
export class Ledger {
  readonly #journal: PlanJournal;
  /** The text of the journal, as this run knows it. */
  #text: string | null;
  readonly #head: Head;
  readonly #entries: Map<Action, Entry>;
  readonly #clean: Owner['clean'];
  /** Whether the journal could not note how an action ended. */
  hasLostEnding = false;

  private constructor(
    journal: PlanJournal,
    text: string | null,
    head: Head,
    entries: Map<Action, Entry>,
    owner: Owner,
  ) {
    this.#journal = journal;
    this.#text = text;
    this.#head = head;
    this.#entries = entries;
    this.#clean = owner.clean;
  }

  /**
   * Reads the journal of a plan.
   * @throws a {@link PlanError} if the journal is damaged or belongs to another brand, or if the plan lacks an action that
   * was carried out.
   */
  static async open(journal: PlanJournal, actions: readonly Action[], owner: Owner): Promise<Ledger> {
    const text = await journal.load();
    const head = headOf(owner);
    if (!text) return new Ledger(journal, text, head, new Map(), owner);
    const { entries, ...known } = parseJournal(text);
    refuseOther(known, head);
    return new Ledger(journal, text, head, match(actions, entries), owner);
  }

  /** Returns what is known of an action. `undefined` if it was never started. */
  entryOf(action: Action): Entry | undefined {
    return this.#entries.get(action);
  }

  /** The ids of the objects that an operation has created so far. */
  idsOf(operation: string): ReadonlySet<string> {
    const own = [...this.#entries.values()].filter((entry) => entry.operation === operation);
    return new Set(own.flatMap(({ ids }) => ids ?? []).map(String));
  }

  /** The other actions of the same operation that were started since then and may have happened. */
  othersOf(action: Action, since: Date): Action[] {
    return [...this.#entries]
      .filter(([other, entry]) => other !== action && entry.operation === action.operation)
      .filter(([, entry]) => LASTING.includes(entry.outcome) && Date.parse(entry.service_time) >= since.getTime())
      .map(([other]) => other);
  }

  /** Notes that the request of an action is about to be sent. `at` is the time of the service. */
  async start(action: Action, at: Date): Promise<void> {
    const { operation, hash, target } = action;
    const started = { started_at: new Date().toISOString(), service_time: at.toISOString() };
    await this.#write(action, { operation, hash, target, outcome: 'started', ...started }, 'not_applied');
  }

  /** Notes how an action that was started has ended. */
  async end(action: Action, ending: Ending): Promise<void> {
    const { ids: _, error: __, status: ___, service_end: ____, ...entry } = this.#entries.get(action) as Entry;
    await this.#write(action, { ...entry, ...ending, ended_at: new Date().toISOString() }, 'unknown');
  }

  /** Takes {@link start} back: the entry is again what it was before. */
  async restore(action: Action, before: Entry | undefined): Promise<void> {
    await this.#write(action, before, 'not_applied');
  }

  /** @throws a {@link PlanError} if another run has written the journal: it still goes on. */
  async refuseChanged(): Promise<void> {
    if ((await this.#journal.load()) !== this.#text) throw isLocked('not_applied');
  }

  /** `outcome` is that of the last write if the journal cannot be written. */
  async #write(action: Action, entry: Entry | undefined, outcome: 'not_applied' | 'unknown'): Promise<void> {
    if (entry) {
      const { target, ids, ...own } = entry;
      const shown = ids?.map((id) => maskId(id, this.#clean));
      this.#entries.set(action, { ...own, ...this.#clean({ target }), ids: shown });
    } else this.#entries.delete(action);
    const entries = Object.fromEntries([...this.#entries].map(([{ key }, each]) => [key, each]));
    const next = printJournal({ ...this.#head, entries });
    const isSaved = await this.#journal.save(next, this.#text).catch((error) => {
      this.hasLostEnding ||= outcome === 'unknown';
      if (error instanceof PlanError) throw new PlanError(error.code, error.message, error.hint, outcome);
      throw error;
    });
    if (!isSaved) throw isLocked(outcome);
    this.#text = next;
  }
}

function isLocked(outcome: 'not_applied' | 'unknown'): PlanError {
  const hint = 'Wait until the other run has ended, then run the plan again.';
  return new PlanError('journal_locked', 'Another run of this plan has written its journal.', hint, outcome);
}

function headOf({ address, identity: { sphere, bulle } }: Owner): Head {
  return { version: 1, service: address, sphere_id: sphere.id, bulle_id: bulle?.id ?? null };
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

function refuseOther(known: Head, head: Head): void {
  const other = DIFFERENCES.find(([name]) => known[name] !== head[name]);
  if (!other) return;
  const [name, what, todo] = other;
  throw new PlanError(
    'journal_of_another_brand',
    `The journal belongs to ${what}: \`${name}\` is ${clip(String(known[name]))} there, and ${head[name]} for this key.`,
    `${todo(head.service)} ${NO_COPY}`,
  );
}

/** Finds the entry of each action. */
function match(actions: readonly Action[], entries: JournalContent['entries']): Map<Action, Entry> {
  const left = new Map(Object.entries(entries));
  const found = new Map<Action, Entry>();
  for (const action of actions) {
    const entry = left.get(action.key);
    if (entry?.hash !== action.hash) continue;
    found.set(action, entry);
    left.delete(action.key);
  }
  const lost = [...left.values()].find(({ outcome }) => LASTING.includes(outcome));
  if (!lost) return found;
  const { operation, target, started_at, outcome } = lost;
  const what = clip(`${operation}${target === undefined ? '' : ` (${target})`}`);
  throw new PlanError(
    'plan_changed',
    `The plan was changed: its journal has the action ${what} of ${started_at} with the outcome \`${outcome}\`, and the plan no longer has this action.`,
    'Restore the action in the plan, or move the new actions to a new plan. You may reorder and add actions.',
  );
}
