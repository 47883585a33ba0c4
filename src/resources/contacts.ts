import { createRedactor, type Mask } from '../core/redact.js';

/** A phone number in a text, however its digits are grouped. */
const NUMBER = /(?:\+|\b)\d(?:(?:[\s.()/-]|%20){0,3}\d){5,}/g;
/** The end of a phone number is the same with and without the code of the country. */
const SUBSCRIBER = 9;

/**
 * Returns what masks contacts in a text: a phone number also where it is written in another way (`06 12 …`, `0033…`), and an
 * address in any case.
 */
export function maskOf(contacts: readonly string[]): Mask {
  const subscribers = contacts.map((contact) => digitsOf(contact).replace(/^0+/, '').slice(-SUBSCRIBER));
  const known = subscribers.filter((digits) => digits.length >= 6);
  const isKnown = (number: string) => known.some((digits) => digitsOf(number).includes(digits));
  const hide = (text: string) => text.replace(NUMBER, (number) => (isKnown(number) ? '[redacted]' : number));
  return createRedactor(contacts, hide).mask;
}

function digitsOf(text: string): string {
  return text.replace(/%20|\D/g, '');
}
