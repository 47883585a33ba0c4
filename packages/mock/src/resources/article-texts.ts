import { PLACES } from '../seed/brand.js';
import { pictureOf } from '../seed/pictures.js';
import { BREADS, capitalise, cycle, of, saltOf, shorten, typeset } from '../seed/prose.js';
import texts from '../seed/texts.json' with { type: 'json' };

/**
 * The written articles of the brand. In their texts, `{}` stands for a bread, a city or a month, and the words of
 * `<img Four à pain>` name a drawing. A second title is for the second time that the subject comes round.
 */
const TEXTS = texts.articles.map(({ html, about, ...text }) => {
  return { ...text, about: about as keyof typeof SUBJECTS, html: html.join('\n') };
});

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ');

const SUBJECTS = {
  bread: () => BREADS,
  recipe: () => BREADS,
  city: () => PLACES.map(({ city }) => city),
  month: (date: Date) => [`${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`],
};

/** The picture of `<img Four à pain>`. */
const withPictures = (html: string, files: string, number: number): string =>
  html.replace(
    /<img ([^>]+)>/g,
    (_, subject) => `<img src="${pictureOf(files, subject, number)}" alt="${subject}" width="1200" height="900">`,
  );

const metaOf = (title: string, excerpt: string) => ({
  meta_title: shorten(title.length <= 38 ? `${title} | Les Fournils d’Augustine` : title, 65),
  meta_description: shorten(excerpt, 155),
});

/** What was written for an earlier mock of this process, by number and month, without the address of the files. */
const written = new Map<string, ReturnType<typeof write>>();

/**
 * The texts of the article with this number: one of the written texts about another subject each time, so that no title
 * repeats. The subject of some is the month of the article, that of the others the place of their location.
 */
export function textsOf(index: number, date: Date, files: string) {
  const key = `${index} ${date.toISOString().slice(0, 7)}`;
  const texts = written.get(key) ?? write(index, date, '{files}');
  written.set(key, texts);
  const at = (text: string) => text.replace('{files}', files);
  const { content_html, featured_image_url } = texts;
  return { ...texts, content_html: at(content_html), featured_image_url: featured_image_url && at(featured_image_url) };
}

function write(index: number, date: Date, files: string) {
  const { about, category, titles, ...text } = cycle(TEXTS, index);
  const subjects = SUBJECTS[about](date);
  const round = Math.floor(index / TEXTS.length);
  const subject = cycle(subjects, about === 'city' ? Math.floor(index / 4) : index - round * (TEXTS.length - 1));
  const fill = (part: string) => part.replaceAll('de {}', of(subject)).replaceAll('{}', subject);
  const title = typeset(capitalise(fill(cycle(titles, Math.floor(round / subjects.length)))));
  const excerpt = typeset(capitalise(fill(text.excerpt)));
  return {
    title,
    excerpt,
    content_html: typeset(withPictures(fill(text.html), files, index)),
    // One article in seven has no picture.
    featured_image_url: index % 7 === 6 ? null : pictureOf(files, title, index),
    ...metaOf(title, excerpt),
    target_keyword: fill(text.keyword).toLowerCase(),
    category: index % 11 === 3 ? null : category,
  };
}

/** What fits every subject. */
const SECTIONS = TEXTS.flatMap(({ html }) => html.split(/\n(?=<h2>)/).slice(1)).filter(
  (section) => !/\{|<(img|table|ol|ul|h3)/.test(section),
);

const countWords = (html: string): number => html.replace(/<[^>]+>/g, ' ').split(/\s+/).length - 2;

/** Titles and keywords come from users. The written texts need no escaping. */
const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/**
 * The text of the mock's own "AI": real HTML about the title, with about as many words as asked for. No sentence repeats, so it
 * ends where the sections do, at about 2,000 words.
 */
export function generateArticle(title: string, keyword: string, words: number, files: string) {
  const subject = `« ${escapeHtml(keyword)} »`;
  const excerpt = `${title} : les conseils de nos boulangers, sans jargon et testés dans nos fournils.`;
  const intro = `<p>Voici ce que nos équipes ont appris, au fil des fournées, au sujet de ${subject}. Prenez ce qui vous sert, laissez le reste, et dites-nous ce qui manque.</p>
<figure><img Boutique><figcaption>Dans l’une de nos boutiques.</figcaption></figure>`;
  const end = `<h2>En bref</h2>
<ul><li>Demandez conseil au comptoir au sujet de ${subject}</li><li>Privilégiez les produits de saison</li><li>Prenez votre temps</li></ul>`;
  let left = words - countWords(intro) - countWords(end);
  const start = saltOf(title) % SECTIONS.length;
  const sections = [...SECTIONS.slice(start), ...SECTIONS.slice(0, start)].filter((section, at) => {
    const count = countWords(section);
    const fits = at === 0 || left >= count / 2;
    left = fits ? left - count : 0;
    return fits;
  });
  const html = withPictures([intro, ...sections, end].join('\n'), files, start);
  return { excerpt, content_html: typeset(html), ...metaOf(title, excerpt) };
}
