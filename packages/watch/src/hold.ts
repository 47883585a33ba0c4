import type { WatchCursor } from '@multilocal/stores/cursor/port';
import { sleep } from 'multilocal/internal/abort';
import { ConfigurationError } from 'multilocal/internal/errors';
import { HeldReservation } from 'multilocal/internal/lease';
import { emptyState, parseState, type State } from './state.js';

/** Another watcher has the cursor now. */
export class Overtaken extends Error {}

/** Ms between two questions for the lease. */
const POLL = 1_000;
/** A watcher without a lease shows that it is there. */
const BEAT = 20_000;
/** One that has not done so for this long is gone. */
const SILENCE = 60_000;

/** A cursor that this watcher has alone, and its content. */
export class Hold {
  readonly state: State;
  readonly #cursor: WatchCursor;
  readonly #lease: HeldReservation | undefined;
  readonly #signal: AbortSignal;
  #text: string | null;
  #saving: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setInterval> | undefined;
  #failure: unknown;

  private constructor(
    cursor: WatchCursor,
    lease: HeldReservation | undefined,
    text: string | null,
    signal: AbortSignal,
  ) {
    this.#cursor = cursor;
    this.#lease = lease;
    this.#signal = signal;
    this.#text = text;
    this.state = text === null ? emptyState(Date.now()) : parseState(text);
  }

  /** Waits until no other watcher has the cursor. */
  static async take(cursor: WatchCursor, signal: AbortSignal): Promise<Hold> {
    signal.throwIfAborted();
    if (!cursor.lease) return Hold.#takeByBeats(cursor, signal);
    let reservation = await cursor.lease();
    for (; !reservation; reservation = await cursor.lease()) await sleep(POLL, signal);
    const lease = new HeldReservation(reservation, 'watch');
    try {
      return new Hold(cursor, lease, await cursor.load(), signal);
    } catch (error) {
      await lease.end();
      throw error;
    }
  }

  static async #takeByBeats(cursor: WatchCursor, signal: AbortSignal): Promise<Hold> {
    let seen = '';
    let since = performance.now();
    for (;;) {
      const hold = new Hold(cursor, undefined, await cursor.load(), signal);
      const other = JSON.stringify(hold.state.holder ?? null);
      if (other !== seen) since = performance.now();
      seen = other;
      if (other !== 'null' && performance.now() - since < SILENCE) {
        await sleep(POLL, signal);
        continue;
      }
      try {
        hold.state.holder = [crypto.randomUUID(), 0];
        await hold.save();
        hold.#timer = setInterval(() => void hold.#beat(), BEAT);
        return hold;
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    }
  }

  /** Writes the state, if no other watcher has written. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#write());
    this.#saving = saved.catch(() => {});
    return saved;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    if (this.state.holder && this.#failure === undefined) {
      this.state.holder = undefined;
      await this.save().catch(() => {});
    }
    await this.#lease?.end();
  }

  async #write(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await this.#lease?.check(this.#signal).catch((error) => {
        throw this.#signal.aborted ? error : new Overtaken();
      });
      const next = JSON.stringify(this.state);
      if (next === this.#text) return;
      if (!(await this.#cursor.save(next, this.#text))) {
        const stored = await this.#cursor.load();
        // The response of a save may be lost.
        if (stored !== next) throw stored === this.#text ? refused() : new Overtaken();
      }
      this.#text = next;
    } catch (error) {
      // What was not written must not leave: the caller would see it, and again after a restart.
      if (error instanceof Overtaken) this.#failure = error;
      throw error;
    }
  }

  async #beat(): Promise<void> {
    const { holder } = this.state;
    if (holder) holder[1]++;
    await this.save().catch(() => {});
  }
}

function refused(): ConfigurationError {
  return new ConfigurationError('watch: `save` of the cursor refuses a text although `load` shows no change.');
}
