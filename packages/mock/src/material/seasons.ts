import type { Texts } from './types.js';

/** What the shops buy in each month, and what becomes of it. */
export const BASKETS = [
  'Poire|Tarte bourdaloue|Citron|Tartelette meringuée|Poireau|Quiche du midi|Amande|Galette des Rois',
  'Orange sanguine|Financier|Kiwi|Tartelette|Endive|Tourte au jambon|Fleur d’oranger|Bugnes',
  'Rhubarbe|Chausson|Épinard|Feuilleté|Noix|Pain de seigle|Citron|Cake glacé',
  'Asperge|Quiche du midi|Radis|Tartine au beurre|Œuf|Brioche de Pâques|Menthe|Fougasse',
  'Fraise|Fraisier|Petit pois|Focaccia|Chèvre frais|Tartine du midi|Sureau|Brioche',
  'Cerise|Clafoutis|Framboise|Tartelette|Courgette|Pissaladière|Basilic|Fougasse',
  'Abricot|Tarte fine|Myrtille|Muffin|Tomate|Tarte du midi|Lavande|Sablé',
  'Mirabelle|Tarte lorraine|Pêche|Melba sur brioche|Poivron|Focaccia|Romarin|Pain d’été',
  'Figue|Tartine au chèvre|Prune|Tarte rustique|Raisin|Pain aux fruits|Noisette|Financier',
  'Pomme|Chausson|Courge|Pain à la courge|Coing|Pâte de fruits|Champignon|Feuilleté',
  'Châtaigne|Tourte de seigle|Poire|Cake au gingembre|Mâche|Sandwich du midi|Miel|Pain d’épices',
  'Clémentine|Brioche|Marron|Bûche|Pavot|Étoile de Noël|Cannelle|Sablé de l’Avent',
];

export const SEASON_TEXTS: Texts = {
  angles: [
    ['Notre carte en {}', 'Voici ce que notre vitrine met à l’honneur en {}.', 0],
    ['{} au fournil : ce qui change dans nos recettes', 'La farine suit le temps : nous revoyons nos dosages.', 1],
    ['Quel pain choisir en {} ?', 'Selon le temps qu’il fait, on n’a pas envie du même pain. Nos conseils.', 2],
    ['Le panier, {} : les produits que nous attendions', 'Nous avons fait le tour de nos producteurs.', 3],
    [
      'Ce que vous trouverez dans nos vitrines en {}, et pourquoi certaines recettes se feront encore attendre',
      'Une carte de saison se mérite. Voici ce qui arrive, ce qui part et ce qui tarde.',
      0,
    ],
  ],
  intros: [
    'Le marché a changé, la vitrine aussi. Regardez bien : tout n’y sera pas longtemps.',
    'Il suffit parfois d’une semaine pour que tout bascule. La lumière entre autrement dans le fournil, les cageots changent de couleur, et les clients demandent des choses auxquelles ils n’avaient pas pensé depuis un an. Nous aimons ces jours-là.',
    'Quatre produits, quatre idées, et les dates à retenir. Voici notre guide du mois, boutique par boutique, avec ce qui se réserve et ce qui se prend sans réfléchir.',
  ],
  sections: [
    'Une carte qui s’arrête à temps|Nous achetons au plus près de chaque boutique, et la carte s’arrête quand le produit s’arrête. Pas de fraise en hiver, pas de courge en été. Les premières semaines, tout le monde en demande ; les dernières, tout le monde en est las, et c’est le bon moment pour changer.|La spécialité du mois se réserve au comptoir, la veille avant dix-huit heures. Nous en faisons peu, pour n’en jeter aucune.',
    'La pâte et le thermomètre|Une pâte n’aime ni le froid ni la canicule. Quand le fournil perd [quatre/cinq] degrés, nous tiédissons l’eau et nous laissons pousser une heure de plus. Quand il en gagne, la levure diminue et les bacs passent au frais.|Le sel aussi bouge un peu. Ces réglages tiennent sur une fiche accrochée près du pétrin, corrigée au crayon, et plus personne ne sait qui a écrit la première ligne.',
    'Le pain du temps qu’il fait|Les jours froids appellent les mies denses, le seigle, les noix, tout ce qui tient tête à une soupe. Dès qu’il fait doux, on revient aux croûtes fines et aux pains que l’on déchire à la main.|Demandez la fournée de onze heures : elle est encore tiède à midi. Et si vous hésitez, prenez un demi-pain. Nous coupons volontiers.',
    'Le tour des producteurs|Chaque mois, deux d’entre nous prennent la camionnette et font la tournée. On goûte, on discute du prix, on revient avec des cageots et de la boue aux chaussures. Le maraîcher dit ce qui arrive, jamais ce qu’il espère.|C’est là que se décide la vitrine. Un produit trop rare reste chez lui ; un produit trop abondant devient confiture. Entre les deux, il y a nos tartes.',
    'Sucré, mais pas trop|Un fruit mûr n’a presque pas besoin de sucre. Nous avons allégé nos recettes de [quinze/vingt] pour cent en trois ans, sans le dire d’abord, et personne ne s’en est plaint.|Le reste tient à l’acidité : un zeste, un peu de jus, une pointe de sel. Une tarte équilibrée se reconnaît à la deuxième part, celle que l’on prend sans y penser.',
    'Goûters et grandes tables|Pour une grande tablée, comptez un pain de six cents grammes pour quatre et une tarte pour huit. Au-delà de vingt personnes, prévenez-nous [trois/quatre] jours avant, que nous puissions pétrir en plus.|Nous prêtons les planches et les corbeilles, contre une caution et la promesse de les rendre propres. Les pains surprises se commandent en deux tailles, avec ou sans viande.',
    'Ce que nous préparons déjà|Pendant que vous goûtez ce mois, nous pensons au suivant. Les essais ont lieu le jeudi, quand le four refroidit, et toute l’équipe donne son avis sur un bout de papier.|Certaines idées mettent un an à mûrir. D’autres meurent en une bouchée. Nous gardons tout dans un classeur, ratages compris, parce qu’un échec de printemps fait parfois un succès d’automne.',
  ],
  figures: [
    ['Champ de blé', 'Sur la route du moulin, entre deux livraisons.'],
    ['Bocal de confiture', 'Ce que la vitrine ne prend pas finit en bocal.'],
  ],
  reminders: [
    'Produits de saison, en petites quantités',
    'Réservation la veille avant dix-huit heures',
    'Selon les arrivages de chaque boutique',
  ],
  closings: [
    'Le mois passe vite. Venez tôt.',
    'Nous vous raconterons la suite dans quatre semaines, avec d’autres cageots et d’autres doutes.',
    'Une envie particulière ? Dites-le au comptoir : si le produit est mûr, nous ferons un essai.',
  ],
};
