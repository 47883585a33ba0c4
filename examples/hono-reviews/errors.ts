import { HTTPException } from 'hono/http-exception';
import { ApiError, FicheOutOfScopeError, isMultilocalError, RateLimitError } from 'multilocal';
import { Refused } from './replies.js';

/** The response to a failed request. If the request is not the cause, the reason stays in the log. */
export function answerOf(error: unknown): Response {
  if (error instanceof HTTPException) return error.getResponse();
  if (error instanceof Refused)
    return Response.json({ code: 'refused', detail: error.message }, { status: error.status });
  if (!isMultilocalError(error)) {
    console.error(error);
    return Response.json({ code: 'internal' }, { status: 500 });
  }

  const { code, outcome } = error;
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfter ?? 60_000) / 1000);
    return Response.json({ code, outcome }, { status: 503, headers: { 'Retry-After': String(seconds) } });
  }
  if (error instanceof ApiError && isAboutRequest(error)) {
    return Response.json({ code, outcome, detail: error.detail }, { status: error.status });
  }
  console.error(error);
  return Response.json({ code, outcome }, { status: 502 });
}

/** Whether the caller can fix the cause: the review, the listing or the text. */
function isAboutRequest(error: ApiError): boolean {
  return [400, 404, 409, 410, 422].includes(error.status) || error instanceof FicheOutOfScopeError;
}
