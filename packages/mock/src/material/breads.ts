import type { Texts } from './types.js';

/** Flour, weight, baking and how long it keeps, in the order of `BREADS` of seed/prose.ts. */
export const BREAD_FACTS = [
  'Blé T65|250 g|22 min|Le jour même',
  'Blé T80 et seigle|1 kg|45 min|Quatre jours',
  'Blé T80|800 g|42 min|Cinq jours',
  'Seigle T130|1 kg|55 min|Une semaine',
  'Épeautre T110|500 g|35 min|Quatre jours',
  'Blé T150|500 g|35 min|Trois jours',
  'Blé T80 et noix|400 g|30 min|Trois jours',
  'Blé T65 et olives|350 g|18 min|Le jour même',
  'Blé T55 et lait|500 g|30 min|Trois jours',
  'Blé T45, beurre et œufs|450 g|28 min|Deux jours',
  'Blé T80 et six graines|400 g|32 min|Trois jours',
  'Blé T65 et sésame|125 g|16 min|Le jour même',
  'Blé T55 et huile d’olive|300 g|20 min|Deux jours',
  'Maïs et blé T65|450 g|35 min|Deux jours',
  'Blé T55, lait et sucre|250 g|18 min|Deux jours',
  'Blé T65 et graines|260 g|22 min|Deux jours',
  'Sarrasin et blé T80|500 g|38 min|Trois jours',
  'Blé T65 et romarin|600 g|20 min|Le jour même',
  'Petit épeautre|450 g|40 min|Cinq jours',
  'Blé T45 et pavot|700 g|30 min|Deux jours',
];

