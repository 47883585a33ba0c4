// The HTML of an article as Markdown. It is a file of its own in the package, because no other command needs these libraries.
import { fromHtml } from 'hast-util-from-html';
import { defaultHandlers, type Handle, toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { SKIP, visit } from 'unist-util-visit';

type Root = ReturnType<typeof fromHtml>;
type Element = Parameters<Handle>[1];
type Nodes = Parameters<typeof toMarkdown>[0];

/**
 * Converts the HTML of an article. Nothing that a reader sees is lost: what Markdown does not have is text, a link, or HTML. Scripts and
 * addresses that run code are removed.
 */
export function htmlToMarkdown(html: string): string {
  const tree = fromHtml(html, { fragment: true });
  makeSafe(tree);
  keepAnchors(tree);
  hoistSpaces(tree);
  captionsApart(tree);
  const markdown = toMdast(tree, { handlers: HANDLERS }) as Nodes;
  breakTemplates(markdown);
  return toMarkdown(markdown, { bullet: '-', extensions: [gfmToMarkdown({ tablePipeAlign: false })] });
}

const SAFE = /^(https?:|mailto:|tel:|[^:]*$|[^:]*[/?#])/i;

function makeSafe(tree: Root): void {
  visit(tree, 'element', (element) => {
    const { properties } = element;
    for (const name of ['href', 'src', 'poster'] as const) {
      const address = properties[name];
      // Browsers ignore control characters and spaces within the scheme.
      const read = String(address ?? '').replace(/[\p{Cc}\s]/gu, '');
      if (address !== undefined && !SAFE.test(read)) delete properties[name];
    }
    if (element.tagName === 'a' && properties.href === undefined) element.tagName = 'span';
  });
}

/** An element that no HTML has. */
const ANCHOR = 'x-anchor';

/** Ids to which a link of the article leads: a table of contents and footnotes would be dead without them. */
function keepAnchors(tree: Root): void {
  const wanted = new Set<string>();
  visit(tree, 'element', ({ properties: { href } }) => {
    if (typeof href === 'string' && href.startsWith('#')) wanted.add(decoded(href.slice(1)));
  });
  visit(tree, 'element', (element, index, parent) => {
    const { id, name } = element.properties;
    const own = [id, name].find((one) => typeof one === 'string' && wanted.delete(one));
    if (own === undefined || index === undefined || !parent) return undefined;
    const anchor: Element = { type: 'element', tagName: ANCHOR, properties: { id: String(own) }, children: [] };
    // No link within a link.
    if (element.tagName !== 'a') innermost(element).children.unshift(anchor);
    else parent.children.splice(index, 0, anchor);
    return element.tagName === 'a' ? index + 2 : undefined;
  });
}

/** The first cell of a table, or the first item of a list: nothing else of them has a text. */
function innermost(element: Element): Element {
  const first = element.children.find((child) => child.type === 'element');
  return first && /^(table|thead|tbody|tr|[uo]l|dl)$/.test(element.tagName) ? innermost(first) : element;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A space at the edge of bold text belongs outside: Markdown would otherwise write it as `&#x20;`. */
function hoistSpaces(tree: Root): void {
  visit(tree, 'element', (element, index, parent) => {
    if (!parent || index === undefined || !/^(strong|b|em|i|del|s|a)$/.test(element.tagName)) return undefined;
    const [first, last] = [element.children[0], element.children.at(-1)];
    const before = first?.type === 'text' ? (/^\s+/.exec(first.value)?.[0] ?? '') : '';
    if (first?.type === 'text') first.value = first.value.slice(before.length);
    const after = last?.type === 'text' ? (/\s+$/.exec(last.value)?.[0] ?? '') : '';
    if (last?.type === 'text') last.value = last.value.slice(0, last.value.length - after.length);
    if (before === '' && after === '') return undefined;
    const text = (value: string) => (value === '' ? [] : [{ type: 'text' as const, value }]);
    parent.children.splice(index, 1, ...text(before), element, ...text(after));
    return [SKIP, index + (before === '' ? 1 : 2)];
  });
}

/** Markdown has no captions of tables. */
function captionsApart(tree: Root): void {
  visit(tree, 'element', (table, index, parent) => {
    const isCaption = (child: Element['children'][number]) => child.type === 'element' && child.tagName === 'caption';
    const caption = table.tagName === 'table' ? table.children.find(isCaption) : undefined;
    if (caption?.type !== 'element' || !parent || index === undefined) return undefined;
    table.children = table.children.filter((child) => child !== caption);
    parent.children.splice(index, 0, { ...caption, tagName: 'p' });
    return index + 2;
  });
}

/** Generators fill in `{{ … }}` and `{% … %}` also in articles: a text of the service must not be their code. */
function breakTemplates(markdown: Nodes): void {
  visit(markdown, 'text', (node, index, parent) => {
    const parts = node.value.split(/(?<=\{)(?=[{%#<])/);
    if (!parent || index === undefined || parts.length === 1) return undefined;
    const nodes = parts.flatMap((value, at) => [
      ...(at > 0 ? [{ type: 'html' as const, value: '<!-- -->' }] : []),
      { type: 'text' as const, value },
    ]);
    parent.children.splice(index, 1, ...nodes);
    return [SKIP, index + nodes.length];
  });
}

const raw = (value: string) => ({ type: 'html' as const, value });
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A frame or a film as a link, which needs a text. */
const embed: Handle = (state, element) => {
  const { src, title } = element.properties;
  const known = element.tagName === 'iframe' ? undefined : defaultHandlers.video(state, element);
  if (known && (Array.isArray(known) || known.children.length > 0)) return known;
  const url = known && !Array.isArray(known) ? known.url : String(src ?? '');
  if (url === '') return undefined;
  return { type: 'link', url, children: [{ type: 'text', value: String(title || url) }] };
};

/** `H<sub>2</sub>O`. A raised number that leads to a note is a link. */
const raised: Handle = (state, element) => {
  const all = state.all(element);
  const isNote = element.children.some((child) => child.type === 'element' && child.tagName === 'a');
  const { tagName } = element;
  return isNote ? all : [raw(`<${tagName}>`), ...all, raw(`</${tagName}>`)];
};

const HANDLERS: Readonly<Record<string, Handle>> = {
  [ANCHOR]: (_state, { properties: { id } }) => raw(`<a id="${escaped(String(id))}"></a>`),
  iframe: embed,
  video: embed,
  audio: embed,
  sub: raised,
  sup: raised,
  // A line of a table is a line of Markdown.
  br: ({ inTable }) => (inTable ? raw('<br>') : { type: 'break' }),
};
