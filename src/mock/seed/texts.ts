import { bullets, capitalise, heading, paragraph, pick } from './prose.js';
import { BREADS, type Bread, MONTHS, type Month, PEOPLE, RECIPES, type Recipe } from './subjects.js';

/** What an article says, before it is given a date and a place. */
export interface Draft {
  readonly title: string;
  readonly excerpt: string;
  readonly html: string;
  readonly keyword: string;
  readonly category: string;
}

/**
 * How to write about one of `subjects`: neighbours are told in different ways, and a subject that comes round again is
 * told in its next one. No pair comes twice before all have come once.
 */
const angleOf = (index: number, subjects: number, angles: number): number =>
  (Math.floor(index / subjects) + (index % subjects)) % angles;

const FERMENTATION: readonly string[] = [
  'La pâte est pétrie lentement, puis laissée au repos jusqu’au lendemain. Ce long sommeil donne le goût et fait tenir la mie.',
  'Nous façonnons à la main, sans machine à diviser : chaque pâton est pesé, boulé, puis posé sur une toile de lin.',
  'Le four est chargé vers quatre heures. À cette heure-là, on n’entend que le souffle de la buée et la radio en sourdine.',
  'La croûte chante en refroidissant : ces petits craquements disent que la cuisson a été franche.',
  'L’eau, la farine, le sel et le temps : la liste est courte, et c’est pour cela que chaque détail compte.',
];

const KEEPING: readonly string[] = [
  'Enveloppez-le dans un torchon propre, la tranche posée sur la planche.',
  'Évitez le réfrigérateur : le froid rassit la mie plus vite que l’air.',
  'Pour le lendemain, trois minutes à four vif suffisent à rendre le croustillant.',
  'Tranché et congelé le jour même, il garde tout son goût pendant un mois.',
];

/** How many ways there are to write about one bread, and about one recipe. */
export const BREAD_ANGLES = 5;
export const RECIPE_ANGLES = 3;

export function aboutBread(index: number): Draft {
  const item = BREADS[index % BREADS.length] as Bread;
  const angle = angleOf(index, BREADS.length, BREAD_ANGLES);
  const [first = '', second = '', third = ''] = pick(FERMENTATION, index, 3);
  const titles = [
    `${capitalise(item.the)} : comment reconnaître un bon travail`,
    `Comment conserver ${item.the} plusieurs jours`,
    `Une nuit au fournil avec ${item.the}`,
    `Que servir avec ${item.the} ?`,
    `Les secrets ${item.of}, racontés par nos boulangers`,
  ];
  const openings = [
    `Une farine juste, une cuisson franche, une mie qui a du caractère : ${item.the} se juge d’abord avec les yeux.`,
    `Acheter du bon pain et en jeter la moitié, personne n’aime cela. Voici comment garder ${item.the} sans rien perdre.`,
    `Il est minuit passé, la rue dort, et dans le fournil on prépare déjà ${item.the} du matin.`,
    `C’est l’une des questions que l’on nous pose le plus souvent le samedi : avec quoi mettre ${item.the} sur la table ?`,
    `Chaque équipe a ses habitudes, mais toutes s’accordent sur l’essentiel ${item.of}.`,
  ];
  return {
    title: titles[angle] ?? '',
    excerpt: openings[angle] ?? '',
    keyword: item.name,
    category: 'Nos pains',
    html: [
      paragraph(openings[angle] ?? ''),
      heading('Ce qu’il y a dedans'),
      paragraph(`Nous employons ${article(item.flour)}. ${first}`),
      paragraph(second),
      heading('La cuisson'),
      paragraph(`Comptez ${item.baking}. ${third}`),
      ...(angle === 1 ? [heading('Quatre gestes simples'), bullets(KEEPING)] : []),
      ...(angle === 3 ? [heading('Nos accords')] : []),
      paragraph(`Sur la table, ${item.the} aime ${item.pairing}. Demandez au comptoir : nous goûtons tout avant vous.`),
    ].join('\n'),
  };
}

const article = (flour: string): string => `une farine simple et bien choisie (${flour})`;

const METHOD: readonly string[] = [
  'Sortez les ingrédients une demi-heure à l’avance : à température ambiante, ils se mélangent mieux.',
  'Préchauffez le four dès le début. Un four vraiment chaud fait la moitié du travail.',
  'Travaillez par petites quantités, sans chercher à tout lisser : un peu d’irrégularité donne du relief.',
  'Surveillez la couleur plutôt que la minuterie ; chaque four a son caractère.',
  'Laissez reposer quelques minutes avant de servir : les saveurs se posent.',
];

