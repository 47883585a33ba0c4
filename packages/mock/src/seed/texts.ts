/** A written article. In its texts, `{}` stands for a bread, a city or a month, and `de {}` becomes `d’Annecy` before a vowel. */
interface WrittenArticle {
  readonly about: 'bread' | 'city' | 'recipe' | 'month';
  readonly category: string;
  /** The second title is for the second time that the subject comes round. */
  readonly titles: readonly string[];
  readonly excerpt: string;
  readonly keyword: string;
  /** HTML. The words of `<img Four à pain>` name a drawing of the mock. */
  readonly html: string;
}

/** The articles of the brand: one for each place in a cycle of twelve. Every fourth is about a shop, every fourth a recipe. */
export const TEXTS: readonly WrittenArticle[] = [
  {
    about: 'bread',
    category: 'Nos pains',
    titles: ['{} : comment reconnaître un bon travail'],
    excerpt: 'Une mie qui a du caractère : {} se juge d’abord avec les yeux.',
    keyword: '{}',
    html: `<p>Vous nous posez la question tous les jours au comptoir : à quoi reconnaît-on un pain bien fait ? Nous y répondons ici une bonne fois, avec {} pour exemple, et rien que vos yeux, vos doigts et votre nez pour outils.</p>
<h2>Lire une tranche</h2>
<p>Coupez une tranche au milieu et regardez-la à la lumière. Des alvéoles de tailles différentes, une mie couleur crème et un peu nacrée : voilà les signes d’une fermentation menée sans hâte.</p>
<p>Une mie très blanche, régulière comme une éponge, trahit un pétrissage trop rapide. Appuyez du bout du doigt : elle doit revenir en place en deux secondes. Portez enfin la tranche au nez, car un bon pain sent le blé, le beurre et un peu le yaourt.</p>
<h2>Ce que dit la croûte</h2>
<p>À la sortie du four, un pain bien cuit chante. Ces petits craquements viennent de la croûte, qui se rétracte plus vite que la mie. Cela dure trois minutes et personne ne s’en lasse.</p>
<p>Attendez au moins une demi-heure avant de couper. L’intérieur finit de cuire dans sa propre vapeur, et un couteau trop pressé l’écraserait. C’est le seul effort que nous vous demandons.</p>
<figure><img Four à pain><figcaption>La sole, avant la première fournée.</figcaption></figure>
<h2>Le feu et la buée</h2>
<p>Le four est chargé vers quatre heures. La sole est à deux cent cinquante degrés, et un jet de vapeur précède le pain de quelques secondes. Sans cette buée, la croûte prendrait trop tôt et la pâte ne pourrait plus gonfler.</p>
<p>Vient ensuite la patience. On baisse la température à mi-cuisson, on laisse sortir l’humidité, et l’on attend que le blond tourne au brun. Un pain pâle est un pain sans goût.</p>
<h2>La main de chacun</h2>
<p>Chaque pâton est pesé, boulé, puis posé sur une toile. Le geste dure quelques secondes et demande une année d’apprentissage : il faut serrer assez pour donner de la tenue, pas trop pour garder l’air.</p>
<p>On reconnaît d’ailleurs l’auteur à la forme. Samir fait des pointes fines, Inès préfère les bords ronds. Personne ici ne cherche à effacer ces différences.</p>
<blockquote><p>« Le pain ne triche pas. Si je suis pressée, il le dit à ma place. »</p><p>— <cite>Nadia, boulangère</cite></p></blockquote>
<h2>La farine et ceux qui la font</h2>
<p>Nous travaillons avec quatre moulins, tous à moins de cent kilomètres d’une boutique. Le blé y est écrasé sur meule, ce qui garde une partie du germe et donne une farine un peu crème.</p>
<p>Elle n’est jamais tout à fait la même. Après un été sec, elle boit davantage ; après un printemps pluvieux, elle colle aux doigts. Chaque livraison passe donc par un petit pain d’essai avant que l’on change les dosages.</p>
<p>Et si la première bouchée vous déçoit, attendez la deuxième : elle a eu le temps de refroidir.</p>`,
  },
  {
    about: 'city',
    category: 'La vie des boutiques',
    titles: ['{} : rencontre avec notre équipe', 'Une matinée derrière le comptoir à {}'],
    excerpt: 'Il est six heures et demie à {}, et la vitrine se remplit.',
    keyword: 'boulangerie {}',
    html: `<p>On entre dans nos boutiques pour acheter du pain, et l’on y reste parfois pour autre chose : une nouvelle du quartier, un conseil, une chaise quand il pleut. Celle de {} ne ressemble à aucune autre, et c’est pourquoi nous avons passé une semaine derrière son comptoir.</p>
<h2>Ceux qui vous servent</h2>
<p>Hélène tient la caisse depuis l’ouverture et connaît les prénoms des enfants du quartier. Maxime a quitté un bureau pour le fournil et ne regrette que les grasses matinées. Leur bonne humeur fait la moitié du service. Les autres se relaient entre le four, la vitrine et les livraisons. Tout le monde sait tout faire, ou presque. On se dispute parfois la radio, jamais la dernière brioche.</p>
<h2>Sept heures, la file</h2>
<p>Le premier client arrive avant l’ouverture, prend un café debout et repart avec sa tourte. Suivent les ouvriers du chantier, deux infirmières qui finissent leur nuit, un monsieur et son chien. À huit heures, c’est l’école. Entre deux vagues, on regarnit les paniers et l’on essuie le comptoir. Personne ne regarde l’horloge. C’est l’odeur qui donne l’heure : le beurre d’abord, puis la tarte aux pommes.</p>
<figure><img Vitrine de la boutique><figcaption>La vitrine, une minute avant l’ouverture.</figcaption></figure>
<h2>La rue et ses habitudes</h2>
<p>Notre boutique occupe une ancienne mercerie. Nous avons gardé le carrelage, les tiroirs en bois et la sonnette de la porte, dont plusieurs habitués nous ont raconté l’histoire. Le samedi, le marché s’installe à deux pas et la file déborde sur le trottoir. On s’y donne des nouvelles, on y échange des recettes. À {}, une boulangerie sert aussi à cela.</p>
<blockquote><p>« Les clients pensent acheter une baguette. Ils achètent surtout dix minutes de tranquillité. »</p><p>— <cite>Hélène, vendeuse</cite></p></blockquote>
<h2>Un mur, des idées</h2>
<p>Au fond de la boutique, une ardoise attend vos suggestions. C’est là qu’est née la brioche à la fleur d’oranger, et là aussi que quelqu’un a demandé, en vain, des croissants carrés. Nous lisons tout. Une idée sur dix passe à l’essai, une sur trente entre en vitrine. Son auteur reçoit alors un pain par semaine pendant un mois, et son prénom reste écrit à la craie.</p>
<h2>Ce qui reste le soir</h2>
<p>À la fermeture, il reste toujours quelque chose. Nous préférons manquer de deux baguettes que d’en jeter dix, mais personne ne prévoit la pluie. Les invendus partent chez une association du quartier, quatre soirs par semaine. Le pain de la veille devient chapelure, croûtons ou pudding. Depuis que nous pesons nos restes, nous en produisons un tiers de moins. La balance est posée à côté de la caisse, bien en vue.</p>
<p>La prochaine fois que vous passerez devant la boutique de {}, poussez la porte : vous saurez à qui vous dites bonjour.</p>`,
  },
  {
    about: 'month',
    category: 'Saisons',
    titles: [
      'Notre carte en {}',
      'Ce que vous trouverez dans nos vitrines en {}, et pourquoi certaines recettes se feront encore attendre',
    ],
    excerpt: 'Une carte de saison se mérite. Voici ce qui arrive, ce qui part et ce qui tarde en {}.',
    keyword: 'boulangerie {}',
    html: `<p>Le marché a changé, la vitrine aussi. Regardez bien : tout n’y sera pas longtemps.</p>
<p>Voici ce que nos boutiques mettent à l’honneur en {}. Vous saurez ce qui se réserve et ce qui se prend sans réfléchir.</p>
<h2>Une carte qui s’arrête à temps</h2>
<p>Nous achetons au plus près de chaque boutique, et la carte s’arrête quand le produit s’arrête. Pas de fraise en hiver, pas de courge en été.</p>
<p>Les premières semaines, tout le monde en demande ; les dernières, tout le monde en est las. C’est le bon moment pour changer.</p>
<p>La spécialité du mois se réserve au comptoir, la veille avant dix-huit heures. Nous en faisons peu, pour n’en jeter aucune.</p>
<h2>Le tour des producteurs</h2>
<p>Chaque mois, deux d’entre nous prennent la camionnette et font la tournée. On goûte, on discute du prix, on revient avec des cageots et de la boue aux chaussures.</p>
<p>Le maraîcher dit ce qui arrive, jamais ce qu’il espère. C’est là que se décide la vitrine.</p>
<p>Un produit trop rare reste chez lui ; un produit trop abondant devient confiture. Entre les deux, il y a nos tartes.</p>
<figure><img Champ de blé><figcaption>Sur la route du moulin, entre deux livraisons.</figcaption></figure>
<h2>Sucré, mais pas trop</h2>
<p>Un fruit mûr n’a presque pas besoin de sucre. Nous avons allégé nos recettes de quinze pour cent en trois ans, sans le dire d’abord, et personne ne s’en est plaint.</p>
<p>Le reste tient à l’acidité : un zeste, un peu de jus, une pointe de sel. Une tarte équilibrée se reconnaît à la deuxième part, celle que l’on prend sans y penser.</p>
<h2>Goûters et grandes tables</h2>
<p>Pour une grande tablée, comptez un pain de six cents grammes pour quatre et une tarte pour huit.</p>
<p>Au-delà de vingt personnes, prévenez-nous trois jours avant, que nous puissions pétrir en plus. Nous prêtons les planches et les corbeilles, contre une caution et la promesse de les rendre propres.</p>
<p>Les pains surprises se commandent en deux tailles, avec ou sans viande. Demandez-les tôt : ce sont eux que l’on oublie toujours.</p>
<h2>Ce que nous préparons déjà</h2>
<p>Pendant que vous goûtez ce mois, nous pensons au suivant. Les essais ont lieu le jeudi, quand le four refroidit, et toute l’équipe donne son avis sur un bout de papier.</p>
<p>Certaines idées mettent un an à mûrir. D’autres meurent en une bouchée. Nous gardons tout dans un classeur, ratages compris, parce qu’un échec de printemps fait parfois un succès d’automne.</p>
<h2>À retenir</h2>
<ul><li>Produits de saison, en petites quantités</li><li>Réservation la veille avant dix-huit heures</li><li>Selon les arrivages de chaque boutique</li></ul>
<p>Le mois passe vite. Venez tôt.</p>`,
  },
  {
    about: 'recipe',
    category: 'Recettes',
    titles: ['Pain perdu avec {} de la veille'],
    excerpt: 'Cinq ingrédients, trois étapes, et un goûter qui sauve {} de la poubelle.',
    keyword: 'recette pain perdu',
    html: `<p>Cinq ingrédients ou presque. Trois étapes. Aucune excuse. Le pain perdu porte mal son nom : c’est la façon la plus sûre de ne rien perdre, et {} s’y prête aussi bien qu’un autre.</p>
<h2>Ingrédients (25 minutes)</h2>
<table><thead><tr><th scope="col">Pour</th><th scope="col">Quatre</th><th scope="col">Huit</th></tr></thead><tbody><tr><th scope="row">Pain rassis</th><td>8 tranches</td><td>16 tranches</td></tr><tr><th scope="row">Lait</th><td>40 cl</td><td>80 cl</td></tr><tr><th scope="row">Œufs</th><td>3</td><td>6</td></tr><tr><th scope="row">Pommes</th><td>2</td><td>4</td></tr><tr><th scope="row">Sucre</th><td>60 g</td><td>120 g</td></tr></tbody></table>
<h2>La préparation</h2>
<ol><li>Battez les œufs avec le lait et la moitié du sucre, puis trempez-y les tranches.</li><li>Faites blondir les pommes en lamelles dans le reste du sucre.</li><li>Dorez le pain dans un beurre mousseux et couvrez-le de pommes.</li></ol>
<h2>Avant de commencer</h2>
<h3>Les ingrédients</h3>
<p>Sortez tout une demi-heure à l’avance : à température ambiante, les ingrédients se mélangent mieux. Le pain, lui, doit avoir deux jours. Trop frais, il boit et se défait ; trop dur, il reste sec au cœur.</p>
<h3>Le matériel</h3>
<p>Une balance vaut mieux que tous les verres gradués. Une poêle large, une spatule souple et un plat creux complètent la liste. Le robot ne sert à rien ici, et la vaisselle tient dans un évier. Lisez d’abord la recette jusqu’au bout, puis posez tout sur le plan de travail : vous ne courrez plus.</p>
<h2>D’où vient cette recette</h2>
<p>La fiche est arrivée chez nous dans un cahier taché de beurre. Une cliente de Toulouse nous l’a confiée en échange de deux baguettes, et nous l’avons refaite onze fois avant de l’adopter.</p>
<p>Nous avons remplacé les tasses par des grammes et précisé les temps. Le reste n’a pas bougé, pas même les ratures.</p>
<figure><img Saladier et fouet><figcaption>Un saladier, un fouet, et rien d’autre.</figcaption></figure>
<h2>Les erreurs que nous avons faites</h2>
<p>La première fois, nous avons oublié le sel. La deuxième, nous avons mis trop de feu, pour gagner du temps : dehors tout était brun, dedans tout était froid. La troisième, tout le monde a mangé debout autour de la poêle, et la recette a trouvé sa place.</p>
<p>Retenez surtout ceci : n’en faites pas trop. Une tranche que l’on retourne sans cesse ne dore jamais, et une pomme remuée devient compote.</p>
<h2>Cuisiner avec les enfants</h2>
<p>Donnez-leur un vrai rôle. À quatre ans, on pèse avec sérieux et l’on mélange avec les deux mains ; à huit ans, on surveille la poêle et l’on compte les minutes. Le tablier trop grand fait partie du plaisir.</p>
<p>Prévoyez du temps, une éponge et un peu d’indulgence. Mais personne n’a jamais refusé de goûter ce qu’il a préparé lui-même.</p>
<p>À vos fourneaux. Et racontez-nous.</p>`,
  },
  {
    about: 'bread',
    category: 'Nos pains',
    titles: ['Comment conserver {} plusieurs jours'],
    excerpt: 'Personne n’aime jeter du pain. Voici comment garder {} sans rien perdre.',
    keyword: 'conserver {}',
    html: `<p>Le pain ne vieillit pas, il sèche, et c’est toute la différence : ce qui sèche se protège. Voici nos conseils pour {}, avec ce qui marche dans une cuisine ordinaire.</p>
<h2>Jour après jour</h2>
<table><thead><tr><th scope="col">Jour</th><th scope="col">Ce que l’on en fait</th></tr></thead><tbody><tr><th scope="row">Premier</th><td>Tel quel, à peine tiède</td></tr><tr><th scope="row">Deuxième</th><td>Grillé, avec du beurre</td></tr><tr><th scope="row">Troisième</th><td>En croûtons dans une soupe</td></tr><tr><th scope="row">Ensuite</th><td>En chapelure</td></tr></tbody></table>
<h2>Nos conseils</h2>
<h3>Garder sans fatiguer</h3>
<p>Un torchon de lin, une boîte en bois ou un sac en papier plié deux fois : il n’en faut pas plus. Le pain a besoin de respirer, sinon sa croûte ramollit en une heure.</p>
<p>Posez-le toujours sur sa tranche coupée, contre la planche. La croûte fait le reste : c’est une boîte que le four a fabriquée pour vous.</p>
<h3>Ni froid, ni plastique</h3>
<p>Le réfrigérateur est son pire ennemi, parce que l’amidon y durcit bien plus vite qu’à l’air libre. Le sachet fermé ne vaut guère mieux : il garde l’humidité là où l’on voudrait du croquant.</p>
<p>Il y a une exception, l’été, quand la cuisine dépasse trente degrés et que les mies grasses tournent. Préférez alors le congélateur, qui arrête tout au lieu de ralentir un peu.</p>
<h3>Congeler sans regret</h3>
<p>Pour tenir plus longtemps, tranchez et congelez le jour même, dans un sac dont vous chassez l’air. Les tranches passent ensuite directement au grille-pain, sans décongeler, et retrouvent en deux minutes presque tout leur parfum.</p>
<p>Un pain entier demande une nuit sur la table et dix minutes de four. Notez la date : au-delà d’un mois, le goût du froid l’emporte sur celui du blé.</p>
<h3>Le lendemain et après</h3>
<p>Le deuxième jour, humidifiez la croûte du bout des doigts et passez-la quatre minutes au four chaud : elle redevient ce qu’elle était. L’effet dure une heure, alors attendez que tout le monde soit à table.</p>
<p>Le troisième jour, pensez au pain perdu, aux croûtons, à la soupe. Vient enfin la chapelure : mixée bien sèche et gardée dans un bocal, elle tient six semaines.</p>
<h3>Acheter ce qu’il faut</h3>
<p>La meilleure façon de conserver reste d’acheter juste. Nous coupons volontiers un demi-pain, ou un quart, sans soupirer. Comptez cent cinquante grammes par personne et par jour, un peu plus s’il y a du fromage.</p>
<p>Et si vous partez en week-end, apportez le reste aux voisins. C’est ainsi que naissent beaucoup de dîners.</p>
<h2>En bref</h2>
<ul><li>À garder dans un torchon propre</li><li>Jamais au réfrigérateur</li><li>Tranché et congelé, il tient un mois</li><li>Quelques minutes au four chaud le réveillent</li></ul>
<p>Dites-nous ce que vous en faites chez vous. Les meilleures idées finissent au tableau du fournil.</p>`,
  },
  {
    about: 'city',
    category: 'La vie des boutiques',
    titles: [
      'Nos producteurs autour de {}',
      'À {}, ils se lèvent à trois heures du matin pour que le quartier parte au travail avec du pain encore chaud',
    ],
    excerpt: 'Meunier, crémière, apiculteur : ils travaillent tout près de {}.',
    keyword: 'producteurs {}',
    html: `<p>Où va l’argent d’une baguette, et d’où vient ce qu’il y a dedans ? Nous avons suivi pendant une nuit et un matin tout ce qui entre dans notre boutique de {} et tout ce qui en sort.</p>
<h2>Trois heures du matin</h2>
<p>À trois heures, {} dort encore. La lumière du fournil est la seule de la rue. Jeanne allume le four, vérifie la température de l’eau et lit le cahier laissé par l’équipe du soir. Puis tout s’enchaîne sans un mot : diviser, façonner, enfourner. À cinq heures, la première grille sort. À six, le livreur passe prendre les commandes des cantines. Quand le quartier se réveille, la moitié du travail est faite.</p>
<blockquote><p>« À quatre heures du matin, il n’y a plus de chef. Il y a un four, et des gens autour. »</p><p>— <cite>Jeanne, cheffe du fournil</cite></p></blockquote>
<h2>À moins de quarante kilomètres</h2>
<p>Le beurre vient d’une laiterie que nous visitons deux fois par an. Les œufs arrivent le mardi, dans des alvéoles que nous rendons. L’apiculteur passe quand les abeilles le lui permettent. Travailler avec des voisins demande de la souplesse. Quand les fraises tardent, la tarte attend. Quand les noix sont rares, nous en mettons moins et nous le disons. En échange, nous savons d’où vient chaque cageot.</p>
<h2>Le moulin, un mardi sur deux</h2>
<p>La farine arrive par sacs de vingt-cinq kilos, encore tiède de la meule quand la route n’est pas longue. Le meunier entre par la cour, pose les sacs, prend un café et goûte le pain de la livraison précédente. C’est son contrôle et c’est le nôtre. S’il fronce les sourcils, on ouvre le cahier ensemble et l’on cherche : l’eau, la pousse, le blé de cette année. Il n’est jamais reparti sans qu’on ait trouvé.</p>
<h2>Le juste prix</h2>
<p>Une bonne farine coûte presque le double d’une farine ordinaire, et une nuit de repos occupe des bacs, du froid et des gens. C’est la plus grande part de ce que vous payez. Le four vient ensuite. En face, nous avons choisi une carte courte. Dix pains au quotidien, et des viennoiseries qui changent avec le marché. Moins de références, c’est moins de pertes, et de quoi payer chacun correctement.</p>
<h2>La chaleur qui sert deux fois</h2>
<p>Un four de boulanger garde longtemps sa chaleur. Nous cuisons donc du plus chaud au plus doux : les baguettes d’abord, les gros pains, puis les brioches, et les meringues profitent de la nuit. La même chaleur sèche les torchons et tiédit l’eau des pâtes en hiver. Rien de spectaculaire. En deux ans, la facture a pourtant baissé d’un cinquième, et il fait meilleur dans le fournil en août.</p>
<p>La porte est ouverte. Entrez, même pour demander votre chemin.</p>`,
  },
  {
    about: 'bread',
    category: 'Nos pains',
    titles: ['Une nuit au fournil avec {}'],
    excerpt: 'Il est minuit passé, la rue dort, et au fournil on prépare déjà {} du matin.',
    keyword: 'comment faire {}',
    html: `<p>Il y a dans chaque boutique un moment que les clients ne voient pas. La porte est encore fermée, la farine flotte dans la lumière du four, et quelqu’un appuie un doigt sur la pâte pour savoir si c’est l’heure. Nous avons voulu raconter ce moment, sans nous presser, en suivant {} du pétrin à la vitrine.</p>
<h2>Minuit, l’eau d’abord</h2>
<p>Tout commence par un thermomètre. On additionne la température de l’air et celle de la farine, on retranche le total d’un nombre que chaque fournil connaît par cœur, et l’on obtient celle de l’eau. Le reste se fait à l’oreille : une pâte qui tourne bien claque contre la cuve, une pâte trop molle soupire. Lucas coupe le pétrin avant la fin, attend dix minutes et recommence. Ce repos-là vaut cinq minutes de force.</p>
<h2>Une pâte qui a dormi</h2>
<p>Rien ne remplace une nuit de repos. La pâte est pétrie en fin d’après-midi, puis elle passe quatorze heures au frais. La farine boit l’eau, le levain travaille lentement, et les arômes se forment sans que personne n’y touche. Le lendemain, elle s’étire sans se déchirer. On pourrait raccourcir ce temps avec davantage de levure. On y perdrait le goût de noisette, et le pain sécherait avant le soir.</p>
<figure><img Baguettes><figcaption>Cinq heures : la grille du matin.</figcaption></figure>
<h2>Le levain, ce colocataire</h2>
<p>Notre levain a douze ans. Il vit dans un seau blanc, mange deux fois par jour de la farine et de l’eau tiède, et fait savoir à sa façon qu’on l’a oublié. Chaque boutique en garde un rameau, et les équipes en échangent au moindre accident. Il donne une acidité légère, aide à la conservation et rend la mie plus digeste. Il impose aussi ses horaires. On ne commande pas à un levain : on l’attend.</p>
<blockquote><p>« Mon père disait qu’une pâte est comme un chat : elle vient quand on ne l’appelle pas. »</p><p>— <cite>Lucas, boulanger</cite></p></blockquote>
<h2>Quatre heures, la lame</h2>
<p>Avant d’enfourner, il faut inciser. La lame entre de biais, d’un seul trait, à la profondeur d’un ongle. Trop droite, elle ouvre une balafre ; trop timide, elle laisse la pâte éclater où bon lui semble. Les apprentis s’exercent sur des pâtons ratés, puis un matin on leur tend la lame sans rien dire. La fournée de ce matin-là se vend comme les autres, et ils la surveillent de loin.</p>
<h2>Six heures, le silence</h2>
<p>Quand la dernière grille est vide, le fournil change de voix. On balaie, on gratte les toiles, on note dans le cahier ce que la pâte a voulu et ce qu’elle a refusé. Puis quelqu’un coupe le premier pain en quatre, parce que personne n’a encore mangé. Devant, la clé tourne dans la porte. Le jour peut commencer.</p>
<p>Passez en fin de matinée, quand la file est plus courte : nous ferons goûter {}.</p>`,
  },
  {
    about: 'recipe',
    category: 'Recettes',
    titles: ['Soupe à l’oignon gratinée, avec {} en couvercle'],
    excerpt: 'Une recette que l’on se transmet d’une boutique à l’autre, au gramme près, et que {} couronne.',
    keyword: 'recette soupe à l’oignon',
    html: `<p>Certaines recettes se lisent comme une lettre. On y reconnaît une écriture, une cuisine, des gens pressés et d’autres qui ne l’étaient pas. Celle-ci nous accompagne depuis l’ouverture de la première boutique, et nous l’écrivons enfin telle que nous la faisons, avec {} sur le dessus.</p>
<h2>Ingrédients (70 minutes)</h2>
<table><thead><tr><th scope="col">Pour</th><th scope="col">Quatre</th><th scope="col">Huit</th></tr></thead><tbody><tr><th scope="row">Oignons</th><td>800 g</td><td>1600 g</td></tr><tr><th scope="row">Bouillon</th><td>120 cl</td><td>240 cl</td></tr><tr><th scope="row">Pain</th><td>8 tranches</td><td>16 tranches</td></tr><tr><th scope="row">Comté râpé</th><td>160 g</td><td>320 g</td></tr><tr><th scope="row">Beurre</th><td>50 g</td><td>100 g</td></tr></tbody></table>
<h2>La préparation</h2>
<ol><li>Faites fondre les oignons dans le beurre pendant quarante minutes, à couvert.</li><li>Mouillez avec le bouillon et laissez frémir un quart d’heure.</li><li>Couvrez de pain et de fromage, puis gratinez dans des bols qui ne craignent pas le feu.</li></ol>
<h2>Quarante minutes, vraiment</h2>
<p>C’est l’étape que tout le monde abrège, et la seule qui compte. Les oignons rendent d’abord leur eau, puis ils fondent, puis ils blondissent, et c’est seulement après une demi-heure qu’ils prennent la couleur du caramel. Ne montez pas le feu. Si le fond attache, une cuillère d’eau suffit à décoller les sucs, et ces sucs feront tout le goût du bouillon. Une feuille de laurier, trois brins de thym, un tour de moulin : le reste serait de trop.</p>
<h2>Le pain qui convient</h2>
<p>Il faut une mie qui boive sans s’effondrer. Nous grillons les tranches des deux côtés, jusqu’au cœur, car une tranche molle coule au fond du bol et y devient bouillie. Frottez-la d’ail si vous aimez, posez-la sur la soupe au dernier moment, et serrez bien le fromage jusqu’aux bords : il tiendra lieu de couvercle. Servez sans attendre, mais prévenez vos invités : le dessous brûle bien plus longtemps que le dessus.</p>
<h2>Sans minuterie</h2>
<p>Préchauffez dès le début : un gril vraiment chaud fait la moitié du travail. Placez la grille assez haut, mais laissez trois doigts d’air. Surveillez la couleur plutôt que l’heure, car chaque four a son caractère. En cas de doute, fiez-vous à l’odeur. Elle prévient toujours avant la fumée.</p>
<blockquote><p>« Je n’ai jamais compris les recettes en minutes. Moi, je cuis à l’odeur. »</p><p>— <cite>Samir, boulanger</cite></p></blockquote>
<h2>Variantes de nos boutiques</h2>
<p>À Rennes, personne n’imagine cette recette sans beurre demi-sel. À Lille, une bière brune remplace un quart du bouillon. À Grenoble, on double le fromage, parce que les voisins passent toujours au bon moment. Vous pouvez aussi ajouter un jaune d’œuf battu dans un peu de porto, comme le faisaient les halles au petit matin. Goûtez, notez, recommencez.</p>
<p>La prochaine fois, vous n’aurez plus besoin de cette page. C’est tout ce qu’on lui souhaite.</p>`,
  },
  {
    about: 'bread',
    category: 'Nos pains',
    titles: ['Pourquoi nous laissons reposer {} une nuit entière, et ce que cette attente change dans votre assiette'],
    excerpt:
      'Une pâte pressée donne un pain sans mémoire. Nous avons choisi de prendre notre temps, et voici pourquoi.',
    keyword: 'laisser reposer {}',
    html: `<p>Une pâte pressée donne un pain sans mémoire. Nous avons choisi de prendre notre temps, et voici pourquoi.</p>
<p>Pas de secret, pas de machine miracle. De la farine, de l’eau, du sel, du temps. Le reste est une question de main, et les mains s’éduquent.</p>
<h2>Ce que fait une nuit</h2>
<p>Dans une pâte au repos, deux mondes travaillent. Les levures soufflent du gaz et de l’alcool, les bactéries du levain fabriquent des acides.</p>
<p>Au chaud, les premières vont trop vite et les secondes n’ont pas le temps. À six degrés, tout ralentit, et l’équilibre change.</p>
<p>Au matin, {} sent la pomme, la noisette, le lait tiède. Aucun de ces parfums n’était dans le sac de farine.</p>
<h2>Ce que vous sentez</h2>
<p>La croûte colore mieux, parce que l’amidon a libéré du sucre. La mie se tient, fond et ne colle pas aux dents.</p>
<p>On mâche un peu plus, on mange un peu moins, et l’on s’en souvient à l’heure du goûter.</p>
<blockquote><p>« On me demande souvent mon secret. Je réponds : la veille. »</p><p>— <cite>Inès, pâtissière</cite></p></blockquote>
<h2>Ce que cela coûte</h2>
<p>Une nuit, c’est de la place. Il a fallu des chambres froides, des bacs empilés jusqu’au plafond, et quelqu’un pour décider le soir de ce que vous achèterez le lendemain.</p>
<p>On se trompe parfois. Un samedi de pluie, trop de pâte dort pour rien ; un dimanche de soleil, la vitrine est vide à onze heures.</p>
<p>Nous notons tout depuis six ans : le temps, les fêtes, les vacances, le match. Le cahier se trompe moins que nous.</p>
<h2>Apprendre le métier</h2>
<p>Nous accueillons trois apprentis par an et par région. La première semaine, ils balaient, pèsent et regardent. La deuxième, ils façonnent des ficelles que l’équipe mange au petit-déjeuner, réussies ou non.</p>
<p>Au bout de six mois, ils savent dire d’une pâte qu’elle a soif ou qu’elle a chaud. Certains repartent ouvrir leur propre boutique. Nous les envoyons alors chez nos meuniers avec un mot de recommandation.</p>
<h2>Posez-nous la question</h2>
<p>Derrière le comptoir, chacun a passé au moins une semaine au fournil. Demandez la composition, la date de récolte, le nom du meunier : on vous répondra, ou l’on ira chercher la réponse.</p>
<p>Les allergènes sont affichés près de la caisse. Si un produit vous a déçu, rapportez-le. Nous apprenons plus d’une réclamation que de dix compliments, même si les compliments font plaisir.</p>
<h2>À retenir</h2>
<ul><li>Quatorze heures de repos, à six degrés</li><li>Peu de levure, du levain pour le goût</li><li>Une mie qui se garde deux jours de plus</li></ul>
<p>Coupez, sentez, attendez un instant. Vous mangez une nuit entière.</p>`,
  },
  {
    about: 'city',
    category: 'La vie des boutiques',
    titles: ['{} : nos horaires évoluent', 'Atelier pain pour les enfants à {}'],
    excerpt:
      'Ouverture plus tôt, fournée du soir, ateliers du mercredi : tout ce qui change dans notre boutique de {}.',
    keyword: 'horaires boulangerie {}',
    html: `<p>Où nous trouver, à quelle heure venir, que demander : voici l’essentiel sur notre boutique de {}, réuni par celles et ceux qui y travaillent. Gardez cette page, elle est tenue à jour.</p>
<h2>Venir nous voir</h2>
<table><thead><tr><th scope="col">Jour</th><th scope="col">Horaires</th></tr></thead><tbody><tr><th scope="row">Mardi à vendredi</th><td>6 h 30 – 19 h 30</td></tr><tr><th scope="row">Samedi</th><td>7 h – 19 h</td></tr><tr><th scope="row">Dimanche</th><td>7 h 30 – 13 h</td></tr><tr><th scope="row">Lundi</th><td>Fermé</td></tr></tbody></table>
<h2>Des horaires qui vous ressemblent</h2>
<p>Vous étiez nombreux à trouver porte close en partant au travail. Nous ouvrons donc plus tôt du mardi au vendredi, et la fournée de dix-sept heures devient quotidienne.</p>
<p>Le lundi reste jour de repos. Nous y tenons : une équipe qui dort fait de meilleurs croissants. Les jours fériés, un mot sur la porte et sur notre fiche en ligne vous prévient une semaine à l’avance.</p>
<h2>Les mercredis des petits</h2>
<p>Le mercredi à quatorze heures, le fournil change de taille. Huit enfants, huit tabliers, une boule de pâte chacun. On pèse, on pétrit, on attend, et l’attente est ce qu’il y a de plus difficile.</p>
<p>Chacun repart avec son pain encore chaud et sa recette écrite à la main. L’atelier coûte douze euros, goûter compris. Les inscriptions se prennent au comptoir, et la liste se remplit vite.</p>
<figure><img Vitrine de la boutique><figcaption>Le mercredi, on colle le nez à la vitre de l’autre côté aussi.</figcaption></figure>
<h2>Commander sans attendre</h2>
<h3>Au comptoir ou par téléphone</h3>
<p>Une commande prise la veille avant dix-huit heures vous attend à l’ouverture, dans un sac à votre nom. Pour un gâteau, comptez deux jours ; pour une pièce montée, deux semaines et une conversation.</p>
<h3>Pour les bureaux et les écoles</h3>
<p>Nous livrons à pied dans un rayon de dix minutes, avec un chariot que tout le quartier connaît. Les plateaux du petit-déjeuner partent à sept heures et demie, et le chariot revient vide à huit heures, sauf quand il pleut.</p>
<h2>Ce que vous nous avez demandé</h2>
<p>Une chaise près de la porte : elle y est depuis mars. Un demi-pain pour les personnes seules : il suffit de le dire, et le prix est exactement la moitié. Du pain sans sel : nous le pétrissons le jeudi, sur commande, et plusieurs cabinets médicaux d’à côté l’ont adopté.</p>
<p>Des croissants à toute heure : non. Passé onze heures, ils ne sont plus ce qu’ils étaient, et nous préférons que vous reveniez demain. Le soir, il y a la brioche, qui attend mieux.</p>
<h2>En bref</h2>
<ul><li>Fermé le lundi</li><li>Commandes au comptoir ou par téléphone</li><li>Dernière fournée à dix-sept heures</li><li>Carte et espèces acceptées</li></ul>
<p>Une question sur une commande ? Appelez avant onze heures, quelqu’un décrochera, et à {} on vous reconnaîtra sans doute à la voix.</p>`,
  },
  {
    about: 'month',
    category: 'Saisons',
    titles: ['Quel pain choisir en {} ?', '{} au fournil : ce qui change dans nos recettes'],
    excerpt: 'Selon le temps qu’il fait, on n’a pas envie du même pain. Nos conseils pour {}.',
    keyword: 'pain de saison {}',
    html: `<p>Il suffit parfois d’une semaine pour que tout bascule. La lumière entre autrement dans le fournil, les cageots changent de couleur, et les clients demandent des choses auxquelles ils n’avaient pas pensé depuis un an. Nous aimons ces jours-là. Voici notre guide pour {}.</p>
<h2>Le pain du temps qu’il fait</h2>
<p>Les jours froids appellent les mies denses, le seigle, les noix, tout ce qui tient tête à une soupe. Dès qu’il fait doux, on revient aux croûtes fines et aux pains que l’on déchire à la main. Demandez la fournée de onze heures : elle est encore tiède à midi. Et si vous hésitez, prenez un demi-pain. Nous coupons volontiers.</p>
<h2>La pâte et le thermomètre</h2>
<p>Une pâte n’aime ni le froid ni la canicule. Quand le fournil perd cinq degrés, nous tiédissons l’eau et nous laissons pousser une heure de plus. Quand il en gagne, la levure diminue et les bacs passent au frais. Le sel aussi bouge un peu. Ces réglages tiennent sur une fiche accrochée près du pétrin, corrigée au crayon, et plus personne ne sait qui a écrit la première ligne.</p>
<figure><img Épi de blé><figcaption>Le blé arrive entier au moulin et repart en farine.</figcaption></figure>
<h2>La récolte se goûte</h2>
<p>Le premier blé de l’année arrive au moulin en août, mais nous ne l’utilisons pas avant l’automne. Une farine trop jeune se tient mal ; il lui faut quelques semaines de sac pour se calmer. Entre-temps, on mélange l’ancienne et la nouvelle, un peu plus chaque livraison, comme on présente deux familles. Vous ne remarquez rien, et c’est le but. Nous, nous changeons l’eau, la pousse et parfois l’humeur.</p>
<blockquote><p>« Un bon meunier vous appelle quand la récolte est mauvaise. Les autres attendent. »</p><p>— <cite>Agathe, acheteuse</cite></p></blockquote>
<h2>Sur la table, ce mois-ci</h2>
<p>Le pain suit l’assiette. Avec les légumes de saison, nous conseillons une mie souple et peu salée, qui laisse parler le potager. Avec un gibier, une viande longue, un fromage fait, il faut de l’acidité et de la croûte. Pour les fruits cuits et les confitures, rien ne vaut un pain au lait de la veille, à peine grillé. Et pour ceux qui ne choisissent pas, la tourte accompagne tout, sauf peut-être les huîtres, et encore.</p>
<h2>La fournée des habitués</h2>
<p>Chaque saison, une recette revient que nous n’annonçons pas. Elle sort le jeudi, sans étiquette, sur la grille du bas. Les habitués la reconnaissent et n’en disent rien. Si vous voyez un pain dont personne ne vous a parlé, demandez son nom : c’est le mot de passe, et la première tranche est pour vous.</p>
<p>Nous vous raconterons la suite dans quatre semaines, avec d’autres cageots et d’autres doutes.</p>`,
  },
  {
    about: 'recipe',
    category: 'Recettes',
    titles: ['Que servir avec {} ? Trois tartines du soir'],
    excerpt: 'On nous le demande souvent le samedi : avec quoi mettre {} sur la table ?',
    keyword: 'que servir avec {}',
    html: `<p>Peu de vaisselle, peu d’attente. Voici les trois tartines que nous faisons en semaine avec {}, et qui passent pour un dîner.</p>
<h2>Les bons voisins de table</h2>
<p>Pensez d’abord au contraste. Une croûte marquée aime les fromages à pâte dure, une mie dense accompagne bien les soupes, et le beurre demi-sel convient à peu près à tout.</p>
<p>Le reste est affaire d’heure. À midi, une salade bien vinaigrée suffit. Le soir, un filet d’huile d’olive et une pincée de fleur de sel font un dîner.</p>
<h2>Figues et chèvre, quinze minutes</h2>
<ol><li>Grillez huit tranches d’un seul côté.</li><li>Tartinez de chèvre frais et ajoutez huit figues en quartiers.</li><li>Terminez par un filet de miel, un brin de thym et trois minutes de four très chaud.</li></ol>
<p>Le côté grillé regarde le fromage, l’autre reste souple sous la dent. Hors saison, la figue sèche convient, à condition de la laisser une heure dans du thé.</p>
<h2>Champignons et œuf, vingt minutes</h2>
<ol><li>Faites sauter les champignons à feu vif, sans sel, jusqu’à ce que la poêle soit sèche.</li><li>Ajoutez une noix de beurre, de l’ail, du persil, et seulement alors le sel.</li><li>Posez le tout sur le pain chaud, et un œuf au plat par-dessus.</li></ol>
<p>Le sel du début fait rendre l’eau, et l’eau fait bouillir ce qui devait rôtir. C’est la seule règle de cette page.</p>
<h2>Sardines et citron, cinq minutes</h2>
<ol><li>Égouttez une boîte de sardines et gardez l’huile.</li><li>Écrasez-les à la fourchette avec du beurre mou et le zeste d’un citron.</li><li>Étalez sur une tranche froide, avec quelques rondelles de radis.</li></ol>
<p>Cette tartine se prépare à l’avance et voyage bien. L’huile gardée assaisonne la salade qui l’accompagne, et personne ne devine d’où elle vient.</p>
<figure><img Tartines du soir><figcaption>Une planche, trois tartines, et la soirée devant soi.</figcaption></figure>
<h2>La coupe fait le reste</h2>
<p>Une tartine réussie se joue à l’épaisseur. À un centimètre, le pain croque et laisse parler ce qu’il porte ; à deux, il devient le plat. Coupez en biais, avec une lame à dents, sans appuyer : c’est le va-et-vient qui travaille, et non le poids du bras.</p>
<p>Gardez les entames. Frottées d’ail et passées au four avec les miettes, elles donneront à la salade du lendemain ce craquant qu’on n’achète pas.</p>
<h2>Le matin, sans courir</h2>
<p>S’il en reste pour le petit-déjeuner, grillez une face seulement, celle qui recevra le beurre. Une confiture un peu acide réveille la mie, un miel de forêt l’arrondit. Ceux qui n’aiment pas le sucre essaieront un œuf à la coque ou une tranche de jambon blanc. Le café attendra, le pain grillé non.</p>
<h2>À retenir</h2>
<ul><li>Grillez au dernier moment</li><li>Salez après la cuisson</li><li>Gardez un morceau pour le lendemain</li></ul>
<p>Envoyez une photo à votre boutique : les plus belles ratées sont affichées au fournil.</p>`,
  },
];
