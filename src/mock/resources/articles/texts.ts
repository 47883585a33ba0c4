import { PLACES } from '../../seed/brand.js';
import { BREADS, bullets, capitalise, heading, of, paragraph, pick, typeset } from '../../seed/prose.js';

/** The texts of an article, without dates and location. */
export interface Draft {
  readonly title: string;
  readonly excerpt: string;
  readonly html: string;
  readonly keyword: string;
  readonly category: string;
}

/** A category of articles. In its texts, `{}` stands for the subject, and `de {}` becomes `d’Annecy` before a vowel. */
interface Category {
  readonly category: string;
  readonly subjects: readonly string[];
  readonly keyword: string;
  /** Pairs of a title and an excerpt: the ways to write about one subject. */
  readonly angles: readonly (readonly [title: string, excerpt: string])[];
  readonly passages: readonly string[];
  readonly reminders: readonly string[];
}

export const BREAD_ARTICLES: Category = {
  category: 'Nos pains',
  subjects: BREADS,
  keyword: '{}',
  angles: [
    ['{} : comment reconnaître un bon travail', 'Une mie qui a du caractère : {} se juge d’abord avec les yeux.'],
    [
      'Comment conserver {} plusieurs jours',
      'Personne n’aime jeter du pain. Voici comment garder {} sans rien perdre.',
    ],
    ['Une nuit au fournil avec {}', 'Il est minuit passé, la rue dort, et au fournil on prépare déjà {} du matin.'],
    ['Que servir avec {} ?', 'On nous le demande souvent le samedi : avec quoi mettre {} sur la table ?'],
    ['Nos boulangers racontent {}', 'Chaque équipe a ses habitudes, mais toutes s’accordent sur l’essentiel.'],
    ['{} au petit-déjeuner', 'Grillé, beurré ou tel quel : trois façons de commencer la journée avec {}.'],
  ],
  passages: [
    'La pâte est pétrie lentement, puis laissée au repos jusqu’au lendemain. Ce long sommeil donne le goût.',
    'Nous façonnons à la main : chaque pâton est pesé, boulé, puis posé sur une toile de lin.',
    'Le four est chargé vers quatre heures. On n’entend que la buée et la radio en sourdine.',
    'La croûte chante en refroidissant : ces petits craquements disent que la cuisson a été franche.',
  ],
  reminders: ['À garder dans un torchon propre', 'Jamais au réfrigérateur', 'Tranché et congelé, il se garde un mois'],
};

export const RECIPE_ARTICLES: Category = {
  category: 'Recettes',
  subjects: [
    ...['Pain perdu aux pommes', 'Croque-monsieur au comté', 'Pudding de pain rassis', 'Salade de croûtons à l’ail'],
    ...['Tartines figues et chèvre', 'Soupe à l’oignon gratinée', 'Clafoutis aux cerises', 'Tarte aux pralines'],
    ...[
      'Galette des Rois maison',
      'Bûche aux marrons',
      'Cake aux olives',
      'Gougères',
      'Pissaladière',
      'Quiche lorraine',
    ],
    ...['Tarte Tatin', 'Financiers aux amandes', 'Madeleines au miel', 'Chaussons aux pommes', 'Pizza au levain'],
    'Galettes de sarrasin',
  ],
  keyword: 'recette {}',
  angles: [
    ['{} : la recette de nos boulangers', 'Une recette que l’on se transmet d’une boutique à l’autre, au gramme près.'],
    ['{} : les gestes qui changent tout', 'Rien de compliqué ici, mais deux ou trois gestes font la différence.'],
    ['{} en famille, version rapide', 'Peu de vaisselle, peu d’attente : la version que nous faisons en semaine.'],
  ],
  passages: [
    'Sortez les ingrédients une demi-heure à l’avance : à température ambiante, ils se mélangent mieux.',
    'Préchauffez le four dès le début. Un four vraiment chaud fait la moitié du travail.',
    'Surveillez la couleur plutôt que la minuterie ; chaque four a son caractère.',
    'Laissez reposer quelques minutes avant de servir : les saveurs se posent.',
  ],
  reminders: ['Pour quatre à six personnes', 'Une heure en tout', 'Gardez un morceau pour le lendemain'],
};

