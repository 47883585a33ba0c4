/** A text to compare by: services trim and normalise what they store. */
export function withoutForm(text: string | null | undefined): string | undefined {
  return text?.normalize('NFC').replace(/\s+/g, ' ').trim();
}
