import {
  BASKETS,
  BREAD_FACTS,
  BREAD_TEXTS,
  RECIPE_TEXTS,
  RECIPES,
  SEASON_TEXTS,
  SHOP_TEXTS,
  type Texts,
} from '../../material/index.js';
import { PLACES } from '../../seed/brand.js';
import { BREADS, capitalise } from '../../seed/prose.js';

/** What articles of one category are written from. */
export interface Category extends Texts {
  readonly category: string;
  readonly subjects: readonly string[];
  readonly keyword: string;
  /** What is known of the subject with this number. */
  readonly facts: (subject: number) => Facts;
}

/** A table, its first row being the head, and what to do. */
export interface Facts {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
  readonly steps?: readonly string[];
}

export const BREAD_ARTICLES: Category = {
  ...BREAD_TEXTS,
  category: 'Nos pains',
  subjects: BREADS,
  keyword: '{}',
  facts(subject) {
    const names = ['Farine', 'Poids', 'Cuisson', 'Se garde'];
    const rows = (BREAD_FACTS[subject] ?? '').split('|').map((fact, at) => [names[at] ?? '', fact]);
    return { title: 'La fiche', rows: [['Chez nous', capitalise(BREADS[subject] ?? '')], ...rows] };
  },
};

export const SHOP_ARTICLES: Category = {
  ...SHOP_TEXTS,
  category: 'La vie des boutiques',
  subjects: PLACES.map(({ city }) => city),
  keyword: 'boulangerie {}',
  facts: (subject) => ({
    title: 'Venir nous voir',
    rows: [
      ['Jour', 'Horaires'],
      ['Mardi à vendredi', `${subject % 2 === 0 ? '6 h 30' : '7 h'} – 19 h 30`],
      ['Samedi', `7 h – ${subject % 3 === 0 ? '19 h' : '18 h'}`],
      ['Dimanche', `7 h 30 – ${subject % 4 === 0 ? '12 h 30' : '13 h'}`],
      ['Lundi', 'Fermé'],
      ['Adresse', PLACES[subject]?.address ?? ''],
    ],
  }),
};

const twice = (quantity: string): string => quantity.replace(/^\d+/, (count) => String(2 * Number(count)));

export const RECIPE_ARTICLES: Category = {
  ...RECIPE_TEXTS,
  category: 'Recettes',
  subjects: RECIPES.map((recipe) => recipe.split('|', 1)[0] ?? ''),
  keyword: 'recette {}',
  facts(subject) {
    const [, minutes, ingredients = '', ...steps] = (RECIPES[subject] ?? '').split('|');
    const rows = ingredients.split(';').map((one) => {
      const [what = '', quantity = ''] = one.split(':');
      return [capitalise(what), quantity, twice(quantity)];
    });
    return { title: `Ingrédients (${minutes} minutes)`, rows: [['Pour', 'Quatre', 'Huit'], ...rows], steps };
  },
};

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ');

/** The subject of season articles depends on their date. */
export const seasonArticles = (date: Date): Category => ({
  ...SEASON_TEXTS,
  category: 'Saisons',
  subjects: [`${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`],
  keyword: 'boulangerie {}',
  facts() {
    const basket = (BASKETS[date.getUTCMonth()] ?? '').split('|');
    const rows = basket.flatMap((product, at) => (at % 2 === 0 ? [[product, basket[at + 1] ?? '']] : []));
    return { title: 'Le panier du mois', rows: [['Produit', 'En vitrine'], ...rows] };
  },
});
