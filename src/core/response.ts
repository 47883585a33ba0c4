import { looksLikePreview } from './body.js';
import type { Call, Received } from './call.js';
import { errorFromResponse } from './errors/failure.js';
import { DryRunNotHonoredError, InvalidResponseError } from './errors/index.js';
import { issuesOf, printIssues } from './issues.js';

/**
 * Checks the response of a call and gives its body as it came: nothing is copied, reordered or left out.
 * @throws {DryRunNotHonoredError} if a preview was asked for and the body does not show one.
 * @throws {InvalidResponseError} if the body is not JSON or does not have the expected shape.
 */
export function readResponse(call: Call): unknown {
  const { endpoint, request, validation, redactor } = call;
  const { response, json, isTooLarge } = call.received as Received;
  const { status } = response;
  if (!response.ok) {
    if (call.isAlreadyDeleted(status)) return undefined;
    // ky lets an opaque response pass, whose status nobody can see.
    throw errorFromResponse(call, call.received as Received);
  }
  if (json && request.dryRun) {
    if (looksLikePreview(json.value)) return json.value;
    throw call.error(DryRunNotHonoredError, 'the response shows no preview', { body: call.shownBody() });
  }
  const found = json
    ? endpoint.response && validation !== 'off' && issuesOf(endpoint.response, json.value)
    : [{ path: [], message: isTooLarge ? 'expected a smaller body' : 'expected JSON; check baseUrl' }];
  const issues = found && redactor.issues(found);
  if (json && issues && validation === 'warn') call.emit({ type: 'drift', issues });
  if (json && (!issues || validation === 'warn')) return json.value;
  const what = `unexpected response (${status}): ${redactor.beginning(printIssues(issues || []))}`;
  throw call.error(InvalidResponseError, what, { issues: issues || [], body: call.shownBody(), status });
}
