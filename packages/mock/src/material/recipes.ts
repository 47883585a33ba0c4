import type { Texts } from './types.js';

/** Name, minutes, ingredients for four, and steps. */
export const RECIPES = [
  'Pain perdu aux pommes|25|pain rassis:8 tranches;lait:40 cl;œufs:3;pommes:2;sucre:60 g|Battez les œufs avec le lait et la moitié du sucre, puis trempez-y les tranches.|Faites blondir les pommes en lamelles dans le reste du sucre.|Dorez le pain dans un beurre mousseux et couvrez-le de pommes.',
  'Croque-monsieur au comté|20|pain de mie:8 tranches;jambon:4 tranches;comté râpé:200 g;lait:25 cl;farine:20 g|Liez le lait et la farine sur feu doux jusqu’à obtenir une sauce nappante.|Montez les croques : sauce, jambon, comté, pain, puis encore un peu de sauce.|Passez-les dix minutes sous le gril, sans les quitter des yeux.',
  'Tartines figues et chèvre|15|pain aux noix:8 tranches;chèvre frais:200 g;figues:8;miel:40 g;thym:4 brins|Grillez les tranches d’un seul côté.|Tartinez de chèvre et ajoutez les figues en quartiers.|Terminez par le miel, le thym et trois minutes de four très chaud.',
  'Soupe à l’oignon gratinée|70|oignons:800 g;bouillon:120 cl;pain de campagne:8 tranches;comté râpé:160 g;beurre:50 g|Faites fondre les oignons dans le beurre pendant quarante minutes, à couvert.|Mouillez avec le bouillon et laissez frémir un quart d’heure.|Couvrez de pain et de fromage, puis gratinez dans des bols qui ne craignent pas le feu.',
  'Clafoutis aux cerises|50|cerises:600 g;lait:30 cl;œufs:4;farine:90 g;sucre:100 g|Posez les cerises entières, avec leur noyau, dans un plat beurré.|Mélangez le reste sans insister et versez sur les fruits.|Comptez trente-cinq minutes à 180 °C, jusqu’à ce que le centre tremble à peine.',
  'Tarte aux pralines|55|pâte sablée:300 g;pralines roses:250 g;crème épaisse:25 cl|Cuisez la pâte à blanc pendant quinze minutes.|Portez la crème et les pralines concassées à 112 °C, sans cesser de remuer.|Versez, enfournez dix minutes et laissez prendre une nuit.',
  'Galette des Rois maison|65|pâte feuilletée:2 disques;poudre d’amandes:140 g;beurre:100 g;sucre:100 g;œufs:3|Travaillez le beurre, le sucre, les amandes et deux œufs en crème.|Étalez-la sur un disque, cachez la fève, soudez le second et dorez avec l’œuf restant.|Rayez au couteau et cuisez quarante minutes à 190 °C.',
  'Gougères|45|eau:20 cl;beurre:80 g;farine:120 g;œufs:4;comté râpé:120 g|Desséchez la pâte sur le feu jusqu’à ce qu’elle quitte les bords.|Ajoutez les œufs un par un, puis le fromage.|Dressez de petites boules et n’ouvrez pas le four avant vingt-cinq minutes.',
  'Pissaladière|90|pâte à pain:500 g;oignons:1200 g;anchois:12;olives noires:60 g;huile d’olive:6 cl|Étuvez les oignons une heure dans l’huile, sans les colorer.|Étalez la pâte sur une plaque et couvrez-la généreusement.|Croisez les anchois, semez les olives et cuisez vingt minutes à 220 °C.',
  'Quiche lorraine|50|pâte brisée:250 g;lardons:200 g;crème:30 cl;œufs:4;noix de muscade:2 pincées|Foncez le moule, piquez le fond et gardez-le au froid.|Faites dorer les lardons, puis répartissez-les sur la pâte.|Versez l’appareil et laissez trente minutes à 190 °C.',
  'Tarte Tatin|75|pommes:1200 g;sucre:140 g;beurre:90 g;pâte feuilletée:230 g|Faites un caramel blond dans une poêle qui va au four.|Serrez les quartiers debout et cuisez-les vingt minutes sur feu moyen.|Couvrez de pâte, enfournez une demi-heure et retournez sans trembler.',
  'Madeleines au miel|30|œufs:3;farine:150 g;beurre:130 g;sucre:90 g;miel:40 g|Fouettez les œufs, le sucre et le miel jusqu’au ruban.|Incorporez la farine, puis le beurre fondu, et laissez la pâte au froid une nuit.|Saisissez quatre minutes à 230 °C, terminez à 180 °C : la bosse vient toute seule.',
  'Chaussons aux pommes|60|pâte feuilletée:500 g;pommes:800 g;sucre:50 g;citron:1;œufs:1|Faites une compote courte avec les pommes, le sucre et le citron.|Garnissez des disques, repliez-les et soudez les bords au pinceau.|Dorez deux fois, rayez, et comptez vingt-cinq minutes à 190 °C.',
  'Pizza au levain|40|pâte au levain:800 g;coulis de tomate:30 cl;mozzarella:300 g;basilic:8 feuilles;huile d’olive:4 cl|Sortez la pâte deux heures avant et étirez-la du bout des doigts.|Nappez de coulis jusqu’à un pouce du bord.|Cuisez sept minutes sur une pierre brûlante, et n’ajoutez le basilic qu’après.',
  'Galettes de sarrasin|35|farine de sarrasin:300 g;eau:75 cl;œufs:4;jambon:4 tranches;gruyère râpé:150 g|Battez la farine, l’eau et une bonne pincée de sel, puis oubliez la pâte deux heures.|Étalez une louche sur une plaque très chaude et graissée.|Garnissez, repliez les quatre bords et laissez croustiller.',
];

