import type { WatchCursor } from '@multilocal/stores/cursor/port';
import type { Reservation } from 'multilocal';
import { sleep, until } from 'multilocal/internal/abort';
import { ConfigurationError } from 'multilocal/internal/errors';
import { emptyState, parseState, type State } from './state.js';

/** Another watcher has the cursor now. */
export class Overtaken extends Error {}

/** Ms between two attempts to get the cursor. */
const POLL = 1_000;
/** A watcher renews its lease, or shows in the cursor that it is there. */
const BEAT = 10_000;
/** One that has not shown it for this long is gone, and a watch that ends waits no longer for a store. */
const SILENCE = 60_000;
/** An aborted watch waits no longer than this. */
const FAREWELL = 1_000;

/** A cursor that this watcher has alone, and its content. No other one can write in between: each save compares. */
export class Hold {
  readonly state: State;
  readonly #cursor: WatchCursor;
  readonly #lease: Reservation | undefined;
  readonly #signal: AbortSignal;
  readonly #timer = setInterval(() => void this.#beat().catch(() => {}), BEAT);
  #text: string | null;
  #saving: Promise<void> = Promise.resolve();
  #failure: Overtaken | undefined;

  private constructor(cursor: WatchCursor, lease: Reservation | undefined, text: string | null, signal: AbortSignal) {
    this.state = text === null ? emptyState(Date.now()) : parseState(text);
    this.#cursor = cursor;
    this.#lease = lease;
    this.#signal = signal;
    this.#text = text;
    // A loop that nobody ends must not keep the process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  /** Waits until no other watcher has the cursor. */
  static async take(cursor: WatchCursor, signal: AbortSignal): Promise<Hold> {
    let [sign, since] = ['', performance.now()];
    for (; ; await sleep(POLL, signal)) {
      signal.throwIfAborted();
      const asked = Promise.resolve(cursor.lease?.());
      const lease = await until(asked, signal).catch((error) => {
        void asked.then((late) => late?.()).catch(() => {});
        throw error;
      });
      if (lease === null) continue;
      let hold: Hold | undefined;
      try {
        const text = await until(cursor.load(), signal);
        const { holder } = text === null ? {} : parseState(text);
        if (`${holder}` !== sign) [sign, since] = [`${holder}`, performance.now()];
        if (!lease && holder && performance.now() - since < SILENCE) continue;
        hold = new Hold(cursor, lease, text, signal);
        hold.state.holder = lease ? undefined : [crypto.randomUUID(), 0];
        await hold.save();
        return hold;
      } catch (error) {
        await (hold ? hold.end() : lease?.());
        if (!(error instanceof Overtaken)) throw error;
      }
    }
  }

  /** Writes the state, if no other watcher has written. */
  save(): Promise<void> {
    return until(this.#enqueue(), this.#signal);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#signal.aborted ? FAREWELL : SILENCE);
    });
    await Promise.race([this.#release(), patience]).finally(() => clearTimeout(timer));
  }

  async #release(): Promise<void> {
    if (this.state.holder && !this.#failure) {
      this.state.holder = undefined;
      await this.#enqueue().catch(() => {});
    }
    try {
      await this.#lease?.();
    } catch {
      // It expires by itself.
    }
  }

  #enqueue(): Promise<void> {
    const saved = this.#saving.then(() => this.#write());
    this.#saving = saved.catch(() => {});
    return saved;
  }

  async #write(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const next = JSON.stringify(this.state);
    if (next === this.#text) return;
    if (!(await this.#cursor.save(next, this.#text))) {
      const stored = await this.#cursor.load();
      if (stored === this.#text) throw refused();
      // The response of a save may be lost.
      if (stored !== next) this.#failure = new Overtaken();
    }
    // What was not written must not leave: the caller would see it, and again after a restart.
    if (this.#failure) throw this.#failure;
    this.#text = next;
  }

  async #beat(): Promise<void> {
    const { holder } = this.state;
    if (holder) {
      holder[1]++;
      await this.save();
    } else if ((await this.#lease?.renew?.()) === false) this.#failure ??= new Overtaken();
  }
}

function refused(): ConfigurationError {
  return new ConfigurationError('watch: `save` of the cursor refuses a text although `load` shows no change.');
}
