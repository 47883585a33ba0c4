import { element } from '../dom.js';
import { isOverBudget } from '../journal.js';
import { drawing } from './cover.js';

/** A placeholder in the shape of the page. */
export function skeleton(path: string): Node {
  const bone = (kind: string) => element('div', { class: `bone ${kind}` });
  const lines = (name: string) => element('div', { class: name }, bone('line'), bone('line'), bone('line'));
  return path === '/'
    ? element(
        'div',
        { class: 'skeleton home', 'aria-hidden': 'true' },
        bone('title'),
        element('div', { class: 'lead' }, bone('cover'), lines('')),
      )
    : element(
        'div',
        { class: 'skeleton reading', 'aria-hidden': 'true' },
        bone('title'),
        element('article', {}, bone('cover'), lines('prose')),
      );
}

export const emptyState = (): Node =>
  state(
    drawing('field', 0),
    'Rien au four pour l’instant',
    'Le premier article est en train de lever. Revenez bientôt.',
  );

export const missingState = (): Node =>
  state(
    drawing('jar', 3),
    'Cette page n’est pas au journal',
    'L’article a pu être retiré, ou il est plus ancien que ceux que nous gardons ici.',
    element('a', { class: 'button', href: '/' }, 'Voir les derniers articles'),
  );

export const failureState = (error: unknown, retry: () => void): Node =>
  isOverBudget(error)
    ? state(
        drawing('shop', 3),
        'Le fournil est complet',
        `Trop de monde au comptoir en ce moment. ${whenAgain(error)}`,
        retryButton(retry),
      )
    : state(
        drawing('oven', 4),
        'Le journal n’a pas pu être chargé',
        'Vérifiez votre connexion, puis réessayez.',
        retryButton(retry),
      );

const dateTime = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short' });

/** The notice above pages of old stored articles, if there are no newer ones. */
export function staleNotice(error: unknown, at: number, retry: () => void): HTMLElement {
  const reason = isOverBudget(error)
    ? `Trop de monde au comptoir en ce moment. ${whenAgain(error)}`
    : 'Les nouveautés n’ont pas pu être chargées.';
  return element(
    'div',
    { class: 'notice' },
    element('p', {}, `${reason} Vous lisez le journal du ${dateTime.format(at)}.`),
    retryButton(retry),
  );
}

function whenAgain({ retryAfter }: { retryAfter?: number }): string {
  if (retryAfter === undefined) return 'Réessayez dans un moment.';
  const minutes = Math.ceil(retryAfter / 60_000);
  return minutes > 90
    ? `Réessayez dans ${Math.ceil(minutes / 60)}\u00a0heures.`
    : `Réessayez dans ${minutes}\u00a0minute${minutes > 1 ? 's' : ''}.`;
}

function retryButton(retry: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'button' }, 'Réessayer');
  button.addEventListener('click', retry);
  return button;
}

const state = (picture: HTMLElement, title: string, text: string, ...actions: HTMLElement[]): HTMLElement =>
  element(
    'div',
    { class: 'state' },
    picture,
    element('h1', { tabindex: '-1' }, title),
    element('p', {}, text),
    ...actions,
  );
