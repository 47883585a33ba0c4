import type { Article } from 'multilocal';
import { decodeEntities } from './entities.js';
import { oneLine, textOf } from './values.js';

/**
 * What is not text: comments, elements whose content is not displayed, tags. Each alternative also ends at the end of the
 * input, as in browsers, so that no input makes the search start over (it takes linear time).
 */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|svg)(?=[\s/>])[\s\S]*?(?:<\/\1[^>]*(?:>|$)|$)|<\/?([a-z][^\s/>]*)(?:[^>=]+|=(?:\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)))?)*(?:>|$)|<[!?/][^>]*(?:>|$)/gi;

/** Elements within a word or a sentence. The tags of all others separate words. */
const INLINE = /^(?:a|abbr|b|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|su[bp]|time|u|wbr)$/i;

/** Returns the text of a piece of HTML on one line. */
function plainText(html: unknown): string {
  if (typeof html !== 'string') return '';
  const text = html.replace(MARKUP, (_, _hidden, name) => (name && INLINE.test(name) ? '' : ' '));
  return oneLine(decodeEntities(text));
}

/**
 * Returns the beginning of a piece of HTML as plain text, such as a teaser for a list of articles.
 *
 * Tags, comments, scripts and styles are removed, and entities are decoded. A longer text is cut between two words and
 * ends with `…`. No-break spaces stay, and the text is never cut at one: `«`, `!` and `10 000 €` keep their word. The
 * result is text, not HTML: escape it, as each template language does by itself.
 *
 * `max` is the maximum number of code points, including `…`. Default 160, about what search engines show. Returns `''`
 * if there is no text.
 * @example excerpt('<h2>Bread</h2><p>Flour &amp; water</p>'); // 'Bread Flour & water'
 */
export function excerpt(html: string | null | undefined, { max = 160 }: { max?: number | undefined } = {}): string {
  const text = plainText(html);
  const points = [...text];
  if (points.length <= max) return text;
  // One more than there is room for before `…`: if it is a space, the word before it is complete.
  const room = points.slice(0, max);
  // Without a space, `lastIndexOf` is -1 and the text is cut within its only word.
  const kept = room.slice(0, room.lastIndexOf(' ')).join('');
  return `${kept.replace(/[\s,;:.–-]{1,9}$/, '')}…`;
}

/**
 * Returns how long people need to read a piece of HTML, in whole minutes: at least 1, or 0 if there is no text. It
 * counts 200 words a minute, which is common for French and English.
 * @example const label = `${readingTime(article.content_html)} min`;
 */
export function readingTime(html: string | null | undefined): number {
  const words = plainText(html).match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return Math.ceil(words / 200);
}

/** The description of an article: what was written for search engines, else the summary, else the first words. */
export function descriptionOf({ meta_description, excerpt: summary, content_html }: Article): string | undefined {
  return textOf(meta_description) ?? textOf(summary) ?? (excerpt(content_html) || undefined);
}
