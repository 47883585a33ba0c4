import { Deadline, until } from './abort.js';
import { readText } from './answer.js';

/** No answer of this service comes near; one that does not end must not fill the memory. */
const LARGEST_BODY = 64 * 1024 * 1024;
const LARGEST_ERROR_BODY = 1024 * 1024;

/** What came back from one attempt. */
export interface Attempt {
  /** Absent where the connection failed before the headers came. */
  response?: Response | undefined;
  /** The body; absent where it did not come whole. */
  text?: string;
  /** The body was longer than any answer is; `text` is its beginning. */
  truncated?: boolean;
  /** Why there is no answer, or no whole one. */
  thrown?: unknown;
  /** It was the time. */
  expired?: boolean;
}

/**
 * Send one request and read the answer, within `timeout` ms: redirects are not followed, every status is an answer.
 * Rejects only when `signal` aborts, with its reason. `onAnswer` is called once the headers are there, or never will be.
 */
export async function attempt(
  send: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  timeout: number,
  onAnswer?: () => void,
): Promise<Attempt> {
  const deadline = new Deadline(signal, timeout);
  let response: Response | undefined;
  try {
    const sending = send(deadline.signal);
    // An answer that comes after the caller has left is not read.
    sending.then((late) => (deadline.signal.aborted ? late.body?.cancel() : undefined)).catch(() => {});
    response = await until(sending, deadline.signal).finally(() => onAnswer?.());
    // A network error in the shape of an answer, or what a custom `fetch` gave in place of one.
    if (response.type === 'error' || typeof response.headers?.get !== 'function') return {};
    const limit = response.ok ? LARGEST_BODY : LARGEST_ERROR_BODY;
    return { response, ...(await readText(response, limit, deadline.signal)) };
  } catch (thrown) {
    signal.throwIfAborted();
    // The status of a refusal says enough without its body.
    if (response && !response.ok) return { response, text: '' };
    return { response, thrown, expired: deadline.expired };
  } finally {
    deadline.dispose();
  }
}
