import { COMMON_SECTIONS, type Section } from '../../material/index.js';
import { bullets, capitalise, heading, of, paragraph, pick, typeset } from '../../seed/prose.js';
import { brief, choose, even, factsHtml, figureHtml, long, quoteHtml, sectionHtml } from './blocks.js';
import type { Category, Facts } from './categories.js';

/** The texts of an article, without dates and location. */
export interface Draft {
  readonly title: string;
  readonly excerpt: string;
  /** `{files}` stands for the address of the folder of the mock's files. */
  readonly html: string;
  readonly keyword: string;
  readonly category: string;
}

/**
 * The draft with this number in its category. Neighbours have different subjects, angles, sections and voices, and no pair
 * of subject and angle repeats before all pairs are used. `index` is the number among all articles.
 */
export function draftAbout(from: Category, number: number, index: number): Draft {
  const { subjects, angles, sections, intros, closings, reminders, figures, category, keyword } = from;
  const at = number % subjects.length;
  const subject = subjects[at] ?? '';
  const ofSubject = of(subject);
  const fill = (text: string) => choose(text.replaceAll('de {}', ofSubject).replaceAll('{}', subject), index);
  const [title, excerpt, promised] = angles[(Math.floor(number / subjects.length) + at) % angles.length] ?? ['', '', 0];
  const summary = capitalise(fill(excerpt));
  const others = sections.filter((_, position) => position !== promised);
  const facts = from.facts(at);
  // Each article takes half of the sections, from where the one before it stopped, and each round begins one later.
  const half = Math.ceil(others.length / 2);
  const start = number * half + Math.floor((number * half) / others.length);
  const voice = (index + Math.floor(index / 4)) % VOICES.length;
  const [pictured = '', caption = ''] = figures[index % figures.length] ?? [];
  const html = (VOICES[voice] as Voice)({
    summary: paragraph(summary),
    intro: paragraph(fill(intros[voice] ?? '')),
    sections: [
      sections[promised] ?? '',
      ...pick(others, start, half),
      ...pick(COMMON_SECTIONS, index * 2, facts.steps ? 1 : 4),
    ].map(fill),
    facts,
    quote: quoteHtml(index),
    figure: figureHtml('{files}', pictured, caption, index),
    reminders: bullets(reminders),
    closing: paragraph(fill(closings[voice] ?? '')),
    index,
  });
  return {
    title: typeset(capitalise(fill(title))),
    excerpt: typeset(summary),
    html: typeset(html.join('\n')),
    keyword: keyword.replace('{}', subject.toLowerCase()),
    category,
  };
}

/** What an article is made of. Everything but the sections and the facts is HTML. */
interface Material {
  readonly summary: string;
  readonly intro: string;
  readonly sections: readonly Section[];
  readonly facts: Facts;
  readonly quote: string;
  readonly figure: string;
  readonly reminders: string;
  readonly closing: string;
  readonly index: number;
}

type Voice = (material: Material) => readonly string[];

const when = (condition: boolean, html: string): string[] => (condition ? [html] : []);

/** The rhythms of three authors. Recipes always have their facts. */
const VOICES: readonly Voice[] = [
  /** Brisk: the summary first, short paragraphs, a list at the end. */
  ({ summary, intro, sections, facts, quote, reminders, closing, index }) => {
    const [first = '', second = '', ...rest] = sections.slice(0, 6).map((text) => sectionHtml(text, brief, 2));
    return [
      ...[summary, intro, first],
      ...when(facts.steps !== undefined || index % 8 === 2, factsHtml(facts)),
      second,
      ...when(index % 2 === 0, quote),
      ...[...rest, heading('À retenir'), reminders, closing],
    ];
  },
  /** Calm: long paragraphs, a picture, a quote. */
  ({ intro, sections, facts, quote, figure, closing, index }) => {
    const count = 7 + (index % 3);
    const texts = sections.slice(0, count).map((text) => sectionHtml(text, long, 2));
    return [
      ...[intro, ...texts.slice(0, 2)],
      ...when(index % 4 < 3, figure),
      ...when(facts.steps !== undefined, factsHtml(facts)),
      ...[...texts.slice(2, 4), quote, ...texts.slice(4), closing],
    ];
  },
  /** Practical: facts first, then advice under small headings. */
  ({ intro, sections, facts, figure, reminders, closing, index }) => [
    ...[intro, factsHtml(facts)],
    ...when(index % 3 === 0, figure),
    heading('Nos conseils'),
    ...sections.slice(0, 5).map((text) => sectionHtml(text, even, 3)),
    ...[heading('En bref'), reminders, closing],
  ],
];
