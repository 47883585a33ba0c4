// cspell:disable damaged words
/** What real texts do not have, and texts that were read in a wrong encoding do. */
const SIGNS = [
  // What no encoding gives to a text.
  '[\\u0080-\\u009f\\ufffd]',
  // UTF-8 that was read as Windows-1252 or Latin-1: `Ã©`, `30Â°`, `matinÂ !`, `â€™`, `Å“`, `ðŸ`.
  '[ÂÃ][\\u00a0-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|(?<!\\p{Lu})[ÂÃ](?!\\p{L})',
  'â[€‚„…†‡ˆ‰‹˜™š›œžŸ\\u00a0-\\u00bf]|Å[“’¸¡]|ðŸ|ï[»¸]',
  // UTF-8 that was read as Macintosh: `√©`, `‚Äô`, `¬∞`, `≈ì`; as MS-DOS: `├®`, `┬░`, `ÔÇÖ`, `ΓÇÖ`.
  '√[^\\s\\d(]|‚[ÄÇ]|¬[^\\s\\w]|≈ì',
  '[├┬┼][^\\s─-╬]|├┤|[ÔΓ][Çöé][^\\s\\w]',
  // MS-DOS or Macintosh that was read as Windows-1252: `caf‚`, `d‚j…`, `fran‡ais`, `bient“t`, `ˆ demain`, `30øC`.
  "[\\p{L}'’]‚|\\p{L}ˆ(?!\\p{P})|(?<!\\S)ˆ(?=[\\p{L}\\s])|\\p{L}[˜‡†‰„‹“™ƒ](?=\\p{Ll})|\\dø(?!\\p{Ll})",
  // One of the three that was read as another: a capital with an accent inside a word or at its end, such as `trŠs`, `cafŽ`, `RÈunion`. Hashtags have such.
  '(?<![#@][\\p{L}\\p{N}_]*)(?:\\p{Ll}[À-ÖØ-ÞŠŒŽŸıΘα](?!\\p{Lu})|\\p{Lu}[À-ÖØ-ÞŠŒŽŸ](?=\\p{Ll}{2}))',
];
const DAMAGED = new RegExp(SIGNS.join('|'), 'u');

/** Returns where a text has a sign that it was read in a wrong encoding: MS-DOS, Macintosh, or UTF-8 twice. `-1` if it has none. */
export function damageIn(text: string): number {
  return text.search(DAMAGED);
}

/** Emoji may be joined by signs that are invisible elsewhere. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)*/u;

const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

const EMOJI_OR_INVISIBLE = new RegExp(`${EMOJI.source}|${INVISIBLE.source}`, 'gu');

/** Replaces invisible characters. `mark` gets the number of each in hexadecimal digits. */
export function showInvisible(text: string, mark: (code: string) => string): string {
  return text.replace(EMOJI_OR_INVISIBLE, (found) =>
    EMOJI.test(found) ? found : mark(found.codePointAt(0)?.toString(16) ?? ''),
  );
}
