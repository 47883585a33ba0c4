import { BREAD_TEXTS, COMMON_SECTIONS, EVERY_DAY, SEASON_TEXTS, SHOP_TEXTS } from '../../material/index.js';
import { PLACES } from '../../seed/brand.js';
import { bullets, escapeHtml, heading, paragraph, pick, shorten, typeset } from '../../seed/prose.js';
import { saltOf } from '../../seed/scatter.js';
import { choose, even, factsHtml, figureHtml, quoteHtml, sectionHtml } from './blocks.js';

const SUBJECTS = [...COMMON_SECTIONS, ...BREAD_TEXTS.sections];
/** What fits every subject. */
const SECTIONS = [...SUBJECTS, ...SEASON_TEXTS.sections, ...SHOP_TEXTS.sections].filter(
  (section) => !section.includes('{}'),
);

const countWords = (html: string): number =>
  html
    .replace(/<[^>]+>/g, ' ')
    .trim()
    .split(/\s+/).length;

/**
 * The text of the mock's own "AI": real HTML about the title, with about as many words as asked for. No sentence repeats, so it
 * ends where the material does, at about 2,000 words.
 */
export function generateArticle(title: string, keyword: string, words: number, files: string) {
  const salt = saltOf(title);
  const subject = escapeHtml(keyword);
  const excerpt = `${title} : les conseils de nos boulangers, sans jargon et testés dans nos fournils.`;
  const intro = `Voici ce que nos équipes ont appris, au fil des fournées, au sujet de « ${subject} ». Prenez ce qui vous sert, laissez le reste, et dites-nous ce qui manque.`;
  const advice = [
    `Demandez conseil au comptoir au sujet de « ${subject} »`,
    'Privilégiez les produits de saison',
    'Prenez votre temps',
  ];
  const city = PLACES[salt % PLACES.length]?.city ?? '';
  const extras = [
    quoteHtml(salt),
    figureHtml(files, 'Boutique', `Dans notre boutique de ${city}.`, salt % 100),
    factsHtml({ title: 'Jour après jour', rows: EVERY_DAY }),
  ];

  const end = [heading('En bref'), bullets(advice)].join('\n');
  const parts = [paragraph(intro)];
  let left = words - countWords(intro) - countWords(end);
  const add = (html = '') => {
    parts.push(html);
    left -= countWords(html);
  };
  // An extra comes after every second section.
  for (const [at, section] of pick(SECTIONS, salt % SUBJECTS.length, SECTIONS.length).entries()) {
    const html = sectionHtml(choose(section, salt), even, 2);
    if (at > 0 && left < countWords(html) / 2) break;
    add(html);
    if (at % 2 === 1 && extras.length > 0) add(extras.shift());
  }
  parts.push(end);
  return {
    excerpt,
    content_html: typeset(parts.join('\n')),
    meta_title: shorten(title, 60),
    meta_description: shorten(excerpt, 155),
  };
}
