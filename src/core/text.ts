/**
 * A text in the form NFC, in linear time. Long runs of combining marks take the square of their length, so a run ends at
 * 30 marks, which no language needs (Unicode calls such texts stream-safe).
 */
export function toNfc(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFC');
}

/** A text to compare by: services trim and normalise what they store. */
export function withoutForm(text: string | null | undefined): string | undefined {
  return text == null ? undefined : toNfc(text).replace(/\s+/g, ' ').trim();
}