export function aboutRecipe(index: number): Draft {
  const item = RECIPES[index % RECIPES.length] as Recipe;
  const angle = angleOf(index, RECIPES.length, RECIPE_ANGLES);
  const titles = [
    `${item.name} : la recette de nos boulangers`,
    `${item.name} : les gestes qui changent tout`,
    `${item.name} en famille, version rapide`,
  ];
  const openings = [
    `Une recette que l’on se transmet d’une boutique à l’autre, réglée au gramme près et prête en ${item.minutes} minutes.`,
    'Rien de compliqué ici, mais deux ou trois gestes font toute la différence entre un plat correct et un plat dont on se souvient.',
    `Peu de vaisselle, peu d’attente : la version que nous faisons chez nous les soirs de semaine, pour ${item.serves} personnes.`,
  ];
  return {
    title: titles[angle] ?? '',
    excerpt: openings[angle] ?? '',
    keyword: `recette ${item.name.toLowerCase()}`,
    category: 'Recettes',
    html: [
      paragraph(openings[angle] ?? ''),
      heading(`Pour ${item.serves} personnes`),
      bullets(item.ingredients),
      heading('La marche à suivre'),
      ...pick(METHOD, index, 2 + (index % 3)).map(paragraph),
      paragraph(
        `Comptez ${item.minutes} minutes en tout, et gardez un morceau pour le lendemain : c’est souvent là qu’il est le meilleur.`,
      ),
    ].join('\n'),
  };
}

/** How many ways there are to write about one month. */
export const SEASON_ANGLES = 4;

export function aboutSeason(monthIndex: number, year: number, angle: number): Draft {
  const item = MONTHS[monthIndex] as Month;
  const [first = '', second = '', third = ''] = item.produce;
  const titles = [
    `Notre carte ${item.of} ${year}`,
    `${capitalise(item.name)} ${year} au fournil : ce qui change dans nos recettes`,
    `Quel pain choisir en ${item.name} ${year} ?`,
    `Le panier ${item.of} ${year} : les produits que nous attendions`,
  ];
  const openings = [
    `En ${item.name}, notre vitrine met à l’honneur ${item.speciality}.`,
    'La farine ne se comporte pas de la même façon selon la température du fournil : nous revoyons nos dosages chaque mois.',
    `Selon le temps qu’il fait, on n’a pas envie du même pain. Voici ce que nous conseillons en ${item.name}.`,
    `Nous avons fait le tour de nos producteurs : ${first}, ${second} et ${third} sont arrivés.`,
  ];
  return {
    title: titles[angle] ?? '',
    excerpt: openings[angle] ?? '',
    keyword: `boulangerie ${item.name}`,
    category: 'Saisons',
    html: [
      paragraph(openings[angle] ?? ''),
      heading('Au marché'),
      bullets(item.produce.map(capitalise)),
      paragraph(
        'Nous achetons au plus près de chaque boutique, en petites quantités, et la carte s’arrête quand le produit s’arrête.',
      ),
      heading('Dans la vitrine'),
      paragraph(
        `La spécialité du mois est ${item.speciality}. Elle se réserve au comptoir, la veille avant dix-huit heures.`,
      ),
      ...(angle % 2 === 0
        ? [
            paragraph(
              'Et pour le quotidien, demandez la fournée de onze heures : c’est la plus calme, et le pain est encore tiède.',
            ),
          ]
        : []),
    ].join('\n'),
  };
}

const DAYS: readonly string[] = [
  'Le premier client arrive avant l’ouverture, prend un café debout et repart avec la même tourte depuis des années.',
  'À dix heures, les commandes du midi sont prêtes : sandwichs, quiches et salades partent dans les bureaux du quartier.',
  'Entre deux fournées, on goûte, on note, on ajuste. Une recette n’entre à la carte que si toute l’équipe en reprend.',
  'Les invendus du soir rejoignent une association du quartier, cinq soirs par semaine.',
  'Le mercredi, les enfants passent la tête par la porte du fournil et repartent avec un morceau de pâte.',
];

export const SHOP_ANGLES = 5;

export function aboutShop(city: string, district: string, index: number): Draft {
  const angle = index % SHOP_ANGLES;
  const person = PEOPLE[(index * 3 + city.length) % PEOPLE.length] ?? { name: 'Léa', craft: 'boulangère' };
  const titles = [
    `${city} : rencontre avec ${person.name}, ${person.craft}`,
    `Une matinée derrière le comptoir à ${city}`,
    `${city} ${district} : nos horaires évoluent`,
    `Atelier pain pour les enfants à ${city}`,
    `Nos producteurs autour de ${city}`,
  ];
  const openings = [
    `${person.name} travaille dans notre boutique de ${city} et nous a ouvert les portes de ses journées.`,
    `Il est six heures et demie à ${city}, quartier ${district}, et la vitrine se remplit.`,
    `Pour mieux vous accueillir à ${city}, nous ouvrons une demi-heure plus tôt en semaine.`,
    `Mains dans la farine et tablier trop grand : les ateliers du mercredi reprennent à ${city}.`,
    `Meunier, crémière, apiculteur : ils travaillent à moins de soixante kilomètres de ${city}.`,
  ];
  return {
    title: titles[angle] ?? '',
    excerpt: openings[angle] ?? '',
    keyword: `boulangerie ${city}`,
    category: 'La vie des boutiques',
    html: [
      paragraph(openings[angle] ?? ''),
      heading(`À ${city}, quartier ${district}`),
      ...pick(DAYS, index + city.length, 2 + (index % 3)).map(paragraph),
      heading('À retenir'),
      bullets([
        'Ouvert du mardi au dimanche',
        'Commandes au comptoir ou par téléphone',
        'Dernière fournée à dix-sept heures',
      ]),
      paragraph(`À très vite à ${city}.`),
    ].join('\n'),
  };
}
