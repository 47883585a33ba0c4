import type { Call, Stages } from '../core/call.js';
import { DryRunNotHonoredError } from '../core/errors/index.js';
import { callError, shownBody } from '../core/failure.js';
import { type Extras, invalid, type OwnParams, type Preview } from '../core/request.js';
import { mustBe } from '../core/schema.js';
import { looksLikePreview } from '../core/types.js';

/** The stage of a call for operations that preview. */
export class DryRun implements NonNullable<Stages['dryRun']> {
  /** The operations whose previews the service has shown to this client. */
  readonly #honored = new Set<string>();

  /**
   * Removes `dry_run` from the parameters, and returns it.
   * @throws {InvalidRequestError} if the call or its view names two values: neither may execute what the other previews.
   */
  take(params: OwnParams, { call, view }: Extras): Preview {
    const given = [params, call, view].map((source) => source?.dry_run).filter((value) => value !== undefined);
    delete params.dry_run;
    const wrong = given.find((value) => typeof value !== 'boolean');
    if (wrong !== undefined) throw invalid([{ path: ['dry_run'], message: mustBe('a boolean', wrong) }]);
    if (new Set(given).size > 1) {
      throw invalid([{ path: ['dry_run'], message: 'is both `true` and `false` among the parameters and `extra`' }]);
    }
    return given.length > 0 ? { dry_run: given[0] as boolean } : {};
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