export const RECIPE_TEXTS: Texts = {
  angles: [
    [
      '{} : la recette de nos boulangers',
      'Une recette que l’on se transmet d’une boutique à l’autre, au gramme près.',
      0,
    ],
    ['{} : les gestes qui changent tout', 'Rien de compliqué ici, mais deux ou trois gestes font la différence.', 1],
    ['{} en famille, version rapide', 'Peu de vaisselle, peu d’attente : la version que nous faisons en semaine.', 2],
    [
      '{} : la recette que l’on nous demande le plus souvent au comptoir, avec les erreurs à ne pas faire',
      'Nous l’avons ratée de toutes les façons possibles, pour vous éviter cette peine.',
      3,
    ],
  ],
  intros: [
    'Cinq ingrédients ou presque. Trois étapes. Aucune excuse.',
    'Certaines recettes se lisent comme une lettre. On y reconnaît une écriture, une cuisine, des gens pressés et d’autres qui ne l’étaient pas. Celle-ci nous accompagne depuis l’ouverture de la première boutique, et nous l’écrivons enfin telle que nous la faisons.',
    'Tout est pesé pour quatre, et doublé pour les grandes tables. Lisez d’abord jusqu’au bout, sortez vos ingrédients, et gardez un œil sur le four.',
  ],
  sections: [
    'D’où vient cette recette|La fiche est arrivée chez nous [dans un cahier taché de beurre/au dos d’une carte postale/sur un sac de farine]. [Une cliente de Toulouse/Le père de Nadia/Une ancienne pâtissière de Grenoble] nous l’a confiée en échange de deux baguettes, et nous l’avons refaite onze fois avant de l’adopter.|Nous avons remplacé les tasses par des grammes et précisé les temps. Le reste n’a pas bougé, pas même les ratures.',
    'Avant de commencer|Sortez les ingrédients une demi-heure à l’avance : à température ambiante, ils se mélangent mieux. Posez tout sur le plan de travail, et vous ne courrez plus.|Côté matériel, une balance vaut mieux que tous les verres gradués. Un fouet, une maryse et un grand saladier complètent la liste. Le robot fait gagner du temps, mais il cache ce que la pâte raconte sous les doigts.',
    'Cuisiner avec les enfants|Donnez-leur un vrai rôle. À quatre ans, on pèse avec sérieux et l’on mélange avec les deux mains ; à huit ans, on surveille le four et l’on compte les minutes. Le tablier trop grand fait partie du plaisir.|Prévoyez du temps, une éponge et un peu d’indulgence. Les formes seront irrégulières, la cuisine aussi. Mais personne n’a jamais refusé de goûter ce qu’il a préparé lui-même.',
    'Les erreurs que nous avons faites|La première fois, nous avons oublié le sel. La deuxième, nous avons ouvert le four au bout de dix minutes, pour voir. La troisième, tout le monde a mangé debout autour de la plaque, et la recette a trouvé sa place.|Retenez surtout ceci : n’en faites pas trop. Une pâte travaillée à l’excès devient élastique, un plat remué sans cesse ne dore jamais.',
    'Sans minuterie|Préchauffez dès le début : un four vraiment chaud fait la moitié du travail. Placez la grille au milieu, sauf si vous cherchez un dessus bien doré. Surveillez la couleur plutôt que l’heure, car chaque four a son caractère.|Si le dessus brunit trop vite, couvrez d’une feuille de papier cuisson et baissez de vingt degrés. En cas de doute, fiez-vous à l’odeur. Elle prévient toujours avant la fumée.',
    'Variantes de nos boutiques|À Rennes, personne n’imagine cette recette sans beurre demi-sel. À Marseille, l’huile d’olive le remplace une fois sur deux. À Lille, on double la quantité, parce que les voisins passent toujours au bon moment.|Vous pouvez aussi changer de farine ou de pain. Un peu de sarrasin ou de petit épeautre apporte du caractère, à condition d’ajouter une cuillère de liquide. Goûtez, notez, recommencez.',
    'Servir et garder|Laissez reposer quelques minutes avant de servir : les saveurs se posent et le couteau glisse mieux. Ce qui sort brûlant du four n’a de goût pour personne.|S’il en reste, une boîte fermée et le frais conviennent jusqu’au lendemain. Réchauffez dix minutes à four doux, jamais au micro-ondes, qui ramollit tout ce qui doit croustiller.',
  ],
  figures: [
    ['Saladier et fouet', 'Un saladier, un fouet, et rien d’autre.'],
    ['Épi de blé', 'La farine du moulin, vendue au kilo dans nos boutiques.'],
  ],
  reminders: ['Pesez plutôt que de mesurer', 'Préchauffez longtemps', 'Gardez un morceau pour le lendemain'],
  closings: [
    'À vos fourneaux. Et racontez-nous.',
    'La prochaine fois, vous n’aurez plus besoin de cette page. C’est tout ce qu’on lui souhaite.',
    'Envoyez une photo à votre boutique : les plus belles ratées sont affichées au fournil.',
  ],
};