export const SHOP_ARTICLES: Category = {
  category: 'La vie des boutiques',
  subjects: PLACES.map(({ city }) => city),
  keyword: 'boulangerie {}',
  angles: [
    ['{} : rencontre avec notre équipe', 'Notre boutique de {} nous a ouvert les portes de ses journées.'],
    ['Une matinée derrière le comptoir à {}', 'Il est six heures et demie à {}, et la vitrine se remplit.'],
    ['{} : nos horaires évoluent', 'Pour mieux vous accueillir à {}, nous ouvrons une demi-heure plus tôt.'],
    ['Atelier pain pour les enfants à {}', 'Tablier trop grand : les ateliers du mercredi reprennent à {}.'],
    ['Nos producteurs autour de {}', 'Meunier, crémière, apiculteur : ils travaillent tout près de {}.'],
  ],
  passages: [
    'Le premier client arrive avant l’ouverture, prend un café debout et repart avec sa tourte.',
    'À dix heures, les commandes du midi sont prêtes et partent dans les bureaux du quartier.',
    'Entre deux fournées, on goûte, on note, on ajuste, jusqu’à ce que toute l’équipe en reprenne.',
    'Les invendus du soir rejoignent une association du quartier, cinq soirs par semaine.',
  ],
  reminders: ['Ouvert du mardi au dimanche', 'Commandes au comptoir', 'Dernière fournée à dix-sept heures'],
};

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ');

/** The subject of season articles depends on their date. */
export const seasonArticles = (date: Date): Category => ({
  category: 'Saisons',
  subjects: [`${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`],
  keyword: 'boulangerie {}',
  angles: [
    ['Notre carte en {}', 'Voici ce que notre vitrine met à l’honneur en {}.'],
    ['{} au fournil : ce qui change dans nos recettes', 'La farine suit la température : nous revoyons nos dosages.'],
    ['Quel pain choisir en {} ?', 'Selon le temps qu’il fait, on n’a pas envie du même pain. Nos conseils.'],
    ['Le panier, {} : les produits que nous attendions', 'Nous avons fait le tour de nos producteurs.'],
  ],
  passages: [
    'Nous achetons au plus près de chaque boutique, et la carte s’arrête quand le produit s’arrête.',
    'La spécialité du mois se réserve au comptoir, la veille avant dix-huit heures.',
    'Et pour le quotidien, demandez la fournée de onze heures : le pain est encore tiède.',
  ],
  reminders: ['Produits de saison', 'Petites quantités', 'Réservation au comptoir'],
});

/**
 * The draft with this number in its category. Neighbours have different subjects and angles, and no pair of subject and
 * angle repeats before all pairs are used.
 */
export function draftAbout(from: Category, number: number): Draft {
  const { subjects, angles } = from;
  const subject = subjects[number % subjects.length] ?? '';
  const angle = (Math.floor(number / subjects.length) + (number % subjects.length)) % angles.length;
  const [title, excerpt] = (angles[angle] ?? ['', '']).map((text) =>
    typeset(capitalise(text.replaceAll('de {}', of(subject)).replaceAll('{}', subject))),
  );
  const html = [
    paragraph(excerpt ?? ''),
    heading('Chez Augustine'),
    ...pick(from.passages, number, 3).map((text) => paragraph(typeset(text))),
    heading('À retenir'),
    bullets(from.reminders),
  ];
  return {
    title: title ?? '',
    excerpt: excerpt ?? '',
    html: html.join('\n'),
    keyword: from.keyword.replace('{}', subject.toLowerCase()),
    category: from.category,
  };
}
