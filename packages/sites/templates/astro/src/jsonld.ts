import { publisher, site } from './site.ts';

/** JSON that cannot end its script element. */
const forScript = (data: object) =>
  JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');

/** What search engines show in place of an address: `Journal › Nos pains`. The last step is the page itself. */
export const breadcrumbJsonLd = (steps: readonly { name: string; url: string }[]) =>
  forScript({
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url,
    })),
  });

/** The name of the site, for its home page. */
export const siteJsonLd = () =>
  forScript({
    '@type': 'WebSite',
    name: site.name,
    description: site.description,
    url: site.url,
    inLanguage: site.language,
    publisher: { '@type': 'Organization', ...publisher },
  });
