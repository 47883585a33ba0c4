// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';
import type { Identity, MultilocalError, Permission } from 'multilocal';
import { endpoints } from 'multilocal/internal/endpoints';
import { ApiError, ConnectionError } from 'multilocal/internal/errors';
import { nameOf } from '../words.js';
import { type Finding, ok, problem, warning } from './finding.js';

const SETTINGS = 'in the account settings of the service';
const REGLAGES = 'dans les réglages du compte, sur le service';
const WITH_READ: Both = [
  `Create a key with the permission \`read\` ${SETTINGS}.`,
  `Créez une clé avec la permission \`read\` ${REGLAGES}.`,
];
const LATER: Both = [
  'The address and the key work. Try again in a few minutes.',
  'L’adresse et la clé marchent. Réessayez dans quelques minutes.',
];
const COMPARE: Both = [
  `Another server, a proxy or a newer service may respond here. Compare the address with the one ${SETTINGS}.`,
  `Un autre serveur, un proxy ou un service plus récent répond peut-être ici. Comparez l’adresse avec celle ${REGLAGES}.`,
];

type Pair = readonly [found: Both, advice: Both];
const UNREAD: Pair = [
  ['The service does not let this key read the accounts.', 'Le service ne laisse pas cette clé lire les comptes.'],
  WITH_READ,
];
const DOWN: Pair = [
  [
    'The accounts could not be read: the service did not respond as expected.',
    'Les comptes n’ont pas pu être lus : le service n’a pas répondu comme prévu.',
  ],
  LATER,
];

/** What a failure of `GET /me` means, and one of `GET /connections` after `GET /me` has succeeded. */
const FAILURES = {
  key: {
    401: [
      [
        'The service refuses the key: it is wrong, expired or revoked.',
        'Le service refuse la clé : elle est fausse, expirée ou révoquée.',
      ],
      [
        `Create a key ${SETTINGS} and set it as MULTILOCAL_API_KEY. Key and address must belong together.`,
        `Créez une clé ${REGLAGES} et réglez MULTILOCAL_API_KEY. La clé et l’adresse doivent aller ensemble.`,
      ],
    ],
    403: [
      [
        'The service knows the key, but the key lacks the permission `read`, so it can call almost nothing.',
        'Le service connaît la clé, mais il lui manque la permission `read` : elle ne peut presque rien appeler.',
      ],
      WITH_READ,
    ],
    429: [
      [
        'The key has no requests left for now: other programs may use the same key.',
        'La clé n’a plus de requêtes pour le moment : d’autres programmes l’utilisent peut-être.',
      ],
      [' Give each program its own key.', ' Donnez à chaque programme sa propre clé.'],
    ],
    down: [
      [
        'The service could not check the key. The key may be right.',
        'Le service n’a pas pu vérifier la clé. Elle est peut-être juste.',
      ],
      ['Try again in a few minutes.', 'Réessayez dans quelques minutes.'],
    ],
    broken: [
      [
        'The connection broke while the key was checked.',
        'La connexion a été coupée pendant la vérification de la clé.',
      ],
      ['Check the network, and try again.', 'Vérifiez le réseau, puis réessayez.'],
    ],
    other: [['The key could not be checked', 'La clé n’a pas pu être vérifiée'], COMPARE],
  },
  accounts: {
    401: UNREAD,
    403: UNREAD,
    429: [
      [
        'The key has no requests left for now, so the accounts were not read.',
        'La clé n’a plus de requêtes pour le moment : les comptes n’ont pas été lus.',
      ],
      ['', ''],
    ],
    down: DOWN,
    broken: DOWN,
    other: [['The accounts could not be read', 'Les comptes n’ont pas pu être lus'], COMPARE],
  },
} as const satisfies Record<string, Record<string, Pair>>;

/** What happened, without the message of the client, because that has advice for programs. */
const HAPPENED: Readonly<Record<string, Both>> = {
  redirect: ['the service redirects to another address.', 'le service redirige vers une autre adresse.'],
  invalid_response: ['the response does not have the expected shape.', 'la réponse n’a pas la forme attendue.'],
};

/** Explains why the key could not be checked, or why the accounts could not be read. */
export function callFailure(check: keyof typeof FAILURES, error: MultilocalError): Finding {
  const { code } = error;
  const { status = 0, retryAfter = 60_000 } = error instanceof ApiError ? error : {};
  const known = status === 401 || status === 403 || status === 429 ? status : undefined;
  const kind = status >= 500 ? 'down' : error instanceof ConnectionError ? 'broken' : (known ?? 'other');
  const [found, advice]: Pair = FAILURES[check][kind];
  const seconds = Math.ceil(retryAfter / 1000);
  if (kind === 429) {
    const wait = [`Wait ${seconds} seconds and try again.`, `Attendez ${seconds} secondes, puis réessayez.`] as const;
    return problem(check, found, [`${wait[0]}${advice[0]}`, `${wait[1]}${advice[1]}`]);
  }
  const happened: Both = HAPPENED[code] ?? [
    `the service refused the request (${code}).`,
    `le service a refusé la requête (${code}).`,
  ];
  const whole: Both = [`${found[0]}: ${happened[0]}`, `${found[1]} : ${happened[1]}`];
  return problem(check, kind === 'other' ? whole : found, advice);
}

