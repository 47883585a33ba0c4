import type { Client } from 'multilocal';
import { emit } from 'multilocal/internal/events';
import { inside } from 'multilocal/internal/inspect';
import type { CallOptions } from 'multilocal/internal/options';
import type { Action } from './actions.js';
import { realTimer, ServiceClock, type Timer } from './clock.js';
import type { Owner } from './ledger.js';
import type { Locale } from './words.js';

/** What a rehearsal or a run is doing. */
export interface PlanProgress {
  /** Number of the action, from 0. */
  readonly index: number;
  /** The operation of the action. */
  readonly operation: string;
  /**
   * - `previewing`: its preview is on its way.
   * - `looking`: an earlier run lost its outcome, and this run looks for its result.
   * - `sending`: its request is on its way.
   * - `waiting`: it waits for the limits of the key, or for another attempt.
   */
  readonly state: 'previewing' | 'looking' | 'sending' | 'waiting';
  /** Milliseconds until the action goes on, if that is known. */
  readonly delay?: number | undefined;
}

/** Options that a rehearsal and a run share. */
export interface PlanOptions {
  /** Ends the work. A request that may change something is finished first, and a wait ends at once. */
  readonly signal?: AbortSignal | undefined;
  /** Called for what is being done with each action. Errors that it throws are ignored. */
  readonly onProgress?: ((progress: PlanProgress) => unknown) | undefined;
  /** @internal Another time for tests. */
  readonly timer?: Timer | undefined;
}

/** What the parts of a rehearsal or a run share. */
export class Context {
  readonly timer: Timer;
  readonly signal: AbortSignal | undefined;
  /** Requests sent so far, without `GET /health`, which counts toward no limit of a key. */
  requests = 0;
  /** The options of calls, which count their requests. */
  readonly counted: CallOptions;
  /** The same for reads that decide something: a response that was not checked could look as if nothing had happened. */
  readonly strict: CallOptions & { readonly validation: 'throw' };
  #clock: Promise<ServiceClock> | undefined;

  constructor(
    readonly client: Client,
    readonly options: PlanOptions,
    readonly locale: Locale = 'en',
  ) {
    this.timer = options.timer ?? realTimer;
    this.signal = options.signal;
    this.counted = { signal: this.signal, onAttempt: () => void this.requests++, fresh: true };
    this.strict = { ...this.counted, validation: 'throw' };
  }

  /** The clocks of the service and of this machine, which are read once. */
  clock(): Promise<ServiceClock> {
    this.#clock ??= ServiceClock.read(this.client, this.timer, { signal: this.signal, fresh: true });
    return this.#clock;
  }

  /** Whose journal it is. Asks for the identity only if it is unknown. */
  async owner(): Promise<Owner> {
    const { address, clean } = inside(this.client);
    const identity = this.client.identity ?? (await this.client.me({ ...this.counted, lenient: true } as CallOptions));
    return { address, clean, identity };
  }

  emit({ index, operation }: Pick<Action, 'index' | 'operation'>, state: PlanProgress['state'], delay?: number): void {
    emit(this.options.onProgress, { index, operation, state, delay });
  }
}
