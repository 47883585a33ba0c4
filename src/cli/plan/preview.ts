import { type Client, isMultilocalError } from '../../index.js';
import { invoke } from '../operation.js';
import { inCommandWords } from '../wording.js';
import { realTimer, ServiceClock, type Timer } from './clock.js';
import type { Ending, Journal } from './journal.js';
import type { PlanAction } from './plan.js';
import { PlanError, type PlanErrorCode } from './problem.js';
import { isUnresolved } from './resume.js';
import { idsOf, outcomeOf } from './run.js';
import type { Wire } from './wire.js';

/** Options of previews. */
export interface PreviewOptions {
  /** The journal of earlier runs. It notes a preview that the service has executed, or may have. */
  readonly journal?: Journal | undefined;
  /** Ends the rehearsal. A preview that may be executed is finished first. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the events of the client. Without it, the signal does not end a wait of such a preview. */
  readonly wire?: Wire | undefined;
  /** @internal Another time for tests. */
  readonly timer?: Timer | undefined;
}

/** A preview, and where and when it is noted. */
interface Noting {
  readonly action: PlanAction;
  readonly journal: Journal;
  readonly clock: ServiceClock;
  readonly at: Date;
}

/**
 * Sends previews. Until the service has shown for an operation that it honours `dry_run`, the preview may be the action. So
 * it is in the journal while it is on its way, also in a rehearsal without a run: no later run may repeat what a killed
 * rehearsal has done.
 */
export class Previewer {
  readonly #client: Client;
  readonly #options: PreviewOptions;
  /** The operations whose previews the service has shown. */
  readonly #proven = new Set<string>();
  #clock: ServiceClock | undefined;

  constructor(client: Client, options: PreviewOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Returns the body of the preview of an action. Throws the error of the client, and leaves a trace of what may have happened. */
  async send(action: PlanAction): Promise<unknown> {
    const { journal, signal, timer = realTimer } = this.#options;
    const { endpoint, operation, params } = action;
    const send = (stop: AbortSignal | undefined) => invoke(this.#client.dryRun, endpoint, params, { signal: stop });
    if (!journal) return send(signal);
    this.#clock ??= await ServiceClock.read(this.#client, timer, { signal });
    const noting = { action, journal, clock: this.#clock, at: new Date(this.#clock.now().earliest) };
    if (!this.#proven.has(operation)) return this.#sendNoted(noting, send);
    return send(signal).catch((error) => this.#fail(error, noting));
  }

  async #sendNoted(noting: Noting, send: (stop?: AbortSignal) => Promise<unknown>): Promise<unknown> {
    const { signal, wire } = this.#options;
    const { action, journal, at } = noting;
    const held = await journal.hold().catch(ignoringUnusable);
    try {
      const before = held?.entryOf(action);
      if (before?.outcome === 'applied' || isUnresolved(action, before)) throw goesOn();
      await held?.start(action, at);
      const body = await (wire ? wire.carry(signal, send) : send()).catch(async (error) => {
        if (this.#isHarmless(error)) await held?.restore(action, before);
        return this.#fail(error, { ...noting, journal: held ?? journal });
      });
      this.#proven.add(action.operation);
      await held?.restore(action, before);
      return body;
    } finally {
      if (held !== journal) await held?.close();
    }
  }

  /** Whether the failed preview has certainly executed nothing. */
  #isHarmless(error: unknown): boolean {
    const { signal, wire } = this.#options;
    if (isMultilocalError(error)) return error.outcome === 'not_applied';
    return signal?.aborted === true && error === signal.reason && wire?.isInDoubt === false;
  }

  /** Notes what a failed preview has executed, or may have. */
  async #fail(error: unknown, noting: Noting): Promise<never> {
    // Everything else that is not harmless stays in the journal as an action that was started.
    if (!isMultilocalError(error) || this.#isHarmless(error)) throw error;
    const outcome = outcomeOf(error, noting.action, false);
    const { endpoint, params } = noting.action;
    const ids = outcome === 'applied' ? idsOf(Reflect.get(error, 'body'), endpoint.confidential?.(params)) : undefined;
    const end = () => new Date(noting.clock.now().latest).toISOString();
    const ending: Ending = ids ? { outcome, ids } : { outcome, error: error.code, service_end: end() };
    await note(noting, ending).catch((failure) => {
      const { code, message }: { code: PlanErrorCode; message: string } = failure;
      const hint =
        'Look in the service, then remove the action from the plan: the journal does not know what happened to it.';
      const what = `${inCommandWords(error.message)} The journal cannot note it: ${message}`;
      throw new PlanError(code, what, hint, [], error.outcome);
    });
    throw error;
  }
}

async function note({ action, journal, at }: Noting, ending: Ending): Promise<void> {
  const held = await journal.hold();
  try {
    await held.start(action, at);
    await held.end(action, ending);
  } finally {
    if (held !== journal) await held.close();
  }
}

/** No run can follow where no journal can be written, so a rehearsal there needs none. */
function ignoringUnusable(error: unknown): undefined {
  if (!(error instanceof PlanError) || error.code !== 'journal_unusable') throw error;
  return undefined;
}

function goesOn(): PlanError {
  const message = 'Another run of this plan has gone on during the rehearsal.';
  return new PlanError('journal_locked', message, 'Rehearse the plan again.');
}
