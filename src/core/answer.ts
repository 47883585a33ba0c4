import { onAbort } from './on-abort.js';
import { orUndefined } from './or-undefined.js';

/** What was read of an answer's body. */
export interface BodyText {
  text: string;
  /** The body was longer than the limit; `text` is its beginning. */
  truncated?: boolean;
}

/** Read a body as text up to a number of bytes, and let go of it when the signal aborts. */
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

/** `undefined` where it is not JSON; nothing at all is `undefined` itself. */
export function parseJson(text: string): { value: unknown } | undefined {
  return orUndefined(() => ({ value: text.trim() ? JSON.parse(text) : undefined }));
}

/** The origin that a redirect points to, where it shows; the rest of the address might repeat what was sent. */
export function redirectOrigin({ headers }: Response, requestUrl: string): string | undefined {
  const location = headers.get('location');
  return orUndefined(() => (location ? new URL(location, requestUrl).origin : undefined));
}

/** A preview says that it is one. */
export function looksLikePreview(body: unknown): boolean {
  return Object.entries(Object(body)).some(
    ([key, value]) => key.startsWith('would_') || (key === 'dry_run' && value === true),
  );
}
