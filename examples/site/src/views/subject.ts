import type { Article } from 'multilocal/articles';

type Subject = Pick<Article, 'title' | 'category'>;

/** Drawings in `public/covers.svg`, by words of the title. The first that fits is taken. */
const BY_TITLE: readonly (readonly [words: RegExp, drawing: string])[] = [
  [/soupe|salade/i, 'soup'],
  [/pizza|pissaladière/i, 'pizza'],
  [/tarte\b|quiche|clafoutis|galette des rois/i, 'tart'],
  [/tartine|croque|pain perdu|pain de mie/i, 'toast'],
  [/croissant|chausson|viennoiserie/i, 'croissant'],
  [/brioche/i, 'braid'],
  [/étoile/i, 'star'],
  [/fougasse|focaccia|ciabatta/i, 'flat'],
  [/baguette|ficelle|viennois/i, 'baguettes'],
  [/miel|confiture/i, 'jar'],
  [/producteur/i, 'field'],
  [/atelier/i, 'bowl'],
  [/\b(?:mars|avril|mai|juin|juillet|août) \d/i, 'field'],
  [/\b(?:septembre|octobre|novembre|décembre|janvier|février) \d/i, 'branch'],
];

const BY_CATEGORY: Readonly<Record<string, string>> = {
  'Nos pains': 'loaf',
  Recettes: 'bowl',
  Saisons: 'branch',
  'La vie des boutiques': 'shop',
};

/** The name of the drawing that fits what an article is about. */
export function drawingOf({ title, category }: Subject): string {
  const found = BY_TITLE.find(([words]) => words.test(title))?.[1];
  return found ?? BY_CATEGORY[category ?? ''] ?? (/pain|tourte/i.test(title) ? 'loaf' : 'wheat');
}
