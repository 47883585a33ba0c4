// cspell:disable the sentences in French
import type { Failure } from './shown.js';
import { asPart, type Both, inBrackets, platformName, platformNames, quotas } from './words.js';

type Ids = readonly (string | number)[] | undefined;
type Id = string | number;

const NEW_KEY: Both = [
  'If it is to happen once more, give the action a new `key`.',
  'Si cela doit se produire encore une fois, donnez à l’action une nouvelle `key`.',
];
const AGAIN: Both = [
  'If it is to appear again, pass `again: true`.',
  'Si cela doit paraître encore une fois, ajoutez `again: true`.',
];
const KEEP = "`leftOver: 'keep'`";
const PRUNE = "`leftOver: 'prune'`";
const settling = (key: string) =>
  `\`npx multilocal journal settle ${key.startsWith('-') ? '-- ' : ''}${shellWord(key)} applied|not_applied\``;

/** A key as a shell reads it, which runs nothing of it. Backticks mark the command around it. */
function shellWord(key: string): string {
  if (/^[\w./:@-]+$/.test(key)) return key;
  if (!/['`\p{Cc}\p{Cf}]/u.test(key)) return `'${key}'`;
  const escaped = (sign: string) => `\\U${sign.codePointAt(0)?.toString(16).padStart(8, '0')}`;
  return `$'${key.replace(/['`\\\p{Cc}\p{Cf}]/gu, escaped)}'`;
}

/** Why a person must find out what happened. */
const WHY = {
  answered: [
    'the service answered the request with a preview. Check the address and the key: they may belong to a test system',
    'le service a répondu par un aperçu. Vérifiez l’adresse et la clé : elles sont peut-être celles d’un système de test',
  ],
  previewed: ['the service answered the request with a preview', 'le service a répondu par un aperçu'],
  unreadable: ['no read of the service shows whether it did', 'aucune lecture du service ne le montre'],
  unclear: ['the service does not show whether it did', 'le service ne le montre pas'],
} as const satisfies Record<string, Both>;
export type Why = keyof typeof WHY;

/** Texts, of which some may be missing. */
type Of<Name extends string> = { readonly [Each in Name]?: string | undefined };
/** The key belongs to another action, which may have happened. */
type Other = { readonly isOpen?: boolean; readonly isOther?: boolean };
/** What is near on an account: another action of the plan, or a post of the service. */
type Near = { readonly platform: string; readonly action?: number; readonly id?: Id; readonly isSame?: boolean };
type Lost = Of<'after'> & { readonly operation: string; readonly key: string; readonly why: Why };
type Where = 'key' | 'other key' | 'everywhere' | 'left over' | 'meanwhile';

export const MEDIA = ['image_url', 'image_urls', 'video_url'] as const;

/** What differs in a post from what a plan has made. */
export interface HandChange {
  readonly field: 'content' | 'scheduled_at' | 'platforms' | (typeof MEDIA)[number];
  /** What is there, and what is wanted. `null`: the plan no longer has the post. */
  readonly there: string;
  readonly wanted?: string | null | undefined;
  readonly platform?: string | undefined;
}

function changed({ field, there, wanted, platform = '' }: HandChange): Both {
  const differs = (is: Both, wants: Both): Both =>
    wanted === null ? is : [`${is[0]}, and the plan wants ${wants[0]}`, `${is[1]}, et le plan veut ${wants[1]}`];
  const wants = (en: string, fr: string): Both => [wanted ?? en, wanted ?? fr];
  switch (field) {
    case 'content':
      return differs([`the text "${there}"`, `le texte « ${there} »`], [`"${wanted ?? ''}"`, `« ${wanted ?? ''} »`]);
    case 'platforms':
      return differs([`the platforms ${there}`, `les réseaux ${there}`], wants('', ''));
    case 'scheduled_at': {
      const on = platformName(platform);
      return differs([`${there} on ${on}`, `${there} sur ${on}`], wants('no moment', 'aucune date'));
    }
    default: {
      const is: Both = [`${there || 'nothing'} as ${field}`, `${there || 'rien'} comme ${field}`];
      return differs(is, wants('nothing', 'rien'));
    }
  }
}

interface Account {
  readonly platform: string;
  readonly place?: string | undefined;
  /** The sentence of the client, with the name of the platform. */
  readonly said?: string | undefined;
}

