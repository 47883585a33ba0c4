/** A bread, with the forms that French sentences need. */
export interface Bread {
  readonly name: string;
  /** With its article: `la baguette de tradition`. */
  readonly the: string;
  /** After "de": `de la baguette de tradition`. */
  readonly of: string;
  readonly flour: string;
  readonly baking: string;
  readonly pairing: string;
}

const bread = (gender: 'm' | 'f' | 'l', name: string, flour: string, baking: string, pairing: string): Bread => {
  const forms = { m: ['le ', 'du '], f: ['la ', 'de la '], l: ['l’', 'de l’'] } as const;
  const [the, of] = forms[gender];
  return { name, the: the + name, of: of + name, flour, baking, pairing };
};

export const BREADS: readonly Bread[] = [
  bread(
    'f',
    'baguette de tradition',
    'blé T65 sans additif',
    'vingt-deux minutes à 250 °C, avec beaucoup de buée',
    'un beurre demi-sel ou un saucisson de pays',
  ),
  bread(
    'm',
    'pain de campagne',
    'blé T80 et une pointe de seigle',
    'quarante minutes à chaleur tombante',
    'une soupe de légumes ou un fromage à pâte dure',
  ),
  bread(
    'm',
    'pain au levain',
    'blé T80 moulu sur meule',
    'quarante-cinq minutes sur la pierre',
    'des huîtres, une terrine ou un comté de garde',
  ),
  bread(
    'f',
    'tourte de seigle',
    'seigle T130',
    'une heure, à four d’abord très vif',
    'du saumon fumé ou un bleu d’Auvergne',
  ),
  bread(
    'm',
    'pain à l’épeautre',
    'grand épeautre bio',
    'trente-cinq minutes, sans trop de couleur',
    'un chèvre frais ou une confiture d’abricots',
  ),
  bread(
    'm',
    'pain complet',
    'blé T150',
    'quarante minutes, en moule ou sur sole',
    'un œuf à la coque ou du miel de châtaignier',
  ),
  bread(
    'm',
    'pain aux noix',
    'blé T80 et cerneaux de Grenoble',
    'trente minutes à 220 °C',
    'un roquefort ou une salade d’endives',
  ),
  bread(
    'f',
    'fougasse aux olives',
    'blé T65 et huile d’olive',
    'dix-huit minutes à four très chaud',
    'une salade de tomates ou un rosé bien frais',
  ),
  bread(
    'm',
    'pain de mie',
    'blé T55 et lait entier',
    'trente minutes en moule fermé',
    'un croque-monsieur ou des asperges',
  ),
  bread(
    'f',
    'brioche tressée',
    'gruau et beurre de baratte',
    'vingt-cinq minutes à 170 °C',
    'une marmelade d’oranges ou un chocolat chaud',
  ),
  bread(
    'm',
    'pain aux céréales',
    'blé T80, tournesol, lin et sésame',
    'trente-cinq minutes à 230 °C',
    'un houmous ou un fromage blanc aux herbes',
  ),
  bread('f', 'ficelle au sésame', 'blé T65 et sésame toasté', 'quinze minutes à 250 °C', 'une tapenade ou un tarama'),
  bread(
    'f',
    'ciabatta',
    'blé T65 et huile d’olive',
    'vingt minutes avec de la vapeur',
    'une mozzarella et un filet d’huile',
  ),
  bread(
    'm',
    'pain de maïs',
    'maïs jaune et blé T65',
    'quarante minutes à 210 °C',
    'un jambon de Bayonne ou un poulet basquaise',
  ),
  bread('m', 'pain viennois', 'blé T55 et un peu de lait', 'seize minutes à 190 °C', 'une barre de chocolat noir'),
  bread(
    'f',
    'baguette aux graines',
    'blé T65, pavot et lin brun',
    'vingt minutes à 245 °C',
    'une rillette de sardines',
  ),
  bread('m', 'pain de sarrasin', 'sarrasin de Bretagne et blé T80', 'quarante minutes à 220 °C', 'un beurre d’algues'),
  bread('f', 'focaccia au romarin', 'blé T65 et huile d’olive', 'vingt minutes à 230 °C', 'des légumes grillés'),
  bread(
    'm',
    'pain au petit épeautre',
    'petit épeautre de Provence',
    'cinquante minutes en moule',
    'un fromage de brebis',
  ),
  bread(
    'l',
    'étoile de Noël au pavot',
    'blé T65 et graines de pavot',
    'trente minutes à 200 °C',
    'un foie gras ou une compotée d’oignons',
  ),
];

export interface Recipe {
  readonly name: string;
  readonly minutes: number;
  readonly serves: number;
  readonly ingredients: readonly string[];
}

const recipe = (name: string, minutes: number, serves: number, ...ingredients: string[]): Recipe => ({
  name,
  minutes,
  serves,
  ingredients,
});

