import { Deadline, until } from './abort.js';
import { readText } from './answer.js';
import type { Transport, TransportRequest } from './transport.js';

/** No answer of this service comes near; one that does not end must not fill the memory. */
const LARGEST_BODY = 64 * 1024 * 1024;
const LARGEST_ERROR_BODY = 1024 * 1024;

/** What came back from one attempt. */
export type Attempt =
  | { kind: 'answer'; response: Response; text: string; truncated: boolean }
  | { kind: 'timeout' }
  /** The connection failed; `answered` when it broke after the headers of the answer. */
  | { kind: 'broken'; thrown: unknown; answered: boolean };

/**
 * Send one request and read the answer, within `timeout` ms.
 * Rejects only when `signal` aborts, with its reason. `onAnswer` is called once the headers are there, or never will be.
 */
export async function attempt(
  transport: Transport,
  request: Omit<TransportRequest, 'signal'>,
  { signal, timeout, onAnswer }: { signal: AbortSignal; timeout: number; onAnswer: () => void },
): Promise<Attempt> {
  const deadline = new Deadline(signal, timeout);
  let response: Response | undefined;
  try {
    const sending = send(transport, { ...request, signal: deadline.signal });
    // An answer that comes after the caller has left is not read.
    sending.then((late) => (deadline.signal.aborted ? late.body?.cancel() : undefined)).catch(() => {});
    response = await until(sending, deadline.signal).finally(onAnswer);
    // A network error in the shape of an answer, or what a custom `fetch` gave in place of one.
    if (response.type === 'error' || typeof response.headers?.get !== 'function') {
      response = undefined;
      return { kind: 'broken', thrown: undefined, answered: false };
    }
    const limit = response.ok ? LARGEST_BODY : LARGEST_ERROR_BODY;
    return { kind: 'answer', response, ...(await readText(response, limit, deadline.signal)) };
  } catch (thrown) {
    signal.throwIfAborted();
    // The status of a refusal says enough without its body.
    if (response && !response.ok) return { kind: 'answer', response, text: '', truncated: true };
    if (deadline.expired) return { kind: 'timeout' };
    return { kind: 'broken', thrown, answered: response !== undefined };
  } finally {
    deadline.dispose();
  }
}

/** What a custom `fetch` throws before it returns a promise is a failure like any other. */
async function send(transport: Transport, request: TransportRequest): Promise<Response> {
  return transport(request);
}
