// cspell:disable the sentences in French
import { type Both, platformName } from './words.js';

/** What a rehearsal says of actions that have no problem. */
export const remarks = {
  would: (does: Both): Both => [`Would ${does[0]}`, `Prévu : ${does[1]}`],
  cannot: (does: Both): Both => [`Cannot ${does[0]}`, `Impossible : ${does[1]}`],
  dated: (moments: string): Both => [` for ${moments}`, ` pour ${moments}`],
  corrects: (how: 'update' | 'replace', what: string, fields: readonly string[], place: string): Both => [
    `Would ${how === 'replace' ? 'delete and make anew' : 'change'} what was made at ${what}: ${fields.join(', ')} (${place}).`,
    `Prévu : ${how === 'replace' ? 'supprimer et refaire' : 'modifier'} ce qui a été fait le ${what} : ${fields.map(inFrench).join(', ')} (${place}).`,
  ],
  adopts: (summary: string): Both => [
    `Takes over what another key has made. ${summary}`,
    `Reprend ce qu’une autre clé a fait. ${summary}`,
  ],
  done: (at: string): Both => [`Done at ${at}.`, `Fait le ${at}.`],
  noPreview: (): Both => ['The operation has no preview.', 'L’opération n’a pas d’aperçu.'],
  unchecked: (): Both => ['It was checked, but not previewed.', 'Vérifié, sans aperçu.'],
  invalid: (): Both => ['The action is invalid.', 'L’action n’est pas valide.'],
  until: (name: string, value: string, isByHand: boolean): Both => [
    `${name} until now: ${value}${isByHand ? ' (changed by hand, which is undone)' : ''}`,
    `${inFrench(name)} jusqu’ici : ${value}${isByHand ? ' (modifié à la main, ce qui est annulé)' : ''}`,
  ],
  from: (name: string, value: string): Both => [
    `${name} from now on: ${value}`,
    `${inFrench(name)} désormais : ${value}`,
  ],
  given: (name: string, value: string): Both => [`${name}: ${value}`, `${inFrench(name)} : ${value}`],
  nothing: (): Both => ['nothing', 'rien'],
  leftOver: (step: 'refuse' | 'delete' | 'adopt' | 'keep', post: string): Both => {
    const heads: Readonly<Record<typeof step, Both>> = {
      refuse: [
        'Still scheduled, although the plan no longer has it:',
        'Toujours programmé, bien que le plan ne l’ait plus :',
      ],
      delete: ['Would delete the post of', 'Prévu : supprimer le post de'],
      adopt: ['Would take over what was made as', 'Prévu : reprendre ce qui a été fait sous'],
      keep: [
        'Stays scheduled, although the plan no longer has it:',
        'Reste programmé, bien que le plan ne l’ait plus :',
      ],
    };
    return [`${heads[step][0]} ${post}.`, `${heads[step][1]} ${post}.`];
  },
  postOn: (place: string, platforms: string, moments: string): Both => [
    `${place}: post on ${platforms}${moments && ` for ${moments}`}`,
    `${place} : post sur ${platforms}${moments && ` pour ${moments}`}`,
  ],
  article: (place: string, title: string): Both => [`${place}: article "${title}"`, `${place} : article « ${title} »`],
  /** What the plan has instead of a post that it no longer has. */
  twin: (key: string): Both => [
    `${key}: the plan has the same post: did its key change?`,
    `${key} : le plan a le même post : sa clé a-t-elle changé ?`,
  ],
  reworded: (key: string): Both => [
    `${key}: the plan has another text at the same moment: reworded?`,
    `${key} : le plan a un autre texte à la même heure : reformulé ?`,
  ],
  moved: (key: string, when: string | undefined): Both => [
    `${key}: the plan has the same text at ${when ?? 'another moment'}: moved?`,
    `${key} : le plan a le même texte ${when === undefined ? 'à une autre heure' : `le ${when}`} : déplacé ?`,
  ],
} as const;

/** Parameters, and the fields of previews, in French. */
const FIELDS: Readonly<Record<string, string>> = {
  category: 'catégorie',
  changes: 'modification',
  content: 'texte',
  content_html: 'texte',
  custom_message: 'message',
  date_end: 'fin',
  date_start: 'début',
  excerpt: 'extrait',
  featured_image_url: 'image',
  image_url: 'image',
  image_urls: 'images',
  keyword: 'mot-clé',
  name: 'nom',
  platforms: 'réseaux',
  prompt: 'description',
  report_name: 'nom',
  scheduled_at: 'date',
  target_keyword: 'mot-clé',
  target_url: 'adresse',
  text: 'texte',
  title: 'titre',
  video_url: 'vidéo',
  would_be_online_at: 'mise en ligne',
  would_be_named: 'nom',
  would_contact: 'contacts',
  would_create: 'création',
  would_publish: 'publication',
  would_publish_on: 'publication sur',
  would_replace: 'remplacerait',
  would_schedule: 'date prévue',
  would_fail_on: 'échouerait sur',
  would_use_slug: 'adresse',
};

/** The name of a field of a preview, with its value. */
export const fieldInWords = (name: string, value: string): Both => {
  const en = name.replaceAll('_', ' ');
  return [`${en}: ${value}`, `${FIELDS[name] ?? en} : ${value}`];
};

function inFrench(name: string): string {
  const [, own, platform = ''] = /^(scheduled_|content_per_platform\.)(.+)$/.exec(name) ?? [];
  return FIELDS[name] ?? (own ? `${own === 'scheduled_' ? 'date' : 'texte'} ${platformName(platform)}` : name);
}