export const RECIPES: readonly Recipe[] = [
  recipe(
    'Pain perdu aux pommes',
    25,
    4,
    '8 tranches de brioche de la veille',
    '3 pommes acidulées',
    '2 œufs',
    '25 cl de lait',
  ),
  recipe(
    'Croque-monsieur au comté',
    20,
    2,
    '4 tranches de pain de mie',
    '120 g de comté râpé',
    '2 tranches de jambon',
    'un peu de béchamel',
  ),
  recipe('Pudding de pain rassis', 60, 6, '300 g de pain rassis', '50 cl de lait', '3 œufs', '100 g de raisins secs'),
  recipe(
    'Salade de croûtons à l’ail',
    15,
    4,
    '4 tranches de pain de campagne',
    '2 gousses d’ail',
    'une frisée',
    'des lardons',
  ),
  recipe(
    'Tartines figues et chèvre',
    12,
    4,
    '4 tranches de pain aux noix',
    '6 figues',
    'une bûche de chèvre',
    'du thym frais',
  ),
  recipe(
    'Soupe à l’oignon gratinée',
    55,
    4,
    '6 oignons jaunes',
    '8 tranches de baguette',
    '150 g d’emmental',
    '1 litre de bouillon',
  ),
  recipe('Clafoutis aux cerises', 50, 6, '600 g de cerises', '120 g de farine T55', '4 œufs', '40 cl de lait'),
  recipe(
    'Tarte aux pralines',
    65,
    8,
    '250 g de pralines roses',
    '25 cl de crème',
    'une pâte sablée',
    'une pincée de sel',
  ),
  recipe(
    'Galette des Rois maison',
    75,
    8,
    '2 disques de pâte feuilletée',
    '150 g de poudre d’amandes',
    '100 g de beurre',
    'une fève',
  ),
  recipe(
    'Bûche aux marrons',
    90,
    8,
    '400 g de crème de marrons',
    '4 œufs',
    '90 g de farine',
    'des brisures de marrons glacés',
  ),
  recipe('Cake aux olives', 55, 6, '180 g de farine', '150 g d’olives vertes', '3 œufs', '10 cl d’huile d’olive'),
  recipe('Gougères', 40, 6, '125 g de farine', '4 œufs', '100 g de beurre', '120 g de gruyère'),
  recipe('Pissaladière', 80, 6, 'une pâte à pain', '1 kg d’oignons', '12 anchois', 'des olives de Nice'),
  recipe('Quiche lorraine', 60, 6, 'une pâte brisée', '200 g de lardons', '3 œufs', '30 cl de crème'),
  recipe('Tarte Tatin', 70, 6, '8 pommes reinettes', '120 g de sucre', '80 g de beurre', 'une pâte feuilletée'),
  recipe(
    'Financiers aux amandes',
    30,
    6,
    '100 g de poudre d’amandes',
    '4 blancs d’œufs',
    '120 g de beurre noisette',
    '50 g de farine',
  ),
  recipe('Madeleines au miel', 45, 6, '150 g de farine', '3 œufs', '125 g de beurre', '2 cuillerées de miel'),
  recipe('Chaussons aux pommes', 50, 6, 'une pâte feuilletée', '5 pommes', '40 g de sucre', '1 jaune d’œuf'),
  recipe(
    'Pizza au levain',
    35,
    4,
    '400 g de pâte au levain',
    '200 g de tomates concassées',
    'une mozzarella',
    'du basilic',
  ),
  recipe('Galettes de sarrasin', 40, 6, '330 g de farine de sarrasin', '75 cl d’eau', '10 g de gros sel', 'un œuf'),
];

export interface Month {
  readonly name: string;
  /** After "de": `d’avril`. */
  readonly of: string;
  readonly produce: readonly string[];
  readonly speciality: string;
}

const month = (name: string, speciality: string, ...produce: string[]): Month => ({
  name,
  of: /^[ao]/.test(name) ? `d’${name}` : `de ${name}`,
  speciality,
  produce,
});

export const MONTHS: readonly Month[] = [
  month('janvier', 'la galette des Rois', 'les poires', 'les agrumes', 'les noix'),
  month('février', 'les bugnes et les crêpes', 'les pommes de garde', 'les oranges sanguines', 'le potimarron'),
  month('mars', 'le pain aux herbes nouvelles', 'la rhubarbe', 'l’ail des ours', 'les épinards'),
  month('avril', 'la brioche de Pâques', 'les premières fraises', 'les asperges', 'l’oseille'),
  month('mai', 'la tarte aux fraises', 'les fraises', 'les petits pois', 'la menthe'),
  month('juin', 'le clafoutis', 'les cerises', 'les abricots', 'le basilic'),
  month('juillet', 'la fougasse à partager', 'les pêches', 'les tomates', 'les framboises'),
  month('août', 'la tarte aux mirabelles', 'les mirabelles', 'les courgettes', 'les mûres'),
  month('septembre', 'le pain aux raisins frais', 'les figues', 'le raisin', 'les quetsches'),
  month('octobre', 'le pain à la courge', 'les courges', 'les pommes', 'les châtaignes'),
  month('novembre', 'le pain aux noix nouvelles', 'les coings', 'les noix', 'les poireaux'),
  month('décembre', 'la bûche et le pain d’épices', 'les clémentines', 'les marrons', 'les dattes'),
];

export interface Person {
  readonly name: string;
  readonly craft: string;
}

export const PEOPLE: readonly Person[] = [
  { name: 'Maïwenn', craft: 'cheffe boulangère' },
  { name: 'Karim', craft: 'tourier' },
  { name: 'Solène', craft: 'vendeuse depuis douze ans' },
  { name: 'Thibault', craft: 'apprenti' },
  { name: 'Inès', craft: 'pâtissière' },
  { name: 'Gaspard', craft: 'responsable de boutique' },
  { name: 'Awa', craft: 'boulangère de nuit' },
];
