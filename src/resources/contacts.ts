import { createRedactor, type Mask } from '../core/redact.js';

/** A digit, also full-width, as a JSON escape or URL-encoded. */
const DIGIT = '(?:[0-9０-９]|\\\\{1,4}u003[0-9]|%3[0-9])';
/** Another character, as a JSON escape or URL-encoded. */
const ESCAPE = '(?:\\\\{1,4}u(?!003[0-9])[0-9a-f]{4}|%(?!3[0-9])[0-9a-f]{2})';
const GAP = `(?:[\\s.()/+_\\p{Pd}]|${ESCAPE}){0,3}`;
/**
 * A phone number in a text, however its digits are written and grouped. A `+` is a space in form encoding. The group is a
 * character before it: Safari before 16.4 refuses lookbehinds.
 */
const NUMBER = new RegExp(`(?:\\+|${ESCAPE}|(^|[^\\p{L}\\p{N}_]))${DIGIT}(?:${GAP}${DIGIT}){5,}`, 'giu');
/** The end of a phone number is the same with and without the code of the country. */
const SUBSCRIBER = 9;

/**
 * Returns what masks contacts in a text: a phone number even if it is written in another way (`06 12 …`, `0033…`), and an
 * address in any case.
 */
export function maskOf(contacts: readonly string[]): Mask {
  const subscribers = contacts.map((contact) => digitsOf(contact).replace(/^0+/, '').slice(-SUBSCRIBER));
  const known = subscribers.filter((digits) => digits.length >= 6);
  const isKnown = (number: string) => known.some((digits) => digitsOf(number).includes(digits));
  const hide = (text: string) =>
    text.replace(NUMBER, (number, before = '') => (isKnown(number) ? `${before}[redacted]` : number));
  // A cell may hold two addresses, or one with a name.
  const words = contacts.flatMap((contact) => contact.split(/[\s<>(),;:"']+/)).filter((word) => word.includes('@'));
  const forms = words.flatMap((word) => [word.normalize(), word.normalize('NFD')]);
  return createRedactor([...contacts, ...forms], hide).mask;
}

function digitsOf(text: string): string {
  const decoded = text.replace(/\\{1,4}u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_, unit?: string, byte = '') =>
    String.fromCharCode(Number.parseInt(unit ?? byte, 16)),
  );
  return decoded.replace(/[０-９]/g, (digit) => `${digit.charCodeAt(0) - 0xff10}`).replace(/[^0-9]/g, '');
}
