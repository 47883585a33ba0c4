import type { Article } from 'multilocal';
import { decodeEntities } from './entities.js';
import { oneLine, stringOf } from './values.js';

/**
 * What is not text: comments, elements whose content is not displayed, tags. Each alternative also ends at the end of the
 * input, as in browsers, so that no input makes the search start over (it takes linear time).
 */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|svg|video|audio|object|canvas|iframe)(?=[\s/>])[\s\S]*?(?:<\/\1[^>]*(?:>|$)|$)|<\/?([a-z][^\s/>]*)(?:[^>=]+|=(?:\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)))?)*(?:>|$)|<[!?/][^>]*(?:>|$)/gi;

/** Elements within a word or a sentence. The tags of all others separate words. */
const INLINE = /^(?:a|abbr|b|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|su[bp]|time|u|wbr)$/i;

/** What may be no part of its sentence: raised, struck out, read beside the text, or a link within the page. */
const ASIDE =
  /<(sup|del|s|strike|r[tp])(?=[\s>])[^<>]*>([\s\S]{0,500}?)<\/\1\s*>|<a(?=\s)[^<>]*\shref\s*=\s*["']?#[^<>]*>([\s\S]{0,300}?)<\/a\s*>/gi;
/** The mark of a note, and the way back from it. */
const MARK = /^(?:\[\s?\w{1,4}\s?\]|\(\s?\d{1,3}\s?\)|(?:[*†‡§↩⏎↑^\s]|\ufe0e|\ufe0f)+)$/;

/** Leaves out what would make another sentence: `1924` with the note `1` is not `19241`, and `10<sup>6</sup>` is not `106`. */
function sentences(html: string): string {
  return html.replace(ASIDE, (all, tag?: string, raised = '', link = '', index = 0, whole = '') => {
    const text = (raised + link).replace(/<[^>]*>/g, '').trim();
    const isNote = MARK.test(decodeEntities(text));
    if (tag?.toLowerCase() !== 'sup') {
      // A bare number is that of a note where it is glued to a word.
      const isGlued = /^\d{1,3}$/.test(text) && !/[\s>]/.test(whole.charAt(index - 1) || ' ');
      return tag || isNote || isGlued || /<sup[\s>]/i.test(link) ? '' : all;
    }
    const beside = raised.replace(/<a\s[\s\S]*?<\/a\s*>/gi, '');
    if (isNote || (beside !== raised && !hasWords(beside.replace(/<[^>]*>/g, '')))) return '';
    return /^\d+$/.test(text) ? text.replace(/\d/g, (digit: string) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))) : text;
  });
}

/** Returns the text of a piece of HTML on one line. */
function plainText(html: string): string {
  const text = html.replace(MARKUP, (_, _hidden, name) => (name && INLINE.test(name) ? '' : ' '));
  return oneLine(decodeEntities(text));
}

