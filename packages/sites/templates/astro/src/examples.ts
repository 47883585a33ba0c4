interface Settings {
  url: string;
  links: Readonly<Record<string, readonly { text: string; href: string }[]>>;
}

/** The hosts that are reserved for examples. */
const EXAMPLE = /^https?:\/\/([^/]+\.)?example\.(com|net|org)(:\d+)?([/?#]|$)/i;

/**
 * Refuses to build a site for the articles of a service that still has the addresses of the template.
 * @throws an error that names them.
 */
export function refuseExamples({ url, links }: Settings): void {
  const found = Object.values(links)
    .flat()
    .filter(({ href }) => EXAMPLE.test(href))
    .map(({ text }) => `the link “${text}”`);
  if (EXAMPLE.test(url)) found.unshift('`url`');
  if (found.length === 0) return;
  throw new Error(
    `site.ts still has addresses for examples: ${found.join(', ')}. Write those of your site, or remove them.`,
  );
}
