// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';

/** What errors of the client, the plans and the service mean, in French. Their own message in English has the details. */
export const ERRORS: Readonly<Record<string, string>> = {
  authentication: 'Le service refuse la clé : elle est fausse, expirée ou révoquée.',
  bulle_not_found: 'Ce lieu n’existe pas, ou la clé ne le couvre pas.',
  bulle_out_of_scope: 'La clé ne couvre pas ce lieu.',
  configuration: 'Un réglage manque ou n’est pas valide.',
  conflict: 'L’état de l’objet ne permet pas cela.',
  connection: 'La connexion a échoué.',
  dry_run_not_honored: 'Le service n’a pas donné d’aperçu : l’action a peut-être eu lieu.',
  fiche_out_of_scope: 'La clé ne couvre pas cette fiche.',
  internal_server_error: 'Le service a rencontré une erreur.',
  bad_gateway: 'Le service ne répond pas correctement.',
  invalid_request: 'Une valeur est à corriger.',
  invalid_response: 'La réponse n’a pas la forme attendue.',
  journal_damaged: 'Le journal est abîmé.',
  journal_locked: 'Une autre exécution utilise le journal, ou n’est peut-être pas terminée.',
  journal_lost: 'Le journal a disparu, ou a été remplacé par un plus ancien.',
  journal_of_another_brand: 'Le journal appartient à une autre marque, à une autre clé ou à un autre service.',
  journal_unusable: 'Le journal est inutilisable.',
  missing_bulle_id: 'Il manque `bulle_id` : la clé couvre plusieurs lieux.',
  missing_fiche_id: 'Il manque `fiche_id` : la clé couvre plusieurs fiches.',
  missing_permission: 'La clé n’a pas la permission nécessaire. Rien n’a été envoyé.',
  not_found: 'L’objet n’existe pas, ou la clé ne le couvre pas.',
  permission_denied: 'Le service ne permet pas cela à cette clé.',
  plan_not_approved: 'Le plan n’est pas celui qui a été approuvé : son code diffère. Rien n’a été envoyé.',
  plan_unreadable: 'Le plan est illisible.',
  plan_incomplete: 'Le plan n’est pas exécuté jusqu’au bout.',
  plan_unresolved: 'Une action a peut-être eu lieu : une personne doit trancher.',
  platform_not_connected: 'Aucun compte n’est connecté sur ce réseau.',
  quota_exceeded: 'Le quota du mois est épuisé.',
  rate_limit: 'Il n’y a plus de requêtes disponibles pour le moment.',
  redirect: 'Le service redirige vers une autre adresse.',
  service_unavailable: 'Le service est indisponible.',
  timeout: 'Le service n’a pas répondu à temps.',
  unprocessable_entity: 'Le service refuse ces données.',
};

const PERMISSION: Both = [
  'Use a key with this permission. `client.identity` shows what the key may do.',
  'Utilisez une clé qui a cette permission. `client.identity` montre ce que la clé peut faire.',
];
const LOCATIONS: Both = [
  '`client.bulles.list()` lists the locations of the key.',
  '`client.bulles.list()` montre les lieux de la clé.',
];
const LISTINGS: Both = [
  '`client.identity` lists the listings of the key.',
  '`client.identity` montre les fiches de la clé.',
];
export const KEYS: Both = [
  '`npx multilocal journal` lists the keys. `--journal` names another file.',
  '`npx multilocal journal` montre les clés. `--journal` nomme un autre fichier.',
];
const with_ = (one: Both, other: Both): Both => [`${one[0]} ${other[0]}`, `${one[1]} ${other[1]}`];

