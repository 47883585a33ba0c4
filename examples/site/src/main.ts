import { confirmOnce } from './confirm.js';
import { articleHead, type Head, homeHead, plainHead, writeHead } from './head.js';
import { askJournal, freshJournal, type Journal, oldJournal } from './journal.js';
import { type Arrival, startRouter } from './router.js';
import { pathOf, urlOf } from './site.js';
import { articlePage } from './views/article.js';
import { homePage } from './views/home.js';
import { emptyState, failureState, missingState, skeleton, staleNotice } from './views/states.js';

const main = document.querySelector('main') as HTMLElement;
const status = document.querySelector('[role="status"]') as HTMLElement;

/**
 * The reason why there are no newer articles. Only the reader tries again: an automatic retry would use up the
 * requests.
 */
let failure: { readonly error: unknown } | undefined;

/** Shows a page: from fresh stored articles, else from one request, else from old stored articles. */
async function open(path: string, arrival: Arrival): Promise<void> {
  const kept = freshJournal();
  if (kept) {
    failure = undefined;
    return showJournal(path, kept, arrival);
  }

  if (!failure) {
    showLoading(path);
    const result = await askJournal().catch((error: unknown) => ({ error }));
    // The reader has opened another page in the meantime.
    if (location.pathname !== path) return;
    main.removeAttribute('aria-busy');
    status.textContent = '';
    if (!('error' in result)) return showJournal(path, result, arrival);
    failure = result;
  }
  showFailure(path, failure.error, arrival);
}

function showLoading(path: string): void {
  status.textContent = 'Chargement du journal…';
  main.setAttribute('aria-busy', 'true');
  main.replaceChildren(skeleton(path));
}

function showFailure(path: string, error: unknown, arrival: Arrival): void {
  const retry = () => {
    failure = undefined;
    open(path, 'link');
  };
  const old = oldJournal();
  if (!old) {
    render(plainHead('Indisponible'), failureState(error, retry), arrival);
    status.textContent = [...main.querySelectorAll('h1, p')].map(({ textContent }) => textContent).join(' ');
    return;
  }
  showJournal(path, old, arrival);
  const notice = staleNotice(error, old.at, retry);
  main.prepend(notice);
  status.textContent = notice.querySelector('p')?.textContent ?? '';
}

function showJournal(path: string, { articles }: Journal, arrival: Arrival): void {
  if (path === '/') {
    render(homeHead(articles), articles.length > 0 ? homePage(articles) : emptyState(), arrival);
    return;
  }
  const article = articles.find((candidate) => pathOf(candidate) === path);
  if (!article) {
    render(plainHead('Page introuvable'), missingState(), arrival);
    return;
  }
  render(articleHead(article), articlePage(article, articles), arrival);
  confirmOnce(article, urlOf(path));
}

function render(head: Head, page: Node, arrival: Arrival): void {
  writeHead(head);
  main.replaceChildren(page);
  if (arrival === 'load') return;
  // Keyboards and screen readers continue at the title, as on a page that was loaded.
  main.querySelector('h1')?.focus({ preventScroll: true });
  // On the way back, the browser restores the position of the reader.
  if (arrival === 'link') scrollTo({ top: 0, behavior: 'instant' });
}

startRouter(open);
