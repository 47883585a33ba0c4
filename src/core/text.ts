/**
 * Returns a text in the form NFC, in linear time. A long run of combining marks would take quadratic time, so a run is
 * cut to 30 marks. No language needs more (Unicode calls such texts stream-safe).
 */
export function toNfc(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFC');
}

/** Returns a form of a text for comparisons, because services trim and normalise the texts that they store. */
export function withoutForm(text: string | null | undefined): string | undefined {
  return typeof text !== 'string' ? undefined : toNfc(text).replace(/\s+/g, ' ').trim();
}

/** Returns the SHA-256 of a text in hexadecimal digits, so that a key is never stored. */
export async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const LONGEST = 80;

/** Makes a text of others one line, and cuts a long one. */
export function clip(text: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).join('')}…` : line.join('');
}
