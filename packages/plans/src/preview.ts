import type { MultilocalError } from 'multilocal';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import type { Action } from './actions.js';
import type { ServiceClock } from './clock.js';
import type { Context } from './context.js';
import type { Entry } from './journal-content.js';
import type { Ending, Ledger } from './ledger.js';
import { invoke } from './operation.js';
import { idsOf, outcomeOf } from './outcome.js';
import { Wire } from './wire.js';

/**
 * Sends previews. Until the service has shown for an operation that it honours `dry_run`, the preview may be the action. So
 * it is in the journal while it is on its way: no later run may repeat what a killed rehearsal has done.
 */
export class Previewer {
  readonly #context: Context;
  readonly #ledger: Ledger | undefined;
  /** The operations whose previews the service has shown. */
  readonly #proven = new Set<string>();

  constructor(context: Context, ledger: Ledger | undefined) {
    this.#context = context;
    this.#ledger = ledger;
  }

  /**
   * Returns the body of the preview of an action. Throws the error of the client, and leaves a trace of what may have
   * happened.
   */
  async send(action: Action): Promise<unknown> {
    const { asking, client } = this.#context;
    const { endpoint, operation, params } = action;
    const ledger = this.#ledger;
    const clock = ledger && (await this.#context.clock());
    const at = clock && new Date(clock.now().earliest);
    const before = ledger?.entryOf(action);
    const wire = new Wire(this.#context, action, 'previewing');
    const note = async () => {
      if (at && !this.#proven.has(operation)) await ledger?.start(action, at).catch(ignoringUnusable);
    };
    try {
      const body = await wire.carry(note, (options) => invoke(client.dryRun, endpoint, params, options));
      this.#proven.add(operation);
      await this.#takeBack(action, before);
      return body;
    } catch (error) {
      const isInterrupted = asking.signal?.aborted === true && error === asking.signal.reason && !wire.isInDoubt;
      const isOfClient = isMultilocalError(error);
      // Everything else stays in the journal as an action that was started.
      if (isInterrupted || (isOfClient && error.outcome === 'not_applied')) await this.#takeBack(action, before);
      else if (isOfClient && ledger && clock && at) await this.#settle(action, error, ledger, clock, at);
      throw error;
    }
  }

  /** Forgets that a preview was on its way, if that was noted. */
  async #takeBack(action: Action, before: Entry | undefined): Promise<void> {
    if (this.#ledger?.entryOf(action) !== before) await this.#ledger?.restore(action, before).catch(ignoringUnusable);
  }

  /** Notes what a failed preview has executed, or may have. */
  async #settle(action: Action, error: MultilocalError, ledger: Ledger, clock: ServiceClock, at: Date): Promise<void> {
    const { endpoint, params } = action;
    const outcome = outcomeOf(error, action, false);
    const body: unknown = Reflect.get(error, 'body');
    const ids = outcome === 'applied' ? idsOf(body, endpoint.confidential?.(params)) : undefined;
    const end = () => new Date(clock.now().latest).toISOString();
    const ending: Ending = ids ? { outcome, ids } : { outcome, error: error.code, service_end: end() };
    try {
      if (ledger.entryOf(action)?.outcome !== 'started') await ledger.start(action, at);
      await ledger.end(action, ending);
    } catch (failure) {
      if (!(failure instanceof PlanError)) throw failure;
      const hint =
        'Look in the service, then remove the action from the plan: the journal does not know what happened to it.';
      const what = `${error.message} The journal cannot note it: ${failure.message}`;
      throw new PlanError(failure.code, what, hint, error.outcome);
    }
  }
}

/** No run can follow where no journal can be written, so a rehearsal there needs none. */
function ignoringUnusable(error: unknown): undefined {
  if (!(error instanceof PlanError) || error.code !== 'journal_unusable') throw error;
  return undefined;
}
