/** The number in a text. `undefined` if no article can have it. */
export function articleId(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/**
 * The page's address with another article, or with the list: `#article=42`. The name is the `id` of the element, so that
 * each element of a page has its own. Never without a fragment: that would be another page, and the browser would load
 * it. The whole address is needed, because `<base>` would change a fragment.
 */
export function addressOf(page: string, name: string, id: number | undefined): string {
  const url = new URL(page);
  // Another fragment, such as a heading's, has no value.
  const others = [...new URLSearchParams(url.hash.slice(1))].filter(([key, value]) => key !== name && value !== '');
  const all = new URLSearchParams(id === undefined ? others : [...others, [name, String(id)]]);
  url.hash = all.toString() || encodeURIComponent(name);
  return url.href;
}
