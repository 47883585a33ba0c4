import { until } from './abort.js';

/** What was read of an answer's body. */
export interface BodyText {
  text: string;
  /** The body was longer than the limit; `text` is its beginning. */
  truncated: boolean;
}

/** Read a body as text up to a number of bytes, stopping when the signal aborts. */
export async function readText(response: Response, limit: number, signal: AbortSignal): Promise<BodyText> {
  const reader = response.body?.getReader();
  // Some runtimes (React Native) have bodies without streams.
  if (!reader) return { text: await until(response.text(), signal), truncated: false };
  const decoder = new TextDecoder();
  let text = '';
  let left = limit;
  try {
    while (left >= 0) {
      const { done, value } = await until(reader.read(), signal);
      if (done) return { text: text + decoder.decode(), truncated: false };
      left -= value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    return { text, truncated: true };
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The origin that a redirect points to, `''` where it is hidden; the rest of the address might repeat what was sent. */
export function redirectOrigin({ headers }: Response, requestUrl: string): string {
  try {
    return new URL(headers.get('location') as string, headers.has('location') ? requestUrl : undefined).origin;
  } catch {
    return '';
  }
}

/**
 * Whether a body that is not JSON is the beginning of one. undici takes a chunked answer that was cut for a whole one
 * where the service had said `Connection: close`.
 */
export function isCutShort({ headers }: Response, text: string): boolean {
  if (!/chunked/i.test(headers.get('transfer-encoding') ?? '') || !/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString && character === '\\') index++;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === '{' || character === '[')) depth++;
    else if (!inString && (character === '}' || character === ']')) depth--;
  }
  return inString || depth > 0;
}

/** A preview says that it is one. */
export function looksLikePreview(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return (body as { dry_run?: unknown }).dry_run === true || Object.keys(body).some((key) => key.startsWith('would_'));
}