/** Describes the key of a `GET /me` response. */
export function keyFindings(identity: Identity): Finding[] {
  const key = ok('key', ['The service accepts the key.', 'Le service accepte la clé.']);
  return [key, scopeFinding(identity), permissionFinding(identity), limitFinding(identity)];
}

function scopeFinding({ bulle, sphere, gmb_fiches }: Identity): Finding {
  if (bulle) {
    return ok('scope', [
      `The key covers one location: ${nameOf(bulle)} of ${nameOf(sphere)}. Calls need no bulle_id.`,
      `La clé couvre un seul lieu : ${nameOf(bulle)} (${nameOf(sphere)}). Les appels n’ont pas besoin de bulle_id.`,
    ]);
  }
  const needing = endpoints.filter(({ target, targetRequired }) => target === 'bulle_id' && targetRequired === true);
  const examples = needing.slice(0, 3).map(({ operation }) => operation);
  const isSeveral = gmb_fiches.length > 1;
  return ok(
    'scope',
    [
      `The key covers the whole brand ${nameOf(sphere)}, so some calls must name a location, such as ${examples.join(', ')}.`,
      `La clé couvre toute la marque ${nameOf(sphere)} : certains appels doivent nommer un lieu, comme ${examples.join(', ')}.`,
    ],
    [
      `Add bulle_id=<id> to them: \`npx multilocal call bulles.list\` lists the ids.${isSeveral ? ' Calls about reviews and listings need a fiche_id: `npx multilocal whoami` lists them.' : ''}`,
      `Ajoutez-leur bulle_id=<id> : \`npx multilocal call bulles.list\` montre les identifiants.${isSeveral ? ' Les appels sur les avis et les fiches demandent un fiche_id : `npx multilocal whoami` les montre.' : ''}`,
    ],
  );
}

/** The permissions that a key may have. */
export const PERMISSIONS = ['read', 'schedule', 'publish', 'delete'] as const satisfies Permission[];

function permissionFinding({ permissions }: Identity): Finding {
  const missing = PERMISSIONS.filter((one) => !permissions.includes(one));
  const held: Both = [
    `The key may ${inWords(permissions, ['nothing', 'and'])}.`,
    `La clé a les permissions : ${inWords(permissions, ['aucune', 'et'])}.`,
  ];
  if (missing.length === 0) {
    const all: Both = ['It can call every operation.', 'Elle peut appeler toutes les opérations.'];
    return ok('permissions', [`${held[0]} ${all[0]}`, `${held[1]} ${all[1]}`]);
  }
  const refused = missing.map((permission): Both => {
    const lost = endpoints.filter((one) => one.permission === permission).map(({ operation }) => operation);
    return [
      `Without \`${permission}\`, it cannot call ${inWords(lost, ['nothing', 'and'])}.`,
      `Sans \`${permission}\`, elle ne peut pas appeler ${inWords(lost, ['rien', 'et'])}.`,
    ];
  });
  const all = [held, ...refused];
  return warning(
    'permissions',
    [all.map(([en]) => en).join(' '), all.map(([, fr]) => fr).join(' ')],
    [
      `A site that only reads needs no more. For these calls, create a key with the missing permissions ${SETTINGS}.`,
      `Un site qui ne fait que lire n’en demande pas plus. Pour ces appels, créez une clé avec les permissions qui manquent, ${REGLAGES}.`,
    ],
  );
}

function inWords(words: readonly string[], [none, and]: readonly [string, string]): string {
  return words.length < 2 ? (words[0] ?? none) : `${words.slice(0, -1).join(', ')} ${and} ${words.at(-1)}`;
}

function limitFinding({ rate_limits: { per_minute, per_day } }: Identity): Finding {
  const limits: Both = [
    `${per_minute} requests a minute and ${per_day} a day`,
    `${per_minute} requêtes par minute et ${per_day} par jour`,
  ];
  if (Math.min(per_minute, per_day) < 1) {
    return warning(
      'limits',
      [
        `The service reports ${limits[0]}, so calls may be refused.`,
        `Le service annonce ${limits[1]} : des appels seront peut-être refusés.`,
      ],
      [
        'Ask the people who run the service for the limits of this key.',
        'Demandez les limites de cette clé à ceux qui exploitent le service.',
      ],
    );
  }
  // The dry run of an action, and the two reads of `posts.check`.
  const actions = Math.max(1, Math.floor(Math.min(per_minute, per_day) / 3));
  return ok('limits', [
    `The key has ${limits[0]}. A rehearsal of ${actions} actions needs no wait.`,
    `La clé a ${limits[1]}. Une répétition de ${actions} actions n’attend pas.`,
  ]);
}
