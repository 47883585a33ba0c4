import { BREADS, bullets, capitalise, heading, paragraph, pick } from '../../seed/prose.js';

/** What an article says, before it is given a date and a place. */
export interface Draft {
  readonly title: string;
  readonly excerpt: string;
  readonly html: string;
  readonly keyword: string;
  readonly category: string;
}

/** What all articles of a category have in common. The reader starts with the excerpt, then come three passages. */
interface Category {
  readonly category: string;
  readonly heading: string;
  readonly passages: readonly string[];
  readonly reminders: readonly string[];
}

/** A title, and the excerpt that goes with it. */
type Angle = readonly [title: string, excerpt: string];

function draft(from: Category, [title, excerpt]: Angle, keyword: string, index: number): Draft {
  const html = [
    paragraph(excerpt),
    heading(from.heading),
    ...pick(from.passages, index, 3).map(paragraph),
    heading('À retenir'),
    bullets(from.reminders),
  ].join('\n');
  return { title, excerpt, html, keyword, category: from.category };
}

/**
 * The angle of an article about one of `subjects`. Neighbours have different angles, and a subject that comes again has
 * its next one. No pair of subject and angle repeats before all have been used.
 */
const angleOf = (index: number, subjects: number, angles: number): number =>
  (Math.floor(index / subjects) + (index % subjects)) % angles;

const ABOUT_BREADS: Category = {
  category: 'Nos pains',
  heading: 'Au fournil',
  passages: [
    'La pâte est pétrie lentement, puis laissée au repos jusqu’au lendemain. Ce long sommeil donne le goût et fait tenir la mie.',
    'Nous façonnons à la main, sans machine à diviser : chaque pâton est pesé, boulé, puis posé sur une toile de lin.',
    'Le four est chargé vers quatre heures. À cette heure-là, on n’entend que le souffle de la buée et la radio en sourdine.',
    'La croûte chante en refroidissant : ces petits craquements disent que la cuisson a été franche.',
    'L’eau, la farine, le sel et le temps : la liste est courte, et c’est pour cela que chaque détail compte.',
  ],
  reminders: [
    'Enveloppez-le dans un torchon propre, la tranche posée sur la planche.',
    'Évitez le réfrigérateur : le froid rassit la mie plus vite que l’air.',
    'Tranché et congelé le jour même, il garde tout son goût pendant un mois.',
  ],
};

/** How many angles there are for one bread, one recipe and one month. */
export const BREAD_ANGLES = 5;
export const RECIPE_ANGLES = 3;
export const SEASON_ANGLES = 4;

export function aboutBread(index: number): Draft {
  const bread = BREADS[index % BREADS.length] ?? BREADS[0];
  const name = bread.replace(/^(le |la |l’)/, '');
  const ofBread = bread.startsWith('le ') ? `du ${name}` : `de ${bread}`;
  const angles: readonly Angle[] = [
    [
      `${capitalise(bread)} : comment reconnaître un bon travail`,
      `Une farine juste, une cuisson franche, une mie qui a du caractère : ${bread} se juge d’abord avec les yeux.`,
    ],
    [
      `Comment conserver ${bread} plusieurs jours`,
      `Acheter du bon pain et en jeter la moitié, personne n’aime cela. Voici comment garder ${bread} sans rien perdre.`,
    ],
    [
      `Une nuit au fournil avec ${bread}`,
      `Il est minuit passé, la rue dort, et dans le fournil on prépare déjà ${bread} du matin.`,
    ],
    [
      `Que servir avec ${bread} ?`,
      `C’est l’une des questions que l’on nous pose le plus souvent le samedi : avec quoi mettre ${bread} sur la table ?`,
    ],
    [
      `Les secrets ${ofBread}, racontés par nos boulangers`,
      `Chaque équipe a ses habitudes, mais toutes s’accordent sur l’essentiel ${ofBread}.`,
    ],
  ];
  return draft(ABOUT_BREADS, angleAt(angles, angleOf(index, BREADS.length, BREAD_ANGLES)), name, index);
}

