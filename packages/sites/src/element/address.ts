/**
 * The article that the fragment of the page's address names: `#article=42`. The name is the `id` of the element, so that
 * each element of a page has its own: `#news=42&events=7`.
 */
export function articleIn(hash: string, name: string): number | undefined {
  return articleId(new URLSearchParams(hash.slice(1)).get(name));
}

/** The number in a text. `undefined` if no article can have it. */
export function articleId(text: string | null): number | undefined {
  const id = text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined;
}

/**
 * The page's address with another article, or with the list. Never without a fragment: that would be another page, and
 * the browser would load it. The whole address is needed, because `<base>` would change a fragment.
 */
export function addressOf(page: string, name: string, id: number | undefined): string {
  const url = new URL(page);
  const named = new URLSearchParams(url.hash.slice(1));
  // Another fragment, such as that of a heading, has no value.
  const others = [...named].filter(([key, value]) => key !== name && value !== '');
  const all = new URLSearchParams(id === undefined ? others : [...others, [name, String(id)]]);
  url.hash = all.size > 0 ? all.toString() : encodeURIComponent(name);
  return url.href;
}
