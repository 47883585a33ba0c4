import { onAbort } from './abort.js';

/** What was read of a body. */
export interface BodyText {
  text: string;
  /** The body was longer than the limit; `text` is its beginning. */
  truncated?: boolean;
}

/** Reads a body as text up to a number of bytes, and lets go of it when the signal aborts. */
export async function readText(response: Response, limit: number, signal: AbortSignal): Promise<BodyText> {
  const reader = response.body?.getReader();
  // Some runtimes (React Native) have bodies without streams.
  if (!reader) return { text: await response.text() };
  const stop = () => void reader.cancel().catch(() => {});
  const detach = onAbort(signal, stop);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let left = limit; left >= 0; ) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode() };
      left -= value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    return { text, truncated: true };
  } finally {
    detach();
    stop();
  }
}

/** `undefined` if the text is not JSON; an empty text is the value `undefined`. */
export function parseJson(text: string): { value: unknown } | undefined {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** To parse and check one takes a microsecond or two. No response of this service has nearly as many. */
const MOST_PARTS = 500_000;
const [OBJECT, ARRAY, COLON] = ['{', '[', ':'].map((character) => character.charCodeAt(0));

/**
 * Whether a text has so many objects, arrays and names that `JSON.parse` would block the event loop for seconds. A colon
 * ends a name if a quote or white space stands before it, which leaves the colons of timestamps and addresses out.
 */
export function hasTooManyParts(text: string): boolean {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= MOST_PARTS; at++) {
    const code = text.charCodeAt(at);
    if (code === OBJECT || code === ARRAY || (code === COLON && /[\s"]/.test(text.charAt(at - 1)))) parts++;
  }
  return parts > MOST_PARTS;
}

/**
 * Whether a body that is not JSON is the beginning of one. undici takes a chunked body that was cut for a whole one where
 * the service had said `Connection: close`.
 */
export function isCutShort({ headers }: Response, text: string): boolean {
  return /chunked/i.test(headers.get('transfer-encoding') ?? '') && /^\s*[[{]/.test(text);
}

/** A preview says that it is one. */
export function looksLikePreview(body: unknown): boolean {
  return Object.entries(Object(body)).some(
    ([key, value]) => key.startsWith('would_') || (key === 'dry_run' && value === true),
  );
}
