import type { MultilocalError } from 'multilocal';
import { NotFoundError } from 'multilocal/internal/errors';
import { titleOf } from '../site/text.js';
import { addressOf, articleId } from './address.js';
import { removeImage } from './content.js';
import { h } from './dom.js';
import { Library, SELECTION, type Selection } from './library.js';
import { STYLES } from './styles.js';
import { articleView, buttonView, itemView, linkTo, listView, loadingView, noticeView } from './views.js';
import { wordsFor } from './words.js';

const styles = new CSSStyleSheet();
styles.replaceSync(STYLES);

/**
 * `<multilocal-articles src="/content">`: the list of the articles of a proxy, and each article at `#article=42`. With
 * `limit`, `category` and `bulle`, a selection of them. With `article="42"`, only this article.
 */
export class MultilocalArticles extends HTMLElement {
  static readonly observedAttributes = [...SELECTION, 'article', 'id', 'lang', 'time-zone'];

  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #status = h('p', { part: 'status', role: 'status' });
  readonly #main = h('div');
  #library: Library | undefined;
  #words = wordsFor(this);
  /** Ends with the view: its requests are of no use to the next one. */
  #view = new AbortController();
  /** The article in view. `undefined` for the list. */
  #shown: number | undefined;
  #isScheduled = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styles];
    this.#root.append(this.#status, this.#main);
    // Errors of images do not bubble.
    const onError = ({ target }: Event) => target instanceof HTMLImageElement && removeImage(target);
    this.#root.addEventListener('error', onError, { capture: true });
    this.#root.addEventListener('click', (event) => this.#followAnchor(event));
  }

  connectedCallback(): void {
    addEventListener('hashchange', this.#follow);
    this.attributeChangedCallback();
  }

  disconnectedCallback(): void {
    removeEventListener('hashchange', this.#follow);
    this.#view.abort();
  }

  /** Starts after all attributes of the page's script are set, and once for all of them. */
  attributeChangedCallback(): void {
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
    return articleId(new URLSearchParams(location.hash.slice(1)).get(this.#name));
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
    const left = this.#shown;
    this.#shown = id;
    this.#words = wordsFor(this);
    this.#view.abort();
    this.#view = new AbortController();
    const { signal } = this.#view;
    try {
      const library = this.#openLibrary();
      if (id === undefined ? !library.list : !library.known(id)) this.#render(loadingView(id !== undefined), true);
      const article = id === undefined ? undefined : await library.get(id, signal);
      if (!article && !library.list) await library.more(signal);
      signal.throwIfAborted();
      if (article) this.#render(articleView(article, this.#words, !this.hasAttribute('article')));
      else this.#showList(library);
      if (isMove) (this.#link(left) ?? this.#find('[part=heading], [part=list], [part=notice]'))?.focus();
      this.#dispatch('show', { article: article ? { id, title: titleOf(article) || null } : null });
    } catch (error) {
      if (!signal.aborted) this.#fail(error, id, isMove);
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

  #showList(library: Library): void {
    const list = library.list ?? [];
    this.#render(list.length > 0 ? listView(list, this.#words) : noticeView(this.#words.empty));
    if (library.hasMore) this.#offerMore(library);
  }

  /** Adds the button that loads the next page. It costs one request. */
  #offerMore(library: Library): void {
    const { signal } = this.#view;
    const words = this.#words;
    const place = h('div', { part: 'pager' });
    const load = async () => {
      if (place.ariaBusy) return;
      place.ariaBusy = 'true';
      this.#status.textContent = words.loading;
      try {
        const fresh = await library.more(signal);
        signal.throwIfAborted();
        place.remove();
        this.#find('[part=items]')?.append(...fresh.map((article) => itemView(article, words)));
        this.#addressLinks();
        this.#status.textContent = words.added(fresh.length);
        this.#link(fresh[0]?.id)?.focus();
        if (library.hasMore) this.#offerMore(library);
      } catch (error) {
        if (signal.aborted) return;
        this.#status.textContent = '';
        place.ariaBusy = null;
        place.replaceChildren(noticeView(words.failed, buttonView(words.retry, 'retry', load), true));
        this.#find('[part~=retry]')?.focus();
        this.#dispatch('error', { error });
      }
    };
    place.append(buttonView(words.more, 'more', load));
    this.#main.append(place);
  }

  /** Says that something failed, but not why: that is for the page's script and not for visitors. */
  #fail(error: unknown, id: number | undefined, isMove: boolean): void {
    const { missing, back, failed, retry } = this.#words;
    // Nothing was sent, so an attribute is wrong.
    if (!(error as Partial<MultilocalError>).attempts) console.error(error);
    const isMissing = id !== undefined && (error instanceof NotFoundError || Number.isNaN(id));
    const again = buttonView(retry, 'retry', () => this.#show(id, true));
    const toList = this.hasAttribute('article') ? undefined : linkTo(undefined, back, 'back-link');
    this.#render(isMissing ? noticeView(missing, toList, true) : noticeView(failed, again, true));
    if (isMove) this.#find('button, a')?.focus();
    this.#dispatch('error', { error });
  }

  #render(view: HTMLElement, isLoading = false): void {
    this.#main.ariaBusy = isLoading ? 'true' : null;
    this.#status.textContent = isLoading ? this.#words.loading : '';
    this.#main.replaceChildren(view);
    this.#addressLinks();
  }

  /** The links lead to fragments, which may also hold the articles of other elements of the page. */
  #addressLinks(): void {
    for (const link of this.#root.querySelectorAll<HTMLAnchorElement>('a[data-article]')) {
      link.href = addressOf(location.href, this.#name, articleId(link.dataset.article));
    }
  }

  #link(id: number | undefined): HTMLElement | null {
    return this.#find(`a[data-article="${id}"]`);
  }

  #find(selector: string): HTMLElement | null {
    return this.#root.querySelector(selector);
  }

  /** The browser does not look for fragments in a shadow root, and the fragment of the page names the article. */
  #followAnchor(event: Event): void {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    if (!link) return;
    event.preventDefault();
    const fragment = link.getAttribute('href')?.slice(1).replace(/[+&]/g, encodeURIComponent);
    // It throws for no fragment, unlike `decodeURIComponent`.
    this.#root.getElementById(new URLSearchParams(`id=${fragment}`).get('id') ?? '')?.scrollIntoView();
  }

  #dispatch(name: 'show' | 'error', detail: unknown): void {
    this.dispatchEvent(new CustomEvent(`multilocal-articles:${name}`, { detail, bubbles: true, composed: true }));
  }
}