export const RECIPES = [
  'Pain perdu aux pommes',
  'Croque-monsieur au comté',
  'Pudding de pain rassis',
  'Salade de croûtons à l’ail',
  'Tartines figues et chèvre',
  'Soupe à l’oignon gratinée',
  'Clafoutis aux cerises',
  'Tarte aux pralines',
  'Galette des Rois maison',
  'Bûche aux marrons',
  'Cake aux olives',
  'Gougères',
  'Pissaladière',
  'Quiche lorraine',
  'Tarte Tatin',
  'Financiers aux amandes',
  'Madeleines au miel',
  'Chaussons aux pommes',
  'Pizza au levain',
  'Galettes de sarrasin',
] as const;

const ABOUT_RECIPES: Category = {
  category: 'Recettes',
  heading: 'La marche à suivre',
  passages: [
    'Sortez les ingrédients une demi-heure à l’avance : à température ambiante, ils se mélangent mieux.',
    'Préchauffez le four dès le début. Un four vraiment chaud fait la moitié du travail.',
    'Travaillez par petites quantités, sans chercher à tout lisser : un peu d’irrégularité donne du relief.',
    'Surveillez la couleur plutôt que la minuterie ; chaque four a son caractère.',
    'Laissez reposer quelques minutes avant de servir : les saveurs se posent.',
  ],
  reminders: ['Pour quatre à six personnes', 'Une heure en tout', 'Gardez un morceau pour le lendemain'],
};

export function aboutRecipe(index: number): Draft {
  const recipe = RECIPES[index % RECIPES.length] ?? RECIPES[0];
  const angles: readonly Angle[] = [
    [
      `${recipe} : la recette de nos boulangers`,
      'Une recette que l’on se transmet d’une boutique à l’autre, réglée au gramme près.',
    ],
    [
      `${recipe} : les gestes qui changent tout`,
      'Rien de compliqué ici, mais deux ou trois gestes font la différence entre un plat correct et un plat dont on se souvient.',
    ],
    [
      `${recipe} en famille, version rapide`,
      'Peu de vaisselle, peu d’attente : la version que nous faisons chez nous les soirs de semaine.',
    ],
  ];
  const angle = angleAt(angles, angleOf(index, RECIPES.length, RECIPE_ANGLES));
  return draft(ABOUT_RECIPES, angle, `recette ${recipe.toLowerCase()}`, index);
}

const MONTHS = [
  ['janvier', 'la galette des Rois', 'les poires, les agrumes et les noix'],
  ['février', 'les bugnes et les crêpes', 'les pommes de garde, les oranges sanguines et le potimarron'],
  ['mars', 'le pain aux herbes nouvelles', 'la rhubarbe, l’ail des ours et les épinards'],
  ['avril', 'la brioche de Pâques', 'les premières fraises, les asperges et l’oseille'],
  ['mai', 'la tarte aux fraises', 'les fraises, les petits pois et la menthe'],
  ['juin', 'le clafoutis', 'les cerises, les abricots et le basilic'],
  ['juillet', 'la fougasse à partager', 'les pêches, les tomates et les framboises'],
  ['août', 'la tarte aux mirabelles', 'les mirabelles, les courgettes et les mûres'],
  ['septembre', 'le pain aux raisins frais', 'les figues, le raisin et les quetsches'],
  ['octobre', 'le pain à la courge', 'les courges, les pommes et les châtaignes'],
  ['novembre', 'le pain aux noix nouvelles', 'les coings, les noix et les poireaux'],
  ['décembre', 'la bûche et le pain d’épices', 'les clémentines, les marrons et les dattes'],
] as const;

const ABOUT_SEASONS: Category = {
  category: 'Saisons',
  heading: 'Au marché',
  passages: [
    'Nous achetons au plus près de chaque boutique, en petites quantités, et la carte s’arrête quand le produit s’arrête.',
    'La spécialité du mois se réserve au comptoir, la veille avant dix-huit heures.',
    'Et pour le quotidien, demandez la fournée de onze heures : c’est la plus calme, et le pain est encore tiède.',
  ],
  reminders: ['Produits de saison', 'Petites quantités', 'Réservation au comptoir'],
};

