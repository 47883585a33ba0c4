type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'part' | 'children'>
> & { part?: string };

/** Makes an element. Texts become text nodes, never HTML, and `undefined` is left out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { part, ...properties }: Properties<Tag> = {},
  ...children: (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  if (part !== undefined) element.setAttribute('part', part);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}
