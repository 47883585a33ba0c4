import type { Article } from 'multilocal';
import { NotFoundError } from 'multilocal/internal/errors';
import { addressOf, articleId, articleIn } from './address.js';
import { removeImage } from './content.js';
import { Library, SELECTION, type Selection } from './library.js';
import { STYLES } from './styles.js';
import { articleView, buttonView, itemView, linkTo, listView, loadingView, noticeView } from './views.js';
import { type Words, wordsFor } from './words.js';

const styles = new CSSStyleSheet();
styles.replaceSync(STYLES);

/**
 * `<multilocal-articles src="/content">`: the list of the articles of a proxy, and each article at `#article=42`. With
 * `limit`, `category` and `bulle`, a selection of them. With `article="42"`, only this article.
 */
export class MultilocalArticles extends HTMLElement {
  static readonly observedAttributes = [...SELECTION, 'article', 'id', 'lang'];

  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #status: HTMLElement;
  readonly #main: HTMLElement;
  #library: Library | undefined;
  /** Ends with the view: its requests are of no use to the next one. */
  #view = new AbortController();
  /** The article in view. `undefined` for the list. */
  #shown: number | undefined;
  #isScheduled = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styles];
    this.#status = document.createElement('p');
    this.#status.setAttribute('part', 'status');
    this.#status.role = 'status';
    this.#main = document.createElement('div');
    this.#root.append(this.#status, this.#main);
    // Errors of images do not bubble.
    const onError = ({ target }: Event) => {
      if (target instanceof HTMLImageElement) removeImage(target);
    };
    this.#root.addEventListener('error', onError, { capture: true });
    this.#root.addEventListener('click', (event) => this.#followAnchor(event));
  }

  connectedCallback(): void {
    addEventListener('hashchange', this.#follow);
    this.#schedule();
  }

  disconnectedCallback(): void {
    removeEventListener('hashchange', this.#follow);
    this.#view.abort();
  }

  attributeChangedCallback(): void {
    this.#schedule();
  }

  /** Starts after all attributes of the page's script are set, and once for all of them. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#show(this.#asked(), false);
    });
  }

  /** The article that the attribute or the page's address asks for. `NaN` for an attribute that names none. */
  #asked(): number | undefined {
    const article = this.getAttribute('article');
    if (article !== null) return articleId(article) ?? Number.NaN;
    return articleIn(location.hash, this.#name);
  }

  get #name(): string {
    return this.id || 'article';
  }

  readonly #follow = (): void => {
    const asked = this.#asked();
    if (Object.is(asked, this.#shown)) this.#addressLinks();
    else this.#show(asked, true);
  };

  /** Shows an article or the list. `isMove`: the visitor went there, so the focus goes along. */
  async #show(id: number | undefined, isMove: boolean): Promise<void> {
    const before = this.#shown;
    this.#shown = id;
    this.#view.abort();
    this.#view = new AbortController();
    const { signal } = this.#view;
    const words = wordsFor(this);
    try {
      const library = this.#openLibrary();
      if (id === undefined) await this.#showList(library, words, { signal, left: isMove ? before : undefined, isMove });
      else await this.#showArticle(library, id, words, { signal, isMove });
    } catch (error) {
      if (!signal.aborted) this.#fail(error, id, words, isMove);
    }
  }

  #openLibrary(): Library {
    const selection: Selection = {};
    for (const name of SELECTION) selection[name] = this.getAttribute(name) || undefined;
    const before = this.#library?.selection;
    if (SELECTION.some((name) => before?.[name] !== selection[name])) this.#library = undefined;
    this.#library ??= new Library(selection);
    return this.#library;
  }

  async #showList(library: Library, words: Words, { signal, left, isMove }: Move): Promise<void> {
    if (!library.list) {
      this.#wait(words, false);
      await library.more(signal);
      signal.throwIfAborted();
    }
    const list = library.list ?? [];
    const view = list.length > 0 ? listView(list, words) : noticeView(words.empty);
    this.#render(view);
    if (library.hasMore) this.#offerMore(library, words, signal);
    if (isMove) (this.#link(left) ?? view).focus();
    this.#dispatch('show', { article: null });
  }

  async #showArticle(library: Library, id: number, words: Words, { signal, isMove }: Move): Promise<void> {
    if (!library.known(id)) this.#wait(words, true);
    const article = await library.get(id, signal);
    signal.throwIfAborted();
    this.#render(articleView(article, words, !this.hasAttribute('article')));
    if (isMove) this.#focus('[part=heading]');
    this.#dispatch('show', { article: { id, title: article.title } });
  }

  /** Adds the button that loads the next page. It costs one request. */
  #offerMore(library: Library, words: Words, signal: AbortSignal): void {
    const place = document.createElement('div');
    place.setAttribute('part', 'pager');
    const load = async () => {
      if (place.ariaBusy) return;
      place.ariaBusy = 'true';
      this.#status.textContent = words.loading;
      try {
        const fresh = await library.more(signal);
        signal.throwIfAborted();
        place.remove();
        this.#append(fresh, words);
        if (library.hasMore) this.#offerMore(library, words, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#status.textContent = '';
        place.ariaBusy = null;
        place.replaceChildren(noticeView(words.failed, buttonView(words.retry, 'retry', load), true));
        this.#focus('[part~=retry]');
        this.#dispatch('error', { error });
      }
    };
    place.append(buttonView(words.more, 'more', load));
    this.#main.append(place);
  }

  #append(articles: readonly Article[], words: Words): void {
    this.#root.querySelector('[part=items]')?.append(...articles.map((article) => itemView(article, words)));
    this.#addressLinks();
    this.#status.textContent = words.added(articles.length);
    this.#link(articles[0]?.id)?.focus();
  }

  #wait(words: Words, isArticle: boolean): void {
    this.#render(loadingView(isArticle));
    this.#main.ariaBusy = 'true';
    this.#status.textContent = words.loading;
  }

  /** Says that something failed, but not why: that is for the page's script and not for visitors. */
  #fail(error: unknown, id: number | undefined, words: Words, isMove: boolean): void {
    const isMissing = id !== undefined && (error instanceof NotFoundError || Number.isNaN(id));
    const hasList = !this.hasAttribute('article');
    const retry = buttonView(words.retry, 'retry', () => this.#show(id, true));
    const back = hasList ? linkTo(undefined, words.back, 'back-link') : undefined;
    this.#render(isMissing ? noticeView(words.missing, back, true) : noticeView(words.failed, retry, true));
    if (isMove) this.#focus('button, a');
    this.#dispatch('error', { error });
  }

  #render(view: HTMLElement): void {
    this.#main.ariaBusy = null;
    this.#status.textContent = '';
    this.#main.replaceChildren(view);
    this.#addressLinks();
  }

  /** The links lead to fragments, which may also hold the articles of other elements of the page. */
  #addressLinks(): void {
    for (const link of this.#root.querySelectorAll<HTMLAnchorElement>('a[data-article]')) {
      link.href = addressOf(location.href, this.#name, articleId(link.dataset.article ?? null));
    }
  }

  #link(id: number | undefined): HTMLElement | null {
    return this.#root.querySelector(`a[data-article="${id}"]`);
  }

  #focus(selector: string): void {
    this.#root.querySelector<HTMLElement>(selector)?.focus();
  }

  /** The browser does not look for fragments in a shadow root, and the fragment of the page names the article. */
  #followAnchor(event: Event): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const address = link?.getAttribute('href');
    if (!address?.startsWith('#')) return;
    event.preventDefault();
    this.#root.getElementById(decoded(address.slice(1)))?.scrollIntoView();
  }

  #dispatch(name: 'show' | 'error', detail: unknown): void {
    this.dispatchEvent(new CustomEvent(`multilocal-articles:${name}`, { detail, bubbles: true, composed: true }));
  }
}

interface Move {
  signal: AbortSignal;
  isMove: boolean;
  /** The article that the visitor comes from. */
  left?: number | undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
