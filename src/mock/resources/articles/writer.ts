import { bullets, escapeHtml, heading, paragraph, shorten } from '../../seed/prose.js';

const SECTIONS: readonly (readonly [title: string, text: string])[] = [
  ['Bien choisir', 'Nous travaillons avec des meuniers que nous connaissons, et chaque récolte change nos dosages.'],
  ['Prendre le temps', 'Une pâte qui a reposé toute une nuit demande moins de levure et développe plus d’arômes.'],
  ['Chez vous', 'Pesez plutôt que de mesurer, préchauffez longtemps, et n’ouvrez pas le four trop tôt.'],
  ['Ce que nous en pensons', 'Nos équipes goûtent chaque nouveauté avant vous, et l’ajustent jusqu’à en reprendre.'],
  ['Le juste prix', 'Nous préférons une carte plus courte et des produits vendus dans la journée.'],
  ['Venez nous voir', 'Passez en fin de matinée, quand la file est plus courte : nous ferons goûter.'],
];

/** The text of the mock's own "AI": real HTML about the title, longer for a higher word count. */
export function generateArticle(title: string, keyword: string, words: number) {
  const subject = escapeHtml(keyword);
  const count = Math.min(24, Math.max(3, Math.round(words / 60)));
  const sections = Array.from({ length: count }, (_, index) => {
    const [name, text] = SECTIONS[index % SECTIONS.length] ?? ['', ''];
    return heading(name) + paragraph(text);
  });
  const excerpt = `${title} : les conseils de nos boulangers, sans jargon et testés dans nos fournils.`;
  return {
    excerpt,
    content_html: [
      paragraph(`Voici ce que nos équipes ont appris, au fil des fournées, au sujet de « ${subject} ».`),
      ...sections,
      bullets([`Demandez conseil au comptoir au sujet de « ${subject} ».`, 'Privilégiez les produits de saison.']),
    ].join('\n'),
    meta_title: shorten(title, 60),
    meta_description: shorten(excerpt, 155),
  };
}