/** What is no sentence: titles, tables, pictures with what is written below them. */
const TITLES = /^(?:h[1-6]|nav|table|figure)$/i;
const LISTS = /^[uo]l$/i;
const IN_PAGE = /^<a(?=\s)[^>]*\shref\s*=\s*["']?#/i;
const hasWords = (html: string) => /[\p{L}\p{N}]/u.test(decodeEntities(html));

/**
 * Returns the paragraphs of a piece of HTML: without titles, tables and pictures, and without the lists above the first
 * paragraph, such as contents. All of it, if it has nothing else.
 */
function paragraphs(html: string): string {
  const kept: string[] = [];
  // `from`: where the kept part begins. Before the first words, the last beginning of a block is remembered.
  let [block, last, titles, lists, isLink, from] = [0, 0, 0, 0, false, -1];
  const begin = (end: number) => {
    if (from < 0 && titles + lists === 0 && !isLink && end > last && hasWords(html.slice(last, end))) from = block;
  };
  for (const { 0: tag, 2: name = '', index } of html.matchAll(MARKUP)) {
    begin(index);
    const step = tag[1] === '/' ? -1 : 1;
    const before = titles;
    if (TITLES.test(name)) titles = Math.max(0, titles + step);
    if (LISTS.test(name)) lists = Math.max(0, lists + step);
    if (name.toLowerCase() === 'a') isLink = step > 0 && IN_PAGE.test(tag);
    last = index + tag.length;
    if (!INLINE.test(name)) block = last;
    if (from >= 0 && !before && titles) kept.push(html.slice(from, index));
    if (from >= 0 && before && !titles) from = index;
  }
  begin(html.length);
  if (!titles) kept.push(html.slice(from));
  return from < 0 ? html : kept.join('');
}

/** Scripts that part their words without spaces. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Code points behind the limit that decide whether the last sign or word is whole. */
const AHEAD = 40;

/** Returns the parts of a text that fit, each of them whole. */
function fitting(text: string, max: number, granularity: 'grapheme' | 'word'): string {
  let kept = '';
  let room = max;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity }).segment(text)) {
    room -= [...segment].length;
    if (room < 0) break;
    kept += segment;
  }
  return kept;
}

/**
 * Returns the beginning of a piece of HTML as plain text, such as a teaser for a list of articles.
 *
 * It has the sentences of the paragraphs: titles, tables, pictures, and the lists above the first paragraph are left out,
 * if there is anything else. Tags, comments, scripts, styles and the numbers of notes are removed, and entities are
 * decoded. A longer text is cut between two words and ends with `…`. No-break spaces stay, and the text is never cut at one: `«`, `!` and `10 000 €` keep their word.
 * Where no word fits, it is cut between two signs, and never within an emoji or an accented letter. The result is text,
 * not HTML: escape it, as each template language does by itself.
 *
 * `max` is the maximum number of code points, including `…`. Default 160, about what search engines show. Returns `''`
 * if there is no text.
 * @example excerpt('<h2>Bread</h2><p>Flour &amp; water</p>'); // 'Flour & water'
 */
export function excerpt(html: string | null | undefined, { max = 160 }: { max?: number | undefined } = {}): string {
  const points = [...plainText(paragraphs(sentences(stringOf(html))))];
  if (points.length <= max) return points.join('');
  // One more than there is room for before `…`: if it is a space, the word before it is complete.
  const space = points.slice(0, max).lastIndexOf(' ');
  const room = Math.max(0, max - 2 - space);
  const word = points.slice(space + 1, space + 1 + room + AHEAD).join('');
  // A script without spaces is cut between its words, and the only word of a text between its signs.
  const part =
    (SPACELESS.test(word) && fitting(word, room, 'word')) || (space < 0 ? fitting(word, room, 'grapheme') : '');
  const kept = points.slice(0, space + 1).join('') + part;
  return `${kept.replace(/[\s,;:.–、，。：；-]{1,10}$/, '')}…`;
}

/**
 * Returns how long people need to read a piece of HTML, in whole minutes: at least 1, or 0 if there is no text. It
 * counts 200 words a minute, which is common for French and English.
 * @example const label = `${readingTime(article.content_html)} min`;
 */
export function readingTime(html: string | null | undefined): number {
  const words = plainText(stringOf(html)).match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return Math.ceil(words / 200);
}

/** A text of the service on one line, decoded: editors write `Bread & salt`, and some of them store `Bread &amp; salt`. */
export const textOf = (value: unknown): string | undefined => oneLine(decodeEntities(stringOf(value))) || undefined;

/** The title of an article, even if the written title is only white space. */
export const titleOf = ({ title, meta_title }: Article): string => textOf(title) ?? textOf(meta_title) ?? '';

/** The description of an article: what was written for search engines, else the summary, else the first words. */
export const descriptionOf = ({ meta_description, excerpt: summary, content_html }: Article): string | undefined =>
  textOf(meta_description) || excerpt(summary, { max: 1000 }) || excerpt(content_html) || undefined;
