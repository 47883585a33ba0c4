import type { Section } from './types.js';

/** What fits every article of the brand. */
export const COMMON_SECTIONS: readonly Section[] = [
  'Le levain, ce colocataire|Notre levain a [onze/douze/treize] ans. Il vit dans un seau blanc, mange deux fois par jour de la farine et de l’eau tiède, et fait savoir à sa façon qu’on l’a oublié. Chaque boutique en garde un rameau, et les équipes en échangent au moindre accident.|Il donne une acidité légère, aide à la conservation et rend la mie plus digeste. Il impose aussi ses horaires. On ne commande pas à un levain : on l’attend.',
  'La farine et ceux qui la font|Nous travaillons avec quatre moulins, tous à moins de cent kilomètres d’une boutique. Le blé y est écrasé sur meule, ce qui garde une partie du germe et donne une farine un peu crème.|Elle n’est jamais tout à fait la même. Après un été sec, elle boit davantage ; après un printemps pluvieux, elle colle aux doigts. Chaque livraison passe donc par un petit pain d’essai avant que l’on change les dosages.',
  'Ce qui reste le soir|À la fermeture, il reste toujours quelque chose. Nous préférons manquer de deux baguettes que d’en jeter dix, mais personne ne prévoit la pluie. Les invendus partent chez une association du quartier, [quatre/cinq] soirs par semaine.|Le pain de la veille devient chapelure, croûtons ou pudding. Depuis que nous pesons nos restes, nous en produisons un tiers de moins. La balance est posée à côté de la caisse, bien en vue.',
  'Le juste prix|Une bonne farine coûte presque le double d’une farine ordinaire, et une nuit de repos occupe des bacs, du froid et des gens. C’est la plus grande part de ce que vous payez. Le four vient ensuite.|En face, nous avons choisi une carte courte. [Neuf/Dix/Onze] pains au quotidien, et des viennoiseries qui changent avec le marché. Moins de références, c’est moins de pertes, et de quoi payer chacun correctement.',
  'Apprendre le métier|Nous accueillons [deux/trois] apprentis par an et par région. La première semaine, ils balaient, pèsent et regardent. La deuxième, ils façonnent des ficelles que l’équipe mange au petit-déjeuner, réussies ou non.|Au bout de six mois, ils savent dire d’une pâte qu’elle a soif ou qu’elle a chaud. Certains repartent ouvrir leur propre boutique. Nous les envoyons alors chez nos meuniers avec un mot de recommandation.',
  'La chaleur qui sert deux fois|Un four de boulanger garde longtemps sa chaleur. Nous cuisons donc du plus chaud au plus doux : les baguettes d’abord, les gros pains, puis les brioches, et les meringues profitent de la nuit.|La même chaleur sèche les torchons et tiédit l’eau des pâtes en hiver. Rien de spectaculaire. En deux ans, la facture a pourtant baissé d’un [cinquième/quart], et il fait meilleur dans le fournil en août.',
  'Posez-nous la question|Derrière le comptoir, chacun a passé au moins une semaine au fournil. Demandez la composition, la date de récolte, le nom du meunier : on vous répondra, ou l’on ira chercher la réponse.|Les allergènes sont affichés près de la caisse. Si un produit vous a déçu, rapportez-le. Nous apprenons plus d’une réclamation que de dix compliments, même si les compliments font plaisir.',
];

/** What people of the brand say, and who they are. */
export const QUOTES: readonly (readonly [text: string, author: string])[] = [
  ['Le pain ne triche pas. Si je suis pressée, il le dit à ma place.', 'Nadia, boulangère'],
  ['Je n’ai jamais compris les recettes en minutes. Moi, je cuis à l’odeur.', 'Samir, boulanger'],
  ['Les clients pensent acheter une baguette. Ils achètent surtout dix minutes de tranquillité.', 'Hélène, vendeuse'],
  ['Mon père disait qu’une pâte est comme un chat : elle vient quand on ne l’appelle pas.', 'Lucas, boulanger'],
  ['La première fois que j’ai tout raté, on m’a félicitée. J’étais au bon endroit.', 'Salomé, apprentie'],
  ['À quatre heures du matin, il n’y a plus de chef. Il y a un four, et des gens autour.', 'Jeanne, cheffe du fournil'],
  ['Un bon meunier vous appelle quand la récolte est mauvaise. Les autres attendent.', 'Agathe, acheteuse'],
  ['On me demande souvent mon secret. Je réponds : la veille.', 'Inès, pâtissière'],
  ['J’ai appris la patience avec le seigle. Avec la brioche, j’ai appris l’humilité.', 'Maxime, boulanger'],
];

/** What becomes of a bread. */
export const EVERY_DAY: readonly (readonly string[])[] = [
  ['Jour', 'Ce que l’on en fait'],
  ['Premier', 'Tel quel, à peine tiède'],
  ['Deuxième', 'Grillé, avec du beurre'],
  ['Troisième', 'En croûtons dans une soupe'],
  ['Ensuite', 'En chapelure'],
];