/** A sentence about an account. That in English is the client's. */
const ofAccount = ({ platform, place, said = '' }: Account, fr: string): Both => {
  const where = place ? `${place}, ` : '';
  return [`${where}${said}.`, `${where}${platformName(platform)} : ${fr}.`];
};

/** What is wrong, by code, with its values: each front says it in its language. */
export const sentences = {
  already_answered: ({ action, text = '' }: Of<'text'> & { action?: number }): Both =>
    action === undefined
      ? [
          `The review already has another reply: "${text}". To replace it, pass \`again: true\`.`,
          `L’avis a déjà une autre réponse : « ${text} ». Pour la remplacer, ajoutez \`again: true\`.`,
        ]
      : [
          `Action ${action} of the plan answers the same review, which has one reply. Remove one of the two.`,
          `L’action ${action} du plan répond au même avis, qui n’a qu’une réponse. Retirez l’une des deux.`,
        ],
  already_done: ({ operation, target, isOpen, isOther }: Of<'operation' | 'target'> & Other): Both => {
    const what = `${operation}${target === undefined ? '' : ` (${target})`}`;
    return isOther
      ? [
          `The key belongs to ${what}, which ${isOpen ? 'may have been' : 'was'} carried out. ${NEW_KEY[0]}`,
          `La clé appartient à ${what}, qui a ${isOpen ? 'peut-être ' : ''}été exécuté. ${NEW_KEY[1]}`,
        ]
      : [
          `${what} was carried out with other parameters under this key, and cannot be corrected. ${NEW_KEY[0]}`,
          `${what} a été exécuté avec d’autres paramètres sous cette clé et ne peut être corrigé. ${NEW_KEY[1]}`,
        ];
  },
  already_online: ({ ids, where, key = '' }: { ids?: Ids; where: Where; key?: string }): Both => {
    const id = inBrackets(ids);
    return {
      'other key': [
        `The post of the key ${key}${id} is online, and seems to be this one: the same text on that day, or another one at the same moment. Give the action that key: \`retryFailed\` publishes it where it has failed. ${AGAIN[0]}`,
        `Le post de la clé ${key}${id} est en ligne et semble être celui-ci : même texte ce jour-là, ou autre texte à la même heure. Donnez cette clé à l’action : \`retryFailed\` le publie là où il a échoué. ${AGAIN[1]}`,
      ] as const,
      key: [
        `What was made under this key${id} is online, or about to be, and cannot be corrected by a plan. ${NEW_KEY[0]}`,
        `Ce que cette clé a fait${id} est en ligne, ou va l’être, et aucun plan ne peut le corriger. ${NEW_KEY[1]}`,
      ] as const,
      everywhere: [
        `A post of this key was online on all its platforms. ${NEW_KEY[0]}`,
        `Un post de cette clé a été en ligne sur tous ses réseaux. ${NEW_KEY[1]}`,
      ] as const,
      'left over': [
        `The plan no longer has this post${id}, and it is online on one of its platforms, or about to be. No plan changes or deletes it: remove the rest in the service, or keep it: ${KEEP}.`,
        `Le plan n’a plus ce post${id}, et il est en ligne sur un de ses réseaux, ou va l’être. Aucun plan ne le modifie ni ne le supprime : retirez le reste dans le service, ou gardez-le : ${KEEP}.`,
      ] as const,
      meanwhile: [
        `The post${id} is online meanwhile, or about to be, and was not deleted.`,
        `Le post${id} est entre-temps en ligne, ou va l’être, et n’a pas été supprimé.`,
      ] as const,
    }[where];
  },
  bulle_not_found: ({ operation }: { operation: string }): Both => [
    `${operation}: \`bulle_id\` is not a location that the key covers.`,
    `${operation} : \`bulle_id\` n’est pas un lieu que la clé couvre.`,
  ],
  changed_by_hand: ({ id, changes }: { id: Id; changes: readonly HandChange[] }): Both => [
    `Somebody has changed the post (id ${id}) in the service since it was made: it now has ${changes.map((one) => changed(one)[0]).join('; it has ')}.`,
    `Quelqu’un a modifié le post (id ${id}) dans le service depuis sa création : il a maintenant ${changes.map((one) => changed(one)[1]).join(' ; il a ')}.`,
  ],
  doubtful_address: ({ name }: { name: string }): Both => [
    `\`${name}\` must be an address that begins with https://. The service cannot read a file of this machine.`,
    `\`${name}\` doit être une adresse qui commence par https://. Le service ne lit aucun fichier de cette machine.`,
  ],
  doubtful_contact: ({ channel }: { channel: 'sms' | 'email' }): Both =>
    channel === 'sms'
      ? [
          'A phone number begins with 0 or with + and its country. A spreadsheet may have removed the zero.',
          'Un numéro de téléphone commence par 0, ou par + et son pays. Un tableur a peut-être retiré le zéro.',
        ]
      : ['The e-mail address of a contact cannot be right.', 'L’adresse e-mail d’un contact ne peut pas être juste.'],
  expired: (account: Account): Both => ofAccount(account, 'l’accès au compte a expiré'),
  failed: ({ ids, on, isFinal }: { ids: Ids; on: readonly Failure[]; isFinal?: boolean }): Both => {
    const said = (colon: string) =>
      on.map(({ platform, error }) => `${platformName(platform)}${error ? `${colon}${asPart(error)}` : ''}`).join('; ');
    const [en, fr]: Both = isFinal
      ? [
          'No plan publishes it again: make it anew, as a post of the plan.',
          'Aucun plan ne le publie à nouveau : refaites-le comme post du plan.',
        ]
      : [
          '`retryFailed` publishes it again there, and only there.',
          '`retryFailed` le publie à nouveau là, et seulement là.',
        ];
    const post = inBrackets(ids);
    return [`The post${post} has failed on ${said(': ')}. ${en}`, `Le post${post} a échoué sur ${said(' : ')}. ${fr}`];
  },
  failure_in_response: ({ sign }: { sign?: string | undefined }): Both => {
    const [en, fr]: Both =
      sign === undefined
        ? ['The response named a failure.', 'La réponse a signalé un échec.']
        : [
            `The service accepted the request, but its response has ${sign}.`,
            'Le service a accepté la demande, mais sa réponse signale un échec ou ne dit pas ce qui a été fait.',
          ];
    return [
      `${en} Look in the service whether it happened. It is not sent again.`,
      `${fr} Vérifiez dans le service si c’est fait. L’action n’est pas renvoyée.`,
    ];
  },
  in_the_past: ({ name }: { name: string }): Both => [
    `\`${name}\` is in the past. The service may publish at once.`,
    `\`${name}\` est passé. Le service publiera peut-être tout de suite.`,
  ],
  keeps_old_text: (): Both => [
    'The platforms where the post is online, or is still to appear, keep the old version.',
    'Les réseaux où le post est en ligne, ou doit encore paraître, gardent l’ancienne version.',
  ],
  key_of_another_plan: ({ plan, operation, ids, at }: Of<'plan' | 'operation' | 'at'> & { ids: Ids }): Both => {
    const what = `${operation}${ids?.length ? `, id ${ids.join(', ')}` : ''}`;
    return [
      `The key belongs to the plan ${plan}, which has carried out something else under it (${what}, ${at}). Give the action another \`key\`, or the plan the \`name\` of that one.`,
      `La clé appartient au plan ${plan}, qui a exécuté autre chose sous cette clé (${what}, ${at}). Donnez à l’action une autre \`key\`, ou au plan le \`name\` de celui-là.`,
    ];
  },
  left_over: ({ ids, is }: { ids: Ids; is?: 'several' | 'social' }): Both => {
    if (is === 'social')
      return [
        `The plan no longer has this publication${inBrackets(ids)}, and it is still scheduled. No plan changes or deletes it: remove it in the service, or keep it: ${KEEP}.`,
        `Le plan n’a plus cette publication${inBrackets(ids)}, et elle est toujours programmée. Aucun plan ne la modifie ni ne la supprime : retirez-la dans le service, ou gardez-la : ${KEEP}.`,
      ];
    return is === 'several'
      ? [
          `Several actions of the plan could replace this post${inBrackets(ids)}. Give them the \`key\` that they had, or keep it: ${KEEP}.`,
          `Plusieurs actions du plan pourraient remplacer ce post${inBrackets(ids)}. Donnez-leur la \`key\` qu’elles avaient, ou gardez-le : ${KEEP}.`,
        ]
      : [
          `The plan no longer has this post${inBrackets(ids)}, and it is still scheduled. Pass ${PRUNE} to move or delete it, or ${KEEP} if both are to appear.`,
          `Le plan n’a plus ce post${inBrackets(ids)}, et il est toujours programmé. Ajoutez ${PRUNE} pour le déplacer ou le supprimer, ou ${KEEP} si les deux doivent paraître.`,
        ];
  },
  made_before: ({ key, at }: { key: string; at: string }): Both => [
    `The plan made ${key} at ${at}, and no longer has it. If this is its correction, it will be there twice: give the action that \`key\`, or leave it out.`,
    `Le plan a fait ${key} le ${at} et ne l’a plus. Si ceci le corrige, il y sera deux fois : donnez cette \`key\` à l’action, ou retirez-la.`,
  ],
  mass_deletion: ({ ids }: { ids: Ids }): Both => [
    `The plan would delete this post${inBrackets(ids)} and more than half of its pending posts. If that is meant, pass \`allowMassDeletion\`.`,
    `Le plan supprimerait ce post${inBrackets(ids)} et plus de la moitié de ses posts en attente. Si c’est voulu, ajoutez \`allowMassDeletion\`.`,
  ],
  may_be_online: ({ ids, online, key }: { ids: Ids; online: readonly string[]; key?: string }): Both => [
    `The service no longer has what ${key === undefined ? 'this key' : `the key ${key}`} made${inBrackets(ids)}. It may have appeared before, and may still be online.${online.length > 0 ? ` It was online on ${platformNames(online)}.` : ''} Look where it appears. ${AGAIN[0]} It then leaves out the platforms where it was seen. Or settle the key in the journal as applied or not_applied.`,
    `Le service n’a plus ce que ${key === undefined ? 'cette clé' : `la clé ${key}`} a fait${inBrackets(ids)}. C’est peut-être déjà paru, et encore en ligne.${online.length > 0 ? ` C’était en ligne sur ${platformNames(online)}.` : ''} Regardez là où cela paraît. ${AGAIN[1]} Les réseaux où on l’a vu sont alors laissés de côté. Ou notez la clé dans le journal comme applied ou not_applied.`,
  ],
  media_too_large: (account: Account): Both => ofAccount(account, 'une image ou la vidéo est trop lourde'),
  needs_reconnect: ({ end, isBefore, ...account }: Account & { end?: string; isBefore?: boolean }): Both => {
    if (end === undefined) return ofAccount(account, 'le compte doit être reconnecté');
    const said = `${platformName(account.platform)}: the access to the account ends at ${end}${isBefore ? ', before the post is due' : ''}. Connect it again`;
    const fr = `l’accès au compte se termine le ${end}${isBefore ? ', avant la publication' : ''}. Reconnectez-le`;
    return ofAccount({ ...account, said }, fr);
  },
  no_effect: ({ name, platform }: { name: string; platform: string }): Both => [
    `\`${name}\` may have no effect: \`platforms\` does not have ${platform}.`,
    `\`${name}\` peut rester sans effet : \`platforms\` n’a pas ${platform}.`,
  ],
  not_connected: (account: Account): Both => ofAccount(account, 'aucun compte n’est connecté'),
  not_previewed: (): Both => [
    'It was not previewed: the service did not respond to the previews of two other actions.',
    'Sans aperçu : le service n’a pas répondu aux aperçus de deux autres actions.',
  ],
  plan_unresolved: ({ operation, key, why, after }: Lost): Both => [
    `${operation} may have happened: ${WHY[why][0]}. It is never sent again. Look in the service${after ? ` after ${after}` : ''}, then say what happened: ${settling(key)}, or settleAction().`,
    `${operation} a peut-être été exécuté : ${WHY[why][1]}. Ce n’est jamais renvoyé. Regardez dans le service${after ? ` après ${after}` : ''}, puis dites ce qui s’est passé : ${settling(key)}.`,
  ],
  quota_exceeded: ({ needs, name, left }: { needs: number; name: string; left: number }): Both => [
    `The actions up to this one need ${needs} ${name}, and ${left} are left this month.`,
    `Jusqu’à celle-ci, les actions demandent ${needs} ${quotas[name] ?? name}, et il en reste ${left} ce mois-ci.`,
  ],
  repeated_contact: (): Both => ['This customer is asked twice by the plan.', 'Le plan sollicite ce client deux fois.'],
  review_not_seen: (): Both => [
    'The review was not seen: it is not among the newest ones of its listing, or its listing is unknown (`fiche_id`). A reply that is there would be replaced.',
    'L’avis n’a pas été vu : il n’est pas parmi les plus récents de sa fiche, ou sa fiche est inconnue (`fiche_id`). Une réponse déjà présente serait remplacée.',
  ],
  same_account: ({ platform, action, id, isSame }: Near): Both => {
    const on = platformName(platform);
    const [en, fr]: Both = isSame
      ? [
          `the service has a post with the same text (id ${id}) on the same account within a day`,
          `le service a un post de même texte (id ${id}) sur le même compte à moins d’un jour d’écart`,
        ]
      : id === undefined
        ? [
            `action ${action} publishes on the same account within an hour`,
            `l’action ${action} publie sur le même compte à moins d’une heure d’écart`,
          ]
        : [
            `the service has another post (id ${id}) on the same account within an hour`,
            `le service a un autre post (id ${id}) sur le même compte à moins d’une heure d’écart`,
          ];
    return [`${on}: ${en}.`, `${on} : ${fr}.`];
  },
  same_action: ({ action }: { action: number }): Both => [
    `Action ${action} of the plan is the same. Both would happen.`,
    `L’action ${action} du plan est la même. Les deux auraient lieu.`,
  ],
  text_too_long: (account: Account): Both => ofAccount(account, 'le texte est trop long pour ce réseau'),
  too_few_images: (account: Account): Both => ofAccount(account, 'trop peu d’images pour un carrousel'),
  too_many_images: (account: Account): Both => ofAccount(account, 'trop d’images pour ce réseau'),
  twin: ({ ids, platform, plan, key, on }: Of<'platform' | 'plan' | 'key' | 'on'> & { ids: Ids }): Both => {
    if (on !== undefined) {
      const [what, where] = [inBrackets(ids), platformName(on)];
      return [
        `Another post${what} with this text is on ${where}, where this one has failed, or is still to appear there. ${AGAIN[0]}`,
        `Un autre post${what} de même texte est sur ${where}, où celui-ci a échoué, ou doit encore y paraître. ${AGAIN[1]}`,
      ];
    }
    if (platform !== undefined) {
      const on = platformName(platform);
      return [
        `Two posts of this key are on ${on}, or are still to appear there (ids ${ids?.join(' and ')}). Delete one of the two in the service.`,
        `Deux posts de cette clé sont sur ${on}, ou doivent encore y paraître (ids ${ids?.join(' et ')}). Supprimez-en un dans le service.`,
      ];
    }
    const [en, fr]: Both =
      plan !== undefined
        ? [
            ` The plan ${plan} has made it: \`plan.name\` continues that plan.`,
            ` Le plan ${plan} l’a fait : \`plan.name\` poursuit ce plan.`,
          ]
        : key !== undefined
          ? [` The key ${key} has made it: ${PRUNE} takes it over.`, ` La clé ${key} l’a fait : ${PRUNE} le reprend.`]
          : ['', ''];
    return [
      `The service already has this post${inBrackets(ids)}: same location, text and moment on a platform.${en} ${AGAIN[0]}`,
      `Le service a déjà ce post${inBrackets(ids)} : même lieu, même texte et même heure sur un réseau.${fr} ${AGAIN[1]}`,
    ];
  },
  unknown_outcome: ({ key, other, id }: Of<'key' | 'other'> & { id?: Id | undefined }): Both => {
    if (other !== undefined)
      return [
        `The key ${other} may have published this already: same location, text and moment. Look in the service, then settle that key in the journal. ${AGAIN[0]}`,
        `La clé ${other} l’a peut-être déjà publié : même lieu, même texte et même heure. Regardez dans le service, puis notez cette clé dans le journal. ${AGAIN[1]}`,
      ];
    if (key !== undefined)
      return [
        `The plan no longer has ${key}, and the service does not show whether its post was made. Look there, then settle the key in the journal.`,
        `Le plan n’a plus ${key}, et le service ne montre pas si son post a été fait. Regardez-y, puis notez la clé dans le journal.`,
      ];
    if (id !== undefined)
      return [
        `The service accepted the deletion of the post (id ${id}), but may still have it. It is unknown whether it happened. Run the plan again: it looks that up first.`,
        `Le service a accepté la suppression du post (id ${id}), mais l’a peut-être encore. On ne sait pas si elle a eu lieu. Relancez le plan : il le vérifie d’abord.`,
      ];
    return [
      'It may have happened. A run looks first, and never repeats what may have happened.',
      'C’est peut-être fait. Une exécution regarde d’abord et ne répète jamais ce qui a peut-être eu lieu.',
    ];
  },
} as const;
