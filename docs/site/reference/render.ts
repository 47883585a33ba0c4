// Pieces of a page: Markdown, and HTML where Markdown has no words for it.

import { isRepeatable } from '@multilocal/client/core/call';
import type { Endpoint } from '@multilocal/client/core/endpoint';
import { ReferenceType, type SomeType } from 'typedoc';

import { asCode, type Field } from './fields.js';
import type { Method } from './methods.js';

/** Where a public name is described: `./posts.html#create`. */
export type Links = ReadonlyMap<string, string>;

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{{', '&#123;&#123;');

/** Documentation as Markdown: names in backticks link to their sections, and nothing outside of code is HTML. */
export function prose(text: string, links: Links): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;');
      const link = links.get(
        part
          .slice(1, -1)
          .replace(/\(\)$/, '')
          .replace(/^client\./, ''),
      );
      return link === undefined ? part : `[${part}](${link})`;
    })
    .join('');
}

/** A type whose parts link to their sections. */
export function typeHtml(type: string, links: Links): string {
  const html = type
    .split(/('[^']*'|\b[A-Z]\w+\b)/)
    .map((part) => {
      const link = links.get(part);
      return link === undefined ? escapeHtml(part) : `<a href="${link}">${part}</a>`;
    })
    .join('');
  return `<code class="type" v-pre>${html}</code>`;
}

export const codeBlock = (language: string, code: string) => `\`\`\`${language}\n${code.trim()}\n\`\`\``;

/** `POST /posts`, with the verb set apart. */
export function routeHtml(route: string): string {
  const [verb = '', path = ''] = route.split(' ');
  if (!path.startsWith('/')) return `<span class="route">${route}</span>`;
  return `<span class="route"><span class="verb ${verb.toLowerCase()}">${verb}</span> <code v-pre>${escapeHtml(path)}</code></span>`;
}

/** A list of properties or parameters, each with its type and what it means. */
export function fieldList(fields: readonly Field[], links: Links): string {
  if (fields.length === 0) return '';
  const items = fields.map(({ names, type, presence, doc }) => {
    const shown = names.map((name) => `<code class="name">${escapeHtml(name)}</code>`).join(' ');
    const isRequired = presence.startsWith('required');
    const note = presence && ` <span class="presence${isRequired ? ' required' : ''}">${ticksToCode(presence)}</span>`;
    const text = doc && `\n<dd class="doc">\n\n${prose(doc, links)}\n\n</dd>`;
    return `<div>\n<dt>${shown}</dt>\n<dd>${typeHtml(type, links)}${note}</dd>${text}\n</div>`;
  });
  return `<dl class="fields">\n${items.join('\n')}\n</dl>`;
}

const ticksToCode = (text: string) => text.replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** What a call needs and how it is retried, in a line below its heading. */
export function facts({ routes, endpoint, throws }: Method): string {
  const hasQuota = throws.some((text) => text.includes('QuotaExceededError'));
  const all = [...routes.map(routeHtml), ...(endpoint ? factsOf(endpoint, hasQuota) : [])];
  return all.length === 0 ? '' : `<p class="facts">${all.join(' ')}</p>`;
}

function factsOf(endpoint: Endpoint, hasQuota: boolean): string[] {
  const { permission, target, targetRequired, dryRun } = endpoint;
  const fact = (html: string) => `<span class="fact">${html}</span>`;
  return [
    fact(permission ? `permission <code>${permission}</code>` : 'needs no key'),
    ...(target && targetRequired ? [fact(`a sphere key must name <code>${target}</code>`)] : []),
    ...(dryRun ? [fact('takes <code>dry_run</code>')] : []),
    ...(hasQuota ? [fact('uses a monthly quota')] : []),
    fact(isRepeatable(endpoint) ? 'retried after temporary failures' : 'retried only if nothing was sent'),
  ];
}

/** What a call resolves to, in words around the types; `'short'` leaves previews out. */
export function resultHtml(returns: SomeType | undefined, links: Links, length: 'full' | 'short' = 'full'): string {
  const html = (type: SomeType | undefined) => typeHtml(asCode(type), links);
  const { name: wrapper, typeArguments: [inner, item] = [] } =
    returns instanceof ReferenceType ? returns : { name: '' };
  if (wrapper === 'ListPromise') return `${html(inner)} when awaited; iterates ${html(item)} over all pages`;
  if (wrapper === 'AsyncGenerator' || wrapper === 'AsyncIterable') return `iterates ${html(inner)}`;
  if (wrapper !== 'ApiPromise' && wrapper !== 'Promise') return html(returns);
  const isPreviewed = inner instanceof ReferenceType && inner.name === 'DryRunResult';
  const body = isPreviewed ? inner.typeArguments?.at(-1) : inner;
  const opaque =
    length === 'short' ? 'the response body' : 'the response body as the service sent it, or <code>undefined</code>';
  const result = /^(unknown|T)$/.test(String(body)) ? opaque : html(body);
  return isPreviewed && length === 'full'
    ? `${result}; with <code>dry_run: true</code> ${typeHtml('DryRunPreview', links)}`
    : result;
}
