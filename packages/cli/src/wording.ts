// cspell:disable the sentences in French
import { type Both, quotas } from '@multilocal/plans/words';
import { capital, counted, plural } from './words.js';

/** What the commands for plans say, in English and in French. The sentences of the engine are in packages/plans. */
export const WORDING = {
  minutes: (minutes: number): Both =>
    minutes === 0
      ? ['less than a minute', 'moins d’une minute']
      : [`about ${plural(minutes, 'minute')}`, `environ ${counted(minutes, 'minute')}`],
  onlyLeft: (left: number): Both => [
    ` Only ${left} are left: the rest is for the next day.`,
    ` Il n’en reste que ${left} : la suite est pour le lendemain.`,
  ],
  cost: (requests: number, limit: number, [time, more]: readonly [Both, Both]): Both => [
    `The plan needs ${requests} of ${limit} requests of the day, ${time[0]}.${more[0]}`,
    `Le plan demande ${requests} des ${limit} requêtes du jour, ${time[1]}.${more[1]}`,
  ],
  waits: (operation: string, seconds: number, [en, fr]: Both): Both => [
    `${operation} waits ${seconds} s ${en}.`,
    `${operation} attend ${seconds} s ${fr}.`,
  ],
  isHeld: (): Both => ['because the service asked for it (429)', 'parce que le service l’a demandé (429)'],
  isFull: (left = Number.POSITIVE_INFINITY): Both => [
    `for the request limits of the key${left < Number.POSITIVE_INFINITY ? ` (${left} requests left today)` : ''}: \`--max-wait\` ends longer waits`,
    `à cause des limites de la clé${left < Number.POSITIVE_INFINITY ? ` (reste ${left} requêtes aujourd’hui)` : ''} : \`--max-wait\` refuse les attentes plus longues`,
  ],
  finishing: (): Both => [
    'Interrupted. Finishing the request that is on its way. Press Ctrl-C again to stop.',
    'Interruption. La requête en cours se termine. Appuyez encore sur Ctrl-C pour arrêter.',
  ],
  doing: {
    previewing: ['previewing', 'aperçu'],
    looking: ['looking for the result of an earlier run', 'recherche du résultat d’une exécution précédente'],
    sending: ['sending', 'envoi'],
    waiting: ['waiting for the limits of the key', 'attente des limites de la clé'],
  },
  progress: (now: number, total: number, what: string): Both => [
    `${now} of ${total}  ${what}`,
    `${now} sur ${total}  ${what}`,
  ],
  upTo: (time: Both): Both => [`, up to ${time[0]}`, `, au plus ${time[1]}`],
  left: (time: Both): Both => [`, ${time[0]} left`, `, encore ${time[1]}`],
  looking: (operation: string, time: Both | undefined): Both => [
    `${operation} was started by an earlier run, and the service may still be working on it. Looking for its result${time ? ` for up to ${time[0]}` : ''}.`,
    `${operation} a été commencé par une exécution précédente, et le service y travaille peut-être encore. Recherche du résultat${time ? ` pendant au plus ${time[1]}` : ''}.`,
  ],
  line: (): Both => ['line', 'ligne'],
  operation: (): Both => ['operation', 'opération'],
  whatWould: (): Both => ['what would happen', 'ce qui se passerait'],
  uses: (uses: number, left: number | undefined, name: string): Both => [
    `uses ${uses}${left === undefined ? '' : ` of ${left}`} ${name} of this month`,
    `utilise ${uses}${left === undefined ? '' : ` des ${left}`} ${quotas[name] ?? name} de ce mois`,
  ],
  leftOver: {
    refuse: ['left over', 'en trop'],
    delete: ['delete', 'suppression'],
    adopt: ['move', 'déplacement'],
    keep: ['keep', 'gardé'],
  },
  outcome: {
    applied: ['done.', 'fait.'],
    not_applied: ['not_applied', 'pas exécuté.'],
    unknown: ['unknown', 'résultat inconnu.'],
  },
  hidden: (count: number): Both => [
    `${plural(count, 'action')} without a remark ${count === 1 ? 'is' : 'are'} not shown. \`--all\` shows all.`,
    `${counted(count, 'action')} sans remarque ${count > 1 ? 'ne sont pas affichées' : 'n’est pas affichée'}. \`--all\` montre tout.`,
  ],
  whatFollows: (count: number): Both => [
    `${plural(count, 'post')} of an earlier version of the plan ${count === 1 ? 'is' : 'are'} still scheduled. What follows?`,
    `${counted(count, 'post')} d’une version précédente du plan ${count > 1 ? 'sont encore programmés' : 'est encore programmé'}. Que faire ?`,
  ],
  prune: (moved: number, deleted: number): Both => {
    const [en, fr] = withDeleted(
      [`move ${plural(moved, 'post')}`, `déplacer ${counted(moved, 'post')}`],
      moved,
      deleted,
    );
    return [`${en} (--prune)`, `${fr} (--prune)`];
  },
  keep: (): Both => [
    'Keep, so that all appear (--keep-left-overs)',
    'Garder, pour que tout paraisse (--keep-left-overs)',
  ],
  stop: (): Both => ['Stop', 'Arrêter'],
  carryOut: (sent: number, deleted: number): Both => {
    const [en, fr] = withDeleted(
      [`carry out ${plural(sent, 'action')}`, `exécuter ${counted(sent, 'action')}`],
      sent,
      deleted,
    );
    return [`${en}?`, `${fr} ?`];
  },
  declined: (): Both => ['Nothing was carried out.', 'Rien n’a été exécuté.'],
  seconds: (seconds: number): Both => [`${seconds} s`, `${seconds} s`],
  someMinutes: (minutes: number): Both => [`${minutes} minutes`, `${minutes} minutes`],
  hours: (hours: number): Both => [`${hours} hours`, `${hours} heures`],
  nothingExecuted: (count: Both, hash: string): Both => [
    `\n${count[0]} Nothing was executed.\nhash ${hash}`,
    `\n${count[1]} Rien n’a été exécuté.\ncode ${hash}`,
  ],
  planHas: (count: number, isWarning: boolean): Both => [
    `The plan has ${plural(count, isWarning ? 'warning' : 'problem')}.`,
    `Le plan a ${counted(count, isWarning ? 'avertissement' : 'problème')}.`,
  ],
  carriedOut: (steps: number, warnings: number): Both => [
    `\nThe plan is carried out: ${steps} done, nothing left.${warnings > 0 ? ` ${plural(warnings, 'action')} ${warnings === 1 ? 'has' : 'have'} a warning.` : ''}`,
    `\nLe plan est exécuté : ${counted(steps, 'action')}, il ne reste rien.${warnings > 0 ? ` ${counted(warnings, 'action')} avec un avertissement.` : ''}`,
  ],
  ran: (run: Readonly<Record<'done' | 'of' | 'failed' | 'open' | 'over' | 'left', number>>): Both => {
    const { done, of, failed, open, over, left } = run;
    const en = [
      `Done: ${done} of ${plural(of, 'action')}`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(open > 0 ? [`${open} may have happened`] : []),
      ...(over > 0 ? [`${plural(over, 'post')} left over`] : []),
    ];
    const fr = [
      `Fait : ${done} sur ${counted(of, 'action')}`,
      ...(failed > 0 ? [`${failed} en échec`] : []),
      ...(open > 0 ? [`${open} dont le résultat est inconnu`] : []),
      ...(over > 0 ? [`${counted(over, 'post')} en trop`] : []),
    ];
    return [`${en.join(', ')}. Left: ${left}.`, `${fr.join(', ')}. Reste : ${left}.`];
  },
  counted: (all: number, states: Readonly<Record<keyof typeof STATES, number>>): Both => {
    const parts = (Object.keys(STATES) as (keyof typeof STATES)[]).filter((state) => states[state] > 0);
    const en = parts.map((state) => `${states[state]} ${STATES[state][0]}`).join(', ');
    const fr = parts.map((state) => `${states[state]} ${STATES[state][states[state] > 1 ? 2 : 1]}`).join(', ');
    return [`${plural(all, 'action')}: ${en || 'none'}.`, `${counted(all, 'action')} : ${fr || 'aucune'}.`];
  },
  hints: {
    steps: [
      'Solve these problems, then run the plan again: it goes on where it ended.',
      'Réglez ces problèmes, puis relancez le plan : il reprend où il s’est arrêté.',
    ],
    rehearse: [
      'Rehearse the plan again: it shows what is left over.',
      'Répétez le plan : il montre ce qui est en trop.',
    ],
    again: [
      'Nothing was carried out. If only the file has another name, keep the old one: `npx multilocal plan --name`. If the posts are to appear twice, pass `--again`.',
      'Rien n’a été exécuté. Si seul le fichier a changé de nom, gardez l’ancien : `npx multilocal plan --name`. Si les posts doivent paraître deux fois, ajoutez `--again`.',
    ],
    leftOver: [
      'Nothing was carried out. Pass `--prune` to move or delete these posts, or `--keep-left-overs` if they are to appear, too. With `--prune`, `--allow-mass-deletion` deletes more than half of the pending posts of the plan.',
      'Rien n’a été exécuté. Ajoutez `--prune` pour déplacer ou supprimer ces posts, ou `--keep-left-overs` s’ils doivent paraître aussi. Avec `--prune`, `--allow-mass-deletion` supprime plus de la moitié des posts en attente du plan.',
    ],
    solve: ['Solve these problems. Nothing was carried out.', 'Réglez ces problèmes. Rien n’a été exécuté.'],
    retry: [
      'Nothing was carried out. `--retry-failed` publishes these posts again, on the platforms that refused them.',
      'Rien n’a été exécuté. `--retry-failed` publie à nouveau ces posts, sur les réseaux qui les ont refusés.',
    ],
    accounts: [
      'Connect the accounts: `npx multilocal doctor` lists them. Or pass `--keep-going`, which carries out the other actions.',
      'Connectez les comptes : `npx multilocal doctor` les montre. Ou ajoutez `--keep-going`, qui exécute les autres actions.',
    ],
  },
  // The table of a rehearsal in Markdown.
  tableHead: (): Both => [
    '| line | operation | state | what would happen | uses | remarks |\n| --: | --- | --- | --- | --- | --- |',
    '| ligne | opération | état | ce qui se passerait | quotas | remarques |\n| --: | --- | --- | --- | --- | --- |',
  ],
  problems: (count: number): Both => [
    count > 0 ? plural(count, 'problem') : 'no problems',
    count > 0 ? counted(count, 'problème') : 'aucun problème',
  ],
  warnings: (count: number): Both => [plural(count, 'warning'), counted(count, 'avertissement')],
  moreRows: (count: number): Both => [
    `${plural(count, 'row')} more in the log.`,
    `${counted(count, 'autre ligne', 'autres lignes')} dans le journal de la tâche.`,
  ],
  // What became of a plan.
  location: (): Both => ['location', 'lieu'],
  whatBecame: (): Both => ['what became of it', 'ce qui en est advenu'],
  statusHead: (): Both => [
    '| line | location | what became of it |\n| --: | --- | --- |',
    '| ligne | lieu | ce qui en est advenu |\n| --: | --- | --- |',
  ],
  since: (isOnline: boolean, when: string): Both => [
    ` ${isOnline ? 'since' : 'for'} ${when}`,
    ` ${isOnline ? 'depuis le' : 'pour le'} ${when}`,
  ],
  on: (platforms: string): Both => [` on ${platforms}`, ` sur ${platforms}`],
  noAction: (): Both => ['The plan has no action', 'Le plan n’a aucune action'],
  requests: (count: number): Both => [plural(count, 'request'), counted(count, 'requête')],
  lookAtAccounts: (): Both => [
    'Look at the accounts, then publish these posts again where they failed: `npx multilocal rehearse <plan> --run --retry-failed`.',
    'Vérifiez les comptes, puis publiez à nouveau ces posts là où ils ont échoué : `npx multilocal rehearse <plan> --run --retry-failed`.',
  ],
  gone: (): Both => [
    'A post that is gone may have been online: look on the platforms. `npx multilocal rehearse <plan>` says what a run would do.',
    'Un post supprimé a peut-être été en ligne : regardez sur les réseaux. `npx multilocal rehearse <plan>` dit ce qu’une exécution ferait.',
  ],
  // The journal.
  journalHead: (): Both => ['outcome      what is known', 'résultat     ce qu’on sait'],
  begun: (change: string): Both => [`${change} begun`, `${change} commencé`],
  seenOnline: (platforms: string): Both => [`seen online on ${platforms}`, `vu en ligne sur ${platforms}`],
  isGone: (): Both => ['gone', 'supprimé'],
  settled: (by: string): Both => [`settled${by ? ` by ${by}` : ''}`, `tranché${by ? ` par ${by}` : ''}`],
  keys: (count: number, open: number): Both => [
    `${plural(count, 'key')}${open > 0 ? `, ${open} may have happened: run the plan again, or settle them` : ''}.`,
    `${counted(count, 'clé')}${open > 0 ? `, ${open} dont le résultat est inconnu : relancez le plan, ou tranchez` : ''}.`,
  ],
  isSettled: (key: string, outcome: string): Both => [`${key} is ${outcome}.`, `${key} : ${outcome}, c’est noté.`],
  // Making a plan.
  planMade: (file: string | undefined, actions: number, moved: number, deleted: number, hash: string): Both => {
    const [has, a] = file === undefined ? ['', ''] : [`${file} has `, `${file} a `];
    const [checks, verifie] = [' `npx multilocal rehearse` checks it.', ' `npx multilocal rehearse` le vérifie.'];
    const more: Both = [
      `${moved > 0 ? `, ${moved} moved` : ''}${deleted > 0 ? `, ${deleted} deleted` : ''}`,
      `${moved > 0 ? `, ${counted(moved, 'déplacée')}` : ''}${deleted > 0 ? `, ${counted(deleted, 'supprimée')}` : ''}`,
    ];
    return [
      `${has}${plural(actions, 'action')}${more[0]}.${has && checks}\nhash ${hash}`,
      `${a}${counted(actions, 'action')}${more[1]}.${a && verifie}\ncode ${hash}`,
    ];
  },
  accountsUnread: (why: Both): Both => [
    `The accounts could not be looked at: ${why[0]}`,
    `Les comptes n’ont pas pu être lus : ${why[1]}`,
  ],
  nothingWritten: (): Both => [
    'Nothing was written. `npx multilocal rehearse` shows the whole posts.',
    'Rien n’a été écrit. `npx multilocal rehearse` montre les posts en entier.',
  ],
  row: (): Both => ['row', 'ligne du tableau'],
  needsRows: (): Both => ['needs `--rows`, because `for` is "rows"', 'demande `--rows`, parce que `for` est "rows"'],
  readAsWindows: (file: string): Both => [
    `${file} is not UTF-8 and was read as Windows-1252. Look at the accents of the plan.`,
    `${file} n’est pas en UTF-8 et a été lu comme du Windows-1252. Vérifiez les accents du plan.`,
  ],
  correctSource: (what: 'campaign' | 'table'): Both => [
    `Correct the ${what === 'table' ? 'table' : 'campaign or its rows'}. Nothing was written.`,
    `Corrigez ${what === 'table' ? 'le tableau' : 'la campagne ou ses lignes'}. Rien n’a été écrit.`,
  ],
  cannotPlan: (what: 'campaign' | 'table', count: number): Both => [
    `The ${what} has ${plural(count, 'problem')}.`,
    `${what === 'table' ? 'Le tableau' : 'La campagne'} a ${counted(count, 'problème')}.`,
  ],
} as const;

/** `Move 2 posts and delete 1 post`, without what there is none of. */
function withDeleted(first: Both, count: number, deleted: number): Both {
  const second: Both = [`delete ${plural(deleted, 'post')}`, `supprimer ${counted(deleted, 'post')}`];
  const all = [...(count > 0 ? [first] : []), ...(deleted > 0 ? [second] : [])];
  return [capital(all.map(([en]) => en).join(' and ')), capital(all.map(([, fr]) => fr).join(' et '))];
}

/** How often each state is counted below a rehearsal. French has a word for one, and one for several. */
const STATES = {
  ready: ['ready', 'prête', 'prêtes'],
  changed: ['changed', 'modifiée', 'modifiées'],
  unpreviewed: ['without a preview', 'sans aperçu', 'sans aperçu'],
  refused: ['refused', 'refusée', 'refusées'],
  failed: ['failed', 'en échec', 'en échec'],
  done: ['done before', 'déjà faite', 'déjà faites'],
} as const;
