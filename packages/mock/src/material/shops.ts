import type { Texts } from './types.js';

export const SHOP_TEXTS: Texts = {
  angles: [
    ['{} : rencontre avec notre équipe', 'Notre boutique de {} nous a ouvert les portes de ses journées.', 0],
    ['Une matinée derrière le comptoir à {}', 'Il est six heures et demie à {}, et la vitrine se remplit.', 1],
    ['{} : nos horaires évoluent', 'Pour mieux vous accueillir à {}, nous ouvrons une demi-heure plus tôt.', 2],
    ['Atelier pain pour les enfants à {}', 'Tablier trop grand : les ateliers du mercredi reprennent à {}.', 3],
    ['Nos producteurs autour de {}', 'Meunier, crémière, apiculteur : ils travaillent tout près de {}.', 4],
    [
      'À {}, ils se lèvent à trois heures du matin pour que le quartier parte au travail avec du pain encore chaud',
      'Nous avons passé une nuit entière avec l’équipe de {}, du premier pétrin à la première file.',
      5,
    ],
  ],
  intros: [
    'Une porte, une vitrine, une file. Vous connaissez l’endroit. Connaissez-vous les gens ?',
    'On entre dans nos boutiques pour acheter du pain, et l’on y reste parfois pour autre chose : une nouvelle du quartier, un conseil, une chaise quand il pleut. Celle de {} ne ressemble à aucune autre, et c’est pourquoi nous avons passé une semaine derrière son comptoir.',
    'Où nous trouver, à quelle heure venir, que demander : voici l’essentiel sur notre boutique de {}, réuni par celles et ceux qui y travaillent. Gardez cette page, elle est tenue à jour.',
  ],
  sections: [
    'Ceux qui vous servent|[Nadia/Hélène/Karim] tient la caisse depuis l’ouverture et connaît les prénoms des enfants du quartier. [Maxime/Salomé/Youssef] a quitté un bureau pour le fournil et ne regrette que les grasses matinées. Leur bonne humeur fait la moitié du service.|Les autres se relaient entre le four, la vitrine et les livraisons. Tout le monde sait tout faire, ou presque. On se dispute parfois la radio, jamais la dernière brioche.',
    'Sept heures, la file|Le premier client arrive avant l’ouverture, prend un café debout et repart avec sa tourte. Suivent les ouvriers du chantier, deux infirmières qui finissent leur nuit, un monsieur et son chien. À huit heures, c’est l’école.|Entre deux vagues, on regarnit les paniers et l’on essuie le comptoir. Personne ne regarde l’horloge. C’est l’odeur qui donne l’heure : le beurre d’abord, puis la tarte aux pommes.',
    'Des horaires qui vous ressemblent|Vous étiez nombreux à trouver porte close en partant au travail. Nous ouvrons donc plus tôt du mardi au vendredi, et la fournée de dix-sept heures devient quotidienne.|Le lundi reste jour de repos. Nous y tenons : une équipe qui dort fait de meilleurs croissants. Les jours fériés, un mot sur la porte et sur notre fiche en ligne vous prévient une semaine à l’avance.',
    'Les mercredis des petits|Le mercredi à quatorze heures, le fournil change de taille. Huit enfants, huit tabliers, une boule de pâte chacun. On pèse, on pétrit, on attend, et l’attente est ce qu’il y a de plus difficile.|Chacun repart avec son pain encore chaud et sa recette écrite à la main. L’atelier coûte [dix/douze] euros, goûter compris. Les inscriptions se prennent au comptoir, et la liste se remplit vite.',
    'À moins de [trente/quarante/cinquante] kilomètres|Le beurre vient d’une laiterie que nous visitons deux fois par an. Les œufs arrivent le mardi, dans des alvéoles que nous rendons. L’apiculteur passe quand les abeilles le lui permettent.|Travailler avec des voisins demande de la souplesse. Quand les fraises tardent, la tarte attend. Quand les noix sont rares, nous en mettons moins et nous le disons. En échange, nous savons d’où vient chaque cageot.',
    'Trois heures du matin|À trois heures, {} dort encore. La lumière du fournil est la seule de la rue. [Samir/Jeanne/Paul] allume le four, vérifie la température de l’eau et lit le cahier laissé par l’équipe du soir.|Puis tout s’enchaîne sans un mot : diviser, façonner, enfourner. À cinq heures, la première grille sort. À six, le livreur passe prendre les commandes des cantines. Quand le quartier se réveille, la moitié du travail est faite.',
    'La rue et ses habitudes|Notre boutique occupe une ancienne [mercerie/quincaillerie/librairie]. Nous avons gardé le carrelage, les tiroirs en bois et la sonnette de la porte, dont plusieurs habitués nous ont raconté l’histoire.|Le samedi, le marché s’installe à deux pas et la file déborde sur le trottoir. On s’y donne des nouvelles, on y échange des recettes. À {}, une boulangerie sert aussi à cela.',
    'Un mur, des idées|Au fond de la boutique, une ardoise attend vos suggestions. C’est là qu’est née la brioche à la fleur d’oranger, et là aussi que quelqu’un a demandé, en vain, des croissants carrés.|Nous lisons tout. Une idée sur dix passe à l’essai, une sur trente entre en vitrine. Son auteur reçoit alors un pain par semaine pendant un mois, et son prénom reste écrit à la craie.',
  ],
  figures: [
    ['Vitrine de la boutique', 'La vitrine, une minute avant l’ouverture.'],
    ['Four à pain', 'Derrière le comptoir, le four ne refroidit jamais tout à fait.'],
  ],
  reminders: [
    'Fermé le lundi',
    'Commandes au comptoir ou par téléphone',
    'Dernière fournée à dix-sept heures',
    'Carte et espèces acceptées',
  ],
  closings: [
    'La porte est ouverte. Entrez, même pour demander votre chemin.',
    'La prochaine fois que vous passerez devant la boutique de {}, poussez la porte : vous saurez à qui vous dites bonjour.',
    'Une question sur une commande ? Appelez avant onze heures, quelqu’un décrochera.',
  ],
};