export function aboutSeason(monthIndex: number, year: number, index: number): Draft {
  const [month, speciality, produce] = MONTHS[monthIndex] ?? MONTHS[0];
  const ofMonth = /^[ao]/.test(month) ? `d’${month}` : `de ${month}`;
  const angles: readonly Angle[] = [
    [`Notre carte ${ofMonth} ${year}`, `En ${month}, notre vitrine met à l’honneur ${speciality}.`],
    [
      `${capitalise(month)} ${year} au fournil : ce qui change dans nos recettes`,
      'La farine ne se comporte pas de la même façon selon la température du fournil : nous revoyons nos dosages chaque mois.',
    ],
    [
      `Quel pain choisir en ${month} ${year} ?`,
      `Selon le temps qu’il fait, on n’a pas envie du même pain. Voici ce que nous conseillons en ${month}.`,
    ],
    [
      `Le panier ${ofMonth} ${year} : les produits que nous attendions`,
      `Nous avons fait le tour de nos producteurs : ${produce} sont arrivés.`,
    ],
  ];
  return draft(ABOUT_SEASONS, angleAt(angles, index), `boulangerie ${month}`, index);
}

const PEOPLE = [
  'Maïwenn, cheffe boulangère',
  'Karim, tourier',
  'Solène, vendeuse depuis douze ans',
  'Thibault, apprenti',
  'Inès, pâtissière',
  'Gaspard, responsable de boutique',
  'Awa, boulangère de nuit',
] as const;

const ABOUT_SHOPS: Category = {
  category: 'La vie des boutiques',
  heading: 'Dans la boutique',
  passages: [
    'Le premier client arrive avant l’ouverture, prend un café debout et repart avec la même tourte depuis des années.',
    'À dix heures, les commandes du midi sont prêtes : sandwichs, quiches et salades partent dans les bureaux du quartier.',
    'Entre deux fournées, on goûte, on note, on ajuste. Une recette n’entre à la carte que si toute l’équipe en reprend.',
    'Les invendus du soir rejoignent une association du quartier, cinq soirs par semaine.',
    'Le mercredi, les enfants passent la tête par la porte du fournil et repartent avec un morceau de pâte.',
  ],
  reminders: [
    'Ouvert du mardi au dimanche',
    'Commandes au comptoir ou par téléphone',
    'Dernière fournée à dix-sept heures',
  ],
};

export function aboutShop(city: string, district: string, index: number): Draft {
  const person = PEOPLE[(index * 3 + city.length) % PEOPLE.length] ?? PEOPLE[0];
  const angles: readonly Angle[] = [
    [`${city} : rencontre avec ${person}`, `Notre boutique de ${city} nous a ouvert les portes de ses journées.`],
    [
      `Une matinée derrière le comptoir à ${city}`,
      `Il est six heures et demie à ${city}, quartier ${district}, et la vitrine se remplit.`,
    ],
    [
      `${city} ${district} : nos horaires évoluent`,
      `Pour mieux vous accueillir à ${city}, nous ouvrons une demi-heure plus tôt en semaine.`,
    ],
    [
      `Atelier pain pour les enfants à ${city}`,
      `Mains dans la farine et tablier trop grand : les ateliers du mercredi reprennent à ${city}.`,
    ],
    [
      `Nos producteurs autour de ${city}`,
      `Meunier, crémière, apiculteur : ils travaillent à moins de soixante kilomètres de ${city}.`,
    ],
  ];
  return draft(ABOUT_SHOPS, angleAt(angles, index % angles.length), `boulangerie ${city}`, index + city.length);
}

function angleAt(angles: readonly Angle[], index: number): Angle {
  const angle = angles[index];
  if (angle === undefined) throw new RangeError(`there are ${angles.length} angles, and no number ${index}`);
  return angle;
}
