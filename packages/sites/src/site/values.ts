import { ConfigurationError } from 'multilocal/internal/errors';
import { parseTimestamp } from 'multilocal/internal/timestamps';

/** What XML forbids, or Unicode reserves: halves of surrogate pairs and control characters except for line breaks. */
const BROKEN = /[\p{Cs}\p{NChar}]|(?![\t\n\r])\p{Cc}/gu;

/** Removes the characters that XML forbids. */
export const forXml = (text: string): string => text.replace(BROKEN, '');

/** Puts a text on one line. The spaces of French typography (U+00A0, U+202F) stay, because no line may break at them. */
export function oneLine(text: string): string {
  return forXml(text)
    .replace(/\s+/g, (run) => (/[ \t\n\r\u2028\u2029]/.test(run) ? ' ' : run))
    .trim();
}

/** A text of the service. `''` if there is none, or if a later version sends something else. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A timestamp of the service in UTC. `undefined` if it cannot be read. */
export const isoOf = (value: unknown): string | undefined => parseTimestamp(stringOf(value))?.toISOString();

/** Returns the absolute address of a page or an image. `undefined` for other schemes, such as `javascript:`, and for invalid addresses. */
export function webAddress(value: unknown, base?: string): string | undefined {
  if (!value) return undefined;
  try {
    const { protocol, href } = new URL(String(value), base);
    return /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The address of a page, which the site passes. @throws a {@link ConfigurationError} if search engines could not use it. */
export function pageAddress(caller: string, value: unknown): string {
  const address = webAddress(value);
  if (address === undefined)
    throw new ConfigurationError(`${caller}: \`url\` must be an absolute http or https address.`);
  return address;
}

/** Plain text as HTML, for the content of an element or a value in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
