import { onAbort } from './abort.js';

/** The text of a body. */
export interface BodyText {
  text: string;
  /** The body is longer than the limit, and `text` is its beginning. */
  truncated?: boolean;
}

/** Reads a body as text, up to a number of bytes. Cancels the body when the signal aborts. */
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

/** Parses JSON. Returns `undefined` if the text is not JSON. An empty text has the value `undefined`. */
export function parseJson(text: string): { value: unknown } | undefined {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Parsing and checking one part takes about two microseconds. Responses of this service have far fewer parts. */
const MOST_PARTS = 500_000;

/**
 * Whether a text has so many objects, arrays and names that `JSON.parse` would block the event loop for seconds. A
 * colon counts as the end of a name if it follows a quote or white space. So colons in timestamps and addresses do not
 * count.
 */
export function hasTooManyParts(text: string): boolean {
  // A part has at least one character.
  if (text.length <= MOST_PARTS) return false;
  const part = /[[{]|["\s]:/g;
  let parts = 0;
  while (parts <= MOST_PARTS && part.test(text)) parts++;
  return parts > MOST_PARTS;
}

/**
 * Whether a body that is not JSON is the beginning of a JSON text. If the service sends `Connection: close`, undici
 * takes an incomplete chunked body for a complete one.
 */
export function isCutShort({ headers }: Response, text: string): boolean {
  return /chunked/i.test(headers.get('transfer-encoding') ?? '') && /^\s*[[{]/.test(text);
}

/** Whether a body has the marks of a preview. */
export function looksLikePreview(body: unknown): boolean {
  return Object.entries(Object(body)).some(
    ([key, value]) => key.startsWith('would_') || (key === 'dry_run' && value === true),
  );
}
