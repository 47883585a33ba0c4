// The names, the address, the language and the colour that `init` writes into a site.
import { readFileSync } from 'node:fs';
import { thrown } from '@multilocal/test/support/clients';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/failure.js';
import { type Brand, branded, checkBrand } from '../../src/init/brand.js';

const read = (path: string) => readFileSync(`packages/sites/templates/${path}`, 'utf8');
const SITES = ['astro/src/site.ts', 'next/lib/site.ts'];

/** The settings of a site, as its pages see them. */
function settingsOf(path: string, brand: Brand) {
  const { code } = transformSync(branded(path, read(path), brand), { loader: 'ts', format: 'cjs' });
  const module: { exports: { site?: Record<string, unknown> } } = { exports: {} };
  new Function('module', 'exports', 'require', code)(module, module.exports, () => ({ wordsOf: () => ({}) }));
  return module.exports.site;
}

describe.each(SITES)('%s', (path) => {
  it('has what was given', () => {
    const brand = {
      name: "L'Ami \\ du `pain` $&\n",
      url: 'http://a.org/blog?x#y',
      lang: 'en-GB',
      accent: '#1D4ed8',
    };
    expect(settingsOf(path, brand)).toMatchObject({
      name: "L'Ami \\ du `pain` $&: the journal",
      publisher: "L'Ami \\ du `pain` $&",
      url: 'http://a.org/blog/',
      language: 'en-GB',
      locale: 'en_GB',
      dir: 'ltr',
      places: 'locations',
    });
    expect(branded(path, read(path), brand)).not.toMatch(/Mentions|Confidentialité/);
  });

  it('stays as it is in what was not given', () => {
    expect(branded(path, read(path), {})).toBe(read(path));
    expect(settingsOf(path, { lang: 'fr' })).toEqual(settingsOf(path, {}));
    expect(settingsOf(path, { url: 'https://a.org' })).toEqual({ ...settingsOf(path, {}), url: 'https://a.org/' });
    expect(settingsOf(path, { lang: 'he' })).toMatchObject({ locale: 'he_IL', dir: 'rtl' });
  });
});

it('the colour is that of the style sheet and the icon', () => {
  const css = branded('app/site.css', read('astro/src/styles/site.css'), { accent: '#1d4ed8' });
  expect(css).toContain('--accent: light-dark(#1d4ed8, color-mix(in oklch, #1d4ed8 55%, white));');
  expect(css.split('\n')).toHaveLength(read('astro/src/styles/site.css').split('\n').length);
  expect(branded('public/favicon.svg', read('astro/public/favicon.svg'), { accent: '#1d4ed8' })).toContain('#1d4ed8');
  expect(branded('README.md', 'a', { accent: '#1d4ed8' })).toBe('a');
});

it.each([
  [{ name: ' ' }, '`--name`: expected a name.'],
  [
    { url: 'journal.my-brand.com' },
    '`--url`: expected the address of the home page, such as https://journal.my-brand.com/.',
  ],
  [{ url: "https://a.org/'x" }, '`--url`: expected the address'],
  [{ lang: 'français' }, '`--lang`: expected a language, such as fr, en or en-GB.'],
  [{ accent: 'blue' }, '`--accent`: expected a colour, such as #1d4ed8.'],
])('%j is refused', (brand, message) => {
  expect(thrown(() => checkBrand(brand), UsageError).message).toContain(message);
  // The command passes all its arguments.
  checkBrand({
    ...{ template: 'astro', yes: false },
    name: undefined,
    url: 'https://a.org',
    lang: 'fr',
    accent: '#000000',
  });
});
