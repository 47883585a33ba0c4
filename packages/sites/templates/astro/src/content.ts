import { site, words } from './site.ts';

type Attributes = Record<string, string>;

/** Names of this machine. No page may ask it for anything. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Returns the address of a picture or a frame over https. `//cdn.example.com/a.jpg` and `/a.jpg` are those of
 * `site.base`. `undefined` for what no page may load.
 */
export function webAddress(address: string | null | undefined): string | undefined {
  const text = address?.trim();
  if (!text || !URL.canParse(text, site.base ?? site.url)) return undefined;
  const url = new URL(text, site.base ?? site.url);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) url.protocol = 'https:';
  return url.protocol === 'https:' ? url.href : undefined;
}

/** Returns the name of a place in a text, as it is on a page. */
export const targetId = (name: string) => `text-${name.trim().replace(/\s+/g, '-')}`;

/** Returns the address of a link. `#notes` leads to a place of the text, and `/contact.html` is one of `site.base`. */
export function linkAddress(address: string | null | undefined): string | undefined {
  const text = address?.trim() ?? '';
  if (text === '' || text === '#') return undefined;
  if (text.startsWith('#')) return `#${encodeURIComponent(targetId(decoded(text.slice(1))))}`;
  // Other schemes are for `sanitize`.
  if (/^[a-z][\w+.-]*:/i.test(text)) return text;
  return webAddress(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const PLACE = / id="([^"]*)"/g;
const TO_PLACE = /(<a[^<>]*) href="#([^"]*)"/g;

/** Removes the addresses of places that a text does not have: such a link leads nowhere. */
export function withLivingLinks(html: string): string {
  const places = new Set([...html.matchAll(PLACE)].map(([, id = '']) => id.replaceAll('&amp;', '&')));
  return html.replace(TO_PLACE, (all, tag, name) => (places.has(decoded(name)) ? all : tag));
}

/** The attributes of an `<img>`. Editors that load pictures late keep the address elsewhere. */
export function imageAttributes({ src = '', alt = '', ...others }: Attributes): Attributes {
  const late = others['data-src'] ?? others['data-lazy-src'];
  return { ...others, src: late && /^(data:|$)/.test(src) ? late : src, alt, loading: 'lazy' };
}

/** The attributes of a `<video>` or an `<audio>`, which loads nothing before a click. */
export function playerAttributes({ src, poster, ...others }: Attributes): Attributes {
  const [file, picture] = [webAddress(src), webAddress(poster)];
  return { ...others, ...(file && { src: file }), ...(picture && { poster: picture }), controls: '', preload: 'none' };
}

/** A frame that seems to end with its own tag, for which HTML needs an end tag. Attributes end at `<`: no text takes quadratic time. */
const CLOSED = /(<iframe\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)(?<=[\s"'])\/>/gi;
/** What a frame holds for browsers without frames. */
const FALLBACK = /(<iframe\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*>)(?:(?!<\/?iframe\b)[\s\S])*(?=<\/iframe\b)/gi;
const OBJECT = /<object(\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*>)/gi;

/** Prepares a text for `sanitize`: what an `<object>` holds for browsers that cannot show it stays beside its link. */
export const withPlainFrames = (html: string) =>
  html.replace(CLOSED, '$1></iframe>').replace(FALLBACK, '$1').replace(OBJECT, '$&<embed$1');

/** Where the frame of a video comes from, and the page that shows the same video. */
const PLAYERS: readonly [RegExp, (id: string) => { frame?: string; page: string }][] = [
  [
    /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/,
    (id) => ({
      frame: `https://www.youtube-nocookie.com/embed/${id}`,
      page: id === 'videoseries' ? 'https://www.youtube.com/' : `https://www.youtube.com/watch?v=${id}`,
    }),
  ],
  [/^https:\/\/player\.vimeo\.com\/video\/(\d+)/, (id) => ({ page: `https://vimeo.com/${id}` })],
  [
    /^https:\/\/(?:www|geo)\.dailymotion\.com\/embed\/video\/(\w+)/,
    (id) => ({ page: `https://www.dailymotion.com/video/${id}` }),
  ],
];

/**
 * A frame as a link, which is all that readers without scripts need. `public/embed.js` puts the frame in its place after
 * a click. Without an address there is nothing to lead to.
 */
export function embedOf({
  src,
  data,
  title,
  ...others
}: Attributes): { attribs: Attributes; text: string } | undefined {
  const late = others['data-src'] ?? others['data-lazy-src'];
  const address = webAddress(late && /^(about:|$)/.test(src ?? '') ? late : (src ?? data));
  if (!address) return undefined;
  const [pattern, player] = PLAYERS.find(([pattern]) => pattern.test(address)) ?? [];
  const { frame, page } = player?.(pattern?.exec(address)?.[1] ?? '') ?? { page: address };
  const embed = frame ? frame + new URL(address).search : address;
  const { hostname } = new URL(embed);
  const name = site.embeds[hostname] ?? hostname.replace(/^www\./, '');
  const attribs = { class: 'embed', href: page, rel: 'noopener', 'data-embed': embed };
  return { attribs, text: words.watch(name, title?.trim()) };
}

const EMBED = /(<a class="embed"[^>]*) data-embed="([^"]*)"/g;

