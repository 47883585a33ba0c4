/** Emoji may be joined by signs that are invisible elsewhere. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)*/u;

const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

const SIGNS = new RegExp(`${EMOJI.source}|${INVISIBLE.source}`, 'gu');

/** Replaces invisible characters. `mark` gets the number of each in hexadecimal digits. */
export function showInvisible(text: string, mark: (code: string) => string): string {
  return text.replace(SIGNS, (found) => (EMOJI.test(found) ? found : mark(found.codePointAt(0)?.toString(16) ?? '')));
}