export const BREAD_TEXTS: Texts = {
  angles: [
    ['{} : comment reconnaître un bon travail', 'Une mie qui a du caractère : {} se juge d’abord avec les yeux.', 0],
    [
      'Comment conserver {} plusieurs jours',
      'Personne n’aime jeter du pain. Voici comment garder {} sans rien perdre.',
      1,
    ],
    ['Une nuit au fournil avec {}', 'Il est minuit passé, la rue dort, et au fournil on prépare déjà {} du matin.', 2],
    ['Que servir avec {} ?', 'On nous le demande souvent le samedi : avec quoi mettre {} sur la table ?', 3],
    ['Nos boulangers racontent {}', 'Chaque équipe a ses habitudes, mais toutes s’accordent sur l’essentiel.', 4],
    ['{} au petit-déjeuner', 'Grillé, beurré ou tel quel : trois façons de commencer la journée avec {}.', 5],
    [
      'Pourquoi nous laissons reposer {} une nuit entière, et ce que cette attente change dans votre assiette',
      'Une pâte pressée donne un pain sans mémoire. Nous avons choisi de prendre notre temps, et voici pourquoi.',
      2,
    ],
  ],
  intros: [
    'Pas de secret, pas de machine miracle. De la farine, de l’eau, du sel, du temps. Le reste est une question de main, et les mains s’éduquent.',
    'Il y a dans chaque boutique un moment que les clients ne voient pas. La porte est encore fermée, la farine flotte dans la lumière du four, et quelqu’un appuie un doigt sur la pâte pour savoir si c’est l’heure. Nous avons voulu raconter ce moment, sans nous presser.',
    'Vous nous posez ces questions tous les jours au comptoir. Nous y répondons ici une bonne fois, chiffres à l’appui, avec ce qui marche dans une cuisine ordinaire.',
  ],
  sections: [
    'Lire une tranche|Coupez une tranche au milieu et regardez-la à la lumière. Des alvéoles de tailles différentes, une mie couleur crème et un peu nacrée : voilà les signes d’une fermentation menée sans hâte.|Une mie très blanche, régulière comme une éponge, trahit un pétrissage trop rapide. Appuyez du bout du doigt : elle doit revenir en place en [deux/trois] secondes. Portez enfin la tranche au nez, car un bon pain sent le blé, le beurre et un peu le yaourt.',
    'Garder sans fatiguer|Un torchon de lin, une boîte en bois ou un sac en papier plié deux fois : il n’en faut pas plus. Le pain a besoin de respirer, sinon sa croûte ramollit en une heure.|Le réfrigérateur est son pire ennemi, parce que l’amidon y durcit bien plus vite qu’à l’air libre. Pour tenir plus longtemps, tranchez et congelez le jour même. Les tranches passent ensuite directement au grille-pain.',
    'Une pâte qui a dormi|Rien ne remplace une nuit de repos. La pâte est pétrie en fin d’après-midi, puis elle passe [douze/quatorze/seize] heures au frais. La farine boit l’eau, le levain travaille lentement, et les arômes se forment sans que personne n’y touche.|Le lendemain, elle s’étire sans se déchirer. On pourrait raccourcir ce temps avec davantage de levure. On y perdrait le goût de noisette, et le pain sécherait avant le soir.',
    'Les bons voisins de table|Avec {}, pensez d’abord au contraste. Une croûte marquée aime les fromages à pâte dure, une mie dense accompagne bien les soupes, et le beurre demi-sel convient à peu près à tout.|Le reste est affaire d’heure. À midi, une salade bien vinaigrée suffit. Le soir, un filet d’huile d’olive et une pincée de fleur de sel font un dîner.',
    'La main de chacun|Chaque pâton est pesé, boulé, puis posé sur une toile. Le geste dure quelques secondes et demande une année d’apprentissage : il faut serrer assez pour donner de la tenue, pas trop pour garder l’air.|On reconnaît d’ailleurs l’auteur à la forme. [Samir/Lucas/Jeanne] fait des pointes fines, [Inès/Paul/Agathe] préfère les bords ronds. Personne ici ne cherche à effacer ces différences.',
    'Le matin, sans courir|Grillez une face seulement, celle qui recevra le beurre. L’autre reste souple, et la tartine ne se brise pas sous le couteau. Deux minutes suffisent, à feu vif.|Une confiture un peu acide réveille la mie, un miel de forêt l’arrondit. Ceux qui n’aiment pas le sucre essaieront un œuf à la coque ou une tranche de jambon blanc. Le café attendra, le pain grillé non.',
    'Le feu et la buée|Le four est chargé vers [trois/quatre/cinq] heures. La sole est à deux cent cinquante degrés, et un jet de vapeur précède le pain de quelques secondes. Sans cette buée, la croûte prendrait trop tôt et la pâte ne pourrait plus gonfler.|Vient ensuite la patience. On baisse la température à mi-cuisson, on laisse sortir l’humidité, et l’on attend que le blond tourne au brun. Un pain pâle est un pain sans goût.',
    'Ce que dit la croûte|À la sortie du four, un pain bien cuit chante. Ces petits craquements viennent de la croûte, qui se rétracte plus vite que la mie. Cela dure [deux/trois] minutes et personne ne s’en lasse.|Attendez au moins [vingt minutes/une demi-heure] avant de couper. L’intérieur finit de cuire dans sa propre vapeur, et un couteau trop pressé l’écraserait. C’est le seul effort que nous vous demandons.',
    'Le lendemain et après|Aucun pain ne devrait finir à la poubelle. Le deuxième jour, humidifiez la croûte du bout des doigts et passez-la [trois/quatre] minutes au four chaud : elle retrouve presque tout.|Le troisième jour, pensez au pain perdu, aux croûtons, à la soupe. Vient enfin la chapelure : mixée bien sèche et gardée dans un bocal, elle tient [un mois/six semaines].',
  ],
  figures: [
    ['Four à pain', 'La sole, avant la première fournée.'],
    ['Épi de blé', 'Le blé arrive entier au moulin et repart en farine.'],
    ['Baguettes', 'Cinq heures : la grille du matin.'],
  ],
  reminders: [
    'À garder dans un torchon propre',
    'Jamais au réfrigérateur',
    'Tranché et congelé, il tient un mois',
    'Quelques minutes au four chaud le réveillent',
  ],
  closings: [
    'Passez en fin de matinée, quand la file est plus courte : nous ferons goûter {}.',
    'Dites-nous ce que vous en faites chez vous. Les meilleures idées finissent au tableau du fournil.',
    'Et si la première bouchée vous déçoit, attendez la deuxième : elle a eu le temps de refroidir.',
  ],
};