/** What to do about errors of an operation or with a code, with the marks of `say`. */
export const HINTS: Readonly<Record<string, Both>> = {
  configuration: [
    'Set MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL, or see `--base-url` and `--key-file`.',
    'Réglez MULTILOCAL_API_KEY et MULTILOCAL_BASE_URL, ou voyez `--base-url` et `--key-file`.',
  ],
  not_found: with_(['Check the ids.', 'Vérifiez les identifiants.'], LOCATIONS),
  conflict: [
    'The state of the object does not allow this. Read it first.',
    'L’état de l’objet ne permet pas cela. Lisez-le d’abord.',
  ],
  unprocessable_entity: [
    'Correct the values. `operations` lists the parameters.',
    'Corrigez les valeurs. `operations` montre les paramètres.',
  ],
  invalid_request: ['`operations` lists the parameters.', '`operations` montre les paramètres.'],
  settleAction: KEYS,
  authentication: [
    'Create a key in the account settings of the service, and set it as MULTILOCAL_API_KEY.',
    'Créez une clé dans les réglages du compte, sur le service, et réglez MULTILOCAL_API_KEY.',
  ],
  missing_permission: PERMISSION,
  permission_denied: PERMISSION,
  bulle_out_of_scope: LOCATIONS,
  bulle_not_found: LOCATIONS,
  missing_bulle_id: with_(['Add `bulle_id`.', 'Ajoutez `bulle_id`.'], LOCATIONS),
  fiche_out_of_scope: LISTINGS,
  missing_fiche_id: with_(['Add `fiche_id`.', 'Ajoutez `fiche_id`.'], LISTINGS),
  platform_not_connected: [
    '`doctor` lists the accounts that are not connected.',
    '`doctor` montre les comptes qui ne sont pas connectés.',
  ],
  rate_limit: ['Wait, then try again.', 'Attendez, puis réessayez.'],
  dry_run_not_honored: [
    'The action has happened: look in the service. `rehearse` has noted it in the journal of the plan and never repeats it.',
    'L’action a eu lieu : regardez dans le service. `rehearse` l’a notée dans le journal du plan et ne la répète jamais.',
  ],
  quota_exceeded: [
    'The quota of the month is used up. It is renewed next month.',
    'Le quota du mois est épuisé. Il est renouvelé le mois prochain.',
  ],
  plan_not_approved: [
    'Rehearse the plan again, and let its new hash be approved.',
    'Répétez le plan, et faites approuver son nouveau code.',
  ],
  journal_damaged: [
    'Restore it from a backup. Without the journal, it is unknown which actions happened: delete it only if you have looked in the service.',
    'Rétablissez-le depuis une sauvegarde. Sans le journal, on ne sait pas quelles actions ont eu lieu : ne le supprimez qu’après avoir regardé dans le service.',
  ],
  journal_lost: [
    'Restore the journal. Do not run the plan before: it would repeat what happened.',
    'Rétablissez le journal. N’exécutez pas le plan avant : il referait ce qui a eu lieu.',
  ],
  journal_of_another_brand: [
    'Check the address and the key, or pass the right journal with `--journal`. A copy of a journal would repeat what happened.',
    'Vérifiez l’adresse et la clé, ou donnez le bon journal avec `--journal`. Une copie d’un journal referait ce qui a eu lieu.',
  ],
  journal_unusable: [
    'Check the folder of the journal, its rights and the space on the disk. The message above has the reason.',
    'Vérifiez le dossier du journal, ses droits et la place sur le disque. Le message ci-dessus donne la raison.',
  ],
  plan_incomplete: [
    'Run the plan again once this is solved. It goes on where it ended.',
    'Relancez le plan quand cela est résolu. Il reprend où il s’est arrêté.',
  ],
  plan_unresolved: [
    'Settle this action as described, then run the plan again.',
    'Dites d’abord ce qui s’est passé, puis relancez le plan.',
  ],
  journal_locked: [
    'Wait until the other run has ended, then run the plan again.',
    'Attendez la fin de l’autre exécution, puis relancez le plan.',
  ],
};

/** What a person has stopped. */
export const INTERRUPTED = {
  said: ['Interrupted.', 'Interrompu.'],
  declined: ['Interrupted. Nothing was carried out.', 'Interrompu. Rien n’a été exécuté.'],
  again: ['Run the command again to go on.', 'Relancez la commande pour continuer.'],
} as const satisfies Record<string, Both>;

export const HINT = {
  look: [
    'Look in the service whether the write happened before you repeat the call.',
    'Regardez dans le service si cela a eu lieu avant de recommencer.',
  ],
  doctor: ['`doctor` checks address, key and accounts.', '`doctor` vérifie l’adresse, la clé et les comptes.'],
  report: [
    'If this looks like a bug, report it with the command that shows it.',
    'Si cela ressemble à un bug, signalez-le avec la commande qui le montre.',
  ],
} as const satisfies Record<string, Both>;
