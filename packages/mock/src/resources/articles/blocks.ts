import { QUOTES, type Section } from '../../material/index.js';
import { pictureOf } from '../../seed/pictures.js';
import { bullets, heading, paragraph } from '../../seed/prose.js';
import { scatter } from '../../seed/scatter.js';
import type { Facts } from './categories.js';

/** How an author divides the paragraphs of a section. */
export type Rhythm = (paragraphs: readonly string[]) => readonly string[];

/** Two sentences in a paragraph. */
export const brief: Rhythm = (paragraphs) =>
  paragraphs.flatMap((text) => {
    const sentences = text.split(/(?<=[.!?]) (?=\p{Lu})/u);
    return sentences.flatMap((_, at) => (at % 2 === 0 ? [sentences.slice(at, at + 2).join(' ')] : []));
  });
/** One paragraph. */
export const long: Rhythm = (paragraphs) => [paragraphs.join(' ')];
/** As they are written. */
export const even: Rhythm = (paragraphs) => paragraphs;

/** A section with its heading. */
export function sectionHtml(section: Section, rhythm: Rhythm, level: 2 | 3): string {
  const [title = '', ...paragraphs] = section.split('|');
  return [heading(title, level), ...rhythm(paragraphs).map(paragraph)].join('\n');
}

/** Takes one of the words in each `[two/three]`. */
export const choose = (text: string, salt: number): string =>
  text.replace(/\[([^\]]+)\]/g, (_, words: string, at: number) => {
    const list = words.split('/');
    return list[scatter(at, salt, list.length)] ?? '';
  });

/** A table, and the steps if there are any. */
export function factsHtml({ title, rows: [head = [], ...rows], steps }: Facts): string {
  const row = (cells: readonly string[]) => `<tr>${cells.map((cell, at) => tableCell(cell, at)).join('')}</tr>`;
  const tableCell = (cell: string, at: number) => (at === 0 ? `<th scope="row">${cell}</th>` : `<td>${cell}</td>`);
  const columns = head.map((cell) => `<th scope="col">${cell}</th>`).join('');
  return [
    heading(title),
    `<table><thead><tr>${columns}</tr></thead><tbody>${rows.map(row).join('')}</tbody></table>`,
    ...(steps ? [heading('La préparation'), bullets(steps, 'ol')] : []),
  ].join('\n');
}

/** The words of somebody of the brand. */
export function quoteHtml(number: number): string {
  const [text = '', author = ''] = QUOTES[number % QUOTES.length] ?? [];
  return `<blockquote><p>« ${text} »</p><p>— <cite>${author}</cite></p></blockquote>`;
}

/** A picture with its caption. */
export const figureHtml = (files: string, subject: string, caption: string, number: number): string =>
  `<figure><img src="${pictureOf(files, subject, number)}" alt="${subject}" width="1200" height="900"><figcaption>${caption}</figcaption></figure>`;
