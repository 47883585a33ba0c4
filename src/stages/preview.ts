import type { Call, Stages } from '../core/call.js';
import type { Params } from '../core/endpoint.js';
import { DryRunNotHonoredError } from '../core/errors/index.js';
import { callError, shownBody } from '../core/failure.js';
import { invalid, type OwnParams, type Preview } from '../core/request.js';
import { mustBe } from '../core/schema.js';
import { looksLikePreview } from '../core/types.js';

/** The stage of a call for operations that preview. */
export class DryRun implements NonNullable<Stages['dryRun']> {
  /** The operations whose previews the service has shown to this client. */
  readonly #honored = new Set<string>();

  /** Removes `dry_run` from the parameters, or takes it from `extra`, and returns it. */
  take(params: OwnParams, extra: Params = {}): Preview {
    const { dry_run = extra.dry_run } = params;
    delete params.dry_run;
    if (dry_run === undefined) return {};
    if (typeof dry_run !== 'boolean') throw invalid([{ path: ['dry_run'], message: mustBe('a boolean', dry_run) }]);
    return { dry_run };
  }

  /** Whether the call is a preview that changes nothing for certain. Until then, it may be executed. */
  isHonored({ request, endpoint }: Call): boolean {
    return request.dryRun && this.#honored.has(endpoint.operation);
  }

  /** @throws {DryRunNotHonoredError} if the body of the response does not show a preview. */
  checkPreview(call: Call, body: unknown): void {
    const { operation } = call.endpoint;
    if (!looksLikePreview(body)) {
      this.#honored.delete(operation);
      const what = 'the response does not show a preview, so the operation may have been executed';
      throw callError(call, DryRunNotHonoredError, what, { body: shownBody(call) });
    }
    this.#honored.add(operation);
    call.outcome = 'not_applied';
  }
}
