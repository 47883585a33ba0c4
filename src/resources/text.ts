import { toNfc } from '../core/text.js';

/** A text to compare by: services trim and normalise what they store. */
export function withoutForm(text: string | null | undefined): string | undefined {
  return text == null ? undefined : toNfc(text).replace(/\s+/g, ' ').trim();
}
