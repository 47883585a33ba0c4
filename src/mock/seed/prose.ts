/** A title as an address: `L’été à Dijon` becomes `l-ete-a-dijon`. */
export function slugify(text: string): string {
  return text
    .replace(/[œŒ]/g, 'oe')
    .replace(/[æÆ]/g, 'ae')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Titles come from users; the seed's own texts hold nothing to escape. */
export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

export const paragraph = (text: string): string => `<p>${text}</p>`;
export const heading = (text: string): string => `<h2>${text}</h2>`;
export const bullets = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** Cut at a word, for the titles and descriptions that search engines show. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\s,;:.!?’']+\S*$/, '')}…`;
}

/** `count` of the list, from `start` on and round: a deterministic choice without repetition. */
export const pick = <T>(list: readonly T[], start: number, count: number): T[] =>
  Array.from({ length: Math.min(count, list.length) }, (_, index) => list[(start + index) % list.length] as T);

export interface Prose {
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