/** Leaves the frames of hosts that `site.embeds` does not name as links. */
const withNamedHosts = (html: string) =>
  html.replace(EMBED, (all, link, address) => (Object.hasOwn(site.embeds, new URL(address).hostname) ? all : link));

/** Removes the links of frames, for teasers. */
export const withoutEmbeds = (html: string) => html.replace(/<a class="embed"[^>]*>[^<]*<\/a>/g, '');

/** Returns the level that each heading of a text has on a page: below the title, and none is left out. */
export function headingLevels(): (level: number) => number {
  const open: number[] = [];
  return (written) => {
    // The page has its own title.
    const level = Math.max(2, written);
    while ((open.at(-1) ?? 0) >= level) open.pop();
    return open.push(level) + 1;
  };
}

/** A figure without content, or with a caption only. A caption ends at its own end tag: another figure may follow it. */
const EMPTY_FIGURE = /<figure>\s*(?:<figcaption>(?:(?!<\/?fig)[\s\S])*<\/figcaption>\s*)?<\/figure>/g;
/** What word processors write between two paragraphs, and headings without words. One with an id is a place that links lead to. */
const EMPTY_PARAGRAPH = /<(p|h[2-6])(?: (?![^>]*\bid=)[^>]*)?>(?:\s|&nbsp;|<br ?\/?>)*<\/\1>/g;
const IMAGE = /<img [^>]*>/g;

/** The pictures of a text that `sanitize` has written: their tags, with the addresses. */
export const imagesIn = (html: string): { tag: string; src: string }[] =>
  [...html.matchAll(IMAGE)].map(([tag]) => ({ tag, src: attributeOf(tag, 'src')?.replaceAll('&amp;', '&') ?? '' }));

/** The value of an attribute in a tag that `sanitize` has written, escaped as it is. */
export const attributeOf = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

/** Returns a text that `sanitize` has written as pages show it. `images` are the tags for its pictures, in their order. */
export function finished(html: string, images: readonly string[]): string {
  let index = 0;
  const text = html.replace(IMAGE, () => images[index++] ?? '');
  return withNamedHosts(text).replace(EMPTY_FIGURE, '').replace(EMPTY_PARAGRAPH, '');
}

/** On `globalThis`, because a build bundles the pages apart from `astro.config.ts`, which reports at the end. */
const shared = globalThis as { missingPictures?: Map<number, Set<string>> };
shared.missingPictures ??= new Map();
const missing = shared.missingPictures;

/** Notes a picture that readers will not see, by the id of its article. */
export function noteMissing(id: number, address: string): void {
  missing.set(id, (missing.get(id) ?? new Set()).add(address.slice(0, 100)));
}

/** Returns one line about the pictures that were noted, the newest articles first. `undefined` if there are none. */
export function missingReport(): string | undefined {
  const articles = [...missing].sort(([one], [other]) => other - one);
  const count = articles.reduce((sum, [, addresses]) => sum + addresses.size, 0);
  if (count === 0) return undefined;
  const named = articles.slice(0, 10).map(([id, addresses]) => `article ${id} (${[...addresses].join(', ')})`);
  const more = articles.length - named.length;
  const list = [
    ...named,
    ...(more > 0 ? [`and those of ${more} more ${more === 1 ? 'article' : 'articles'}`] : []),
  ].join('; ');
  return `${count} ${count === 1 ? 'picture' : 'pictures'} could not be loaded: ${list}`;
}
