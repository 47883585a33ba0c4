import { looksLikePreview } from './body.js';
import type { Call, Received } from './call.js';
import { errorFromResponse } from './errors/failure.js';
import { DryRunNotHonoredError, InvalidResponseError } from './errors/index.js';
import { issuesOf, printIssues } from './issues.js';

/**
 * Checks the response of a call and returns its body unchanged: nothing is copied, reordered or left out.
 * @throws {DryRunNotHonoredError} if a preview was requested and the body does not show one.
 * @throws {InvalidResponseError} if the body is not JSON or does not match its schema.
 */
export function readResponse(call: Call): unknown {
  const { endpoint, request, validation, redactor } = call;
  const { response, json, isTooLarge } = call.received as Received;
  const { status } = response;
  if (!response.ok) {
    if (call.isAlreadyDeleted(status)) return undefined;
    // ky accepts an opaque response, because its status is hidden.
    throw errorFromResponse(call, call.received as Received);
  }
  if (json && request.dryRun) {
    if (looksLikePreview(json.value)) return json.value;
    const what = 'the response does not show a preview, so the operation may have been executed';
    throw call.error(DryRunNotHonoredError, what, { body: call.shownBody() });
  }
  const found = json
    ? endpoint.response && validation !== 'off' && issuesOf(endpoint.response, json.value)
    : [{ path: [], message: isTooLarge ? 'is too large' : 'is not JSON' }];
  const issues = found && redactor.issues(found);
  if (json && issues && validation === 'warn') call.emit({ type: 'drift', issues });
  if (json && (!issues || validation === 'warn')) return json.value;
  const fields = { issues: issues || [], body: call.shownBody(), status };
  if (json) {
    const what = 'the response does not have the expected shape';
    const differences = redactor.beginning(printIssues(fields.issues, 'The response'));
    throw call.error(InvalidResponseError, what, fields, `${differences} ${DRIFT}`);
  }
  const what = `the response is ${isTooLarge ? 'too large' : 'not JSON'}`;
  throw call.error(InvalidResponseError, what, fields, isPage(call) ? PAGE : '');
}

const DRIFT =
  "Set `validation: 'warn'` to accept such responses, and report the difference, so that the client can learn the new shape.";
const PAGE = 'It looks like a web page: `baseUrl` may be the address of a website.';

function isPage({ received }: Call): boolean {
  return /^\s*<(!doctype|html)/i.test(received?.text ?? '');
}
