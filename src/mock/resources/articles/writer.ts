import { bullets, escapeHtml, heading, paragraph, shorten } from '../../seed/prose.js';

interface Prose {
  readonly excerpt: string;
  readonly content_html: string;
  readonly meta_title: string;
  readonly meta_description: string;
}

const OPENINGS: readonly ((keyword: string) => string)[] = [
  (keyword) => `On nous pose la question presque chaque semaine au comptoir : que faut-il savoir sur « ${keyword} » ?`,
  (keyword) => `« ${keyword} » : derrière ces quelques mots, il y a un métier, des gestes et beaucoup de patience.`,
  (keyword) => `Voici ce que nos équipes ont appris, au fil des fournées, au sujet de « ${keyword} ».`,
];

const PASSAGES: readonly string[] = [
  'Tout commence par le choix des matières premières. Nous travaillons avec des meuniers que nous connaissons par leur prénom, et chaque changement de récolte nous oblige à revoir nos dosages.',
  'Le temps fait le reste. Une pâte qui a reposé toute une nuit demande moins de levure, se digère mieux et développe des arômes que rien ne remplace.',
  'À la maison, les mêmes principes valent : peser plutôt que mesurer, préchauffer longtemps, et ne pas ouvrir la porte du four pendant les dix premières minutes.',
  'Nos vendeuses et nos vendeurs goûtent chaque nouveauté avant vous. S’ils n’en reprennent pas, la recette repart au laboratoire.',
  'Le prix juste compte aussi. Nous préférons une carte plus courte et des produits vendus dans la journée à une vitrine pleine qui finit en invendus.',
  'Enfin, rien ne vaut l’échange. Passez en fin de matinée, quand la file est plus courte : nous avons le temps de répondre et de faire goûter.',
];

const HEADINGS: readonly string[] = [
  'Bien choisir',
  'Prendre le temps',
  'Chez vous',
  'Ce que nous en pensons',
  'Le juste prix',
  'Venez nous voir',
];

/** The text that the mock's own "AI" writes: real HTML about the title, longer for a higher word count. */
export function generateArticle(title: string, keyword: string, words: number): Prose {
  const subject = escapeHtml(keyword);
  // A passage is about 40 words.
  const count = Math.min(24, Math.max(3, Math.round(words / 60)));
  const start = [...title].length;
  const opening = OPENINGS[start % OPENINGS.length]?.(subject) ?? '';
  const sections = Array.from({ length: count }, (_, index) => {
    const at = (start + index) % PASSAGES.length;
    return `${index % 2 === 0 ? heading(HEADINGS[at] ?? '') : ''}${paragraph(PASSAGES[at] ?? '')}`;
  });
  const reminders = bullets([
    `Demandez conseil au comptoir au sujet de « ${subject} ».`,
    'Privilégiez les produits de saison.',
    'Conservez à l’abri de l’air, jamais au réfrigérateur.',
  ]);
  const excerpt = `${title} : les conseils de nos boulangers, sans jargon et testés dans nos fournils.`;
  return {
    excerpt,
    content_html: [paragraph(opening), ...sections, reminders].join('\n'),
    meta_title: shorten(title, 60),
    meta_description: shorten(excerpt, 155),
  };
}
