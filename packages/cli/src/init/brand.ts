// cspell:ignore Actualités conseils adresses légales Confidentialité Neues Rat Adressen standorte Impressum Datenschutz oklch Noticias consejos direcciones Aviso Privacidad giornale Notizie consigli sedi legali journaal Nieuws advies locaties Juridische informatie
import { UsageError } from '../failure.js';

/** What is different in the site of each brand. What is not given stays as in the template. */
export interface Brand {
  /** Name of the business. */
  readonly name?: string | undefined;
  /** Address of the home page. */
  readonly url?: string | undefined;
  /** A language tag, such as `fr` or `en-GB`. */
  readonly lang?: string | undefined;
  /** A colour of links, `#rrggbb`. */
  readonly accent?: string | undefined;
}

/** `expected`: what the value must be, in the words of a message. */
function part(name: keyof Brand, question: string, expected: string, fits: (value: string) => boolean) {
  return { name, question, problemIn: (value: string) => (fits(value) ? undefined : `expected ${expected}`) };
}

/** The parts of a brand, in the order in which a person is asked for them. */
export const PARTS = [
  part('name', 'Name of the brand', 'a name', (value) => value.trim() !== ''),
  part(
    'url',
    'Address of the site (empty: later)',
    'the address of the home page, such as https://journal.my-brand.com/',
    (value) => /^https?:\/\/[^\s'\\]+$/.test(value) && URL.canParse(value),
  ),
  part('lang', 'Language', 'a language, such as fr, en or en-GB', (value) => /^[a-z]{2,3}(-[A-Z]{2})?$/.test(value)),
  part('accent', 'Colour of links, as #1d4ed8 (empty: that of the template)', 'a colour, such as #1d4ed8', (value) =>
    /^#[\da-f]{6}$/i.test(value),
  ),
];

/** @throws {UsageError} if a value does not fit. Values are not repeated. */
export function checkBrand(brand: Brand): void {
  for (const { name, problemIn } of PARTS) {
    const value = brand[name];
    const problem = value === undefined ? undefined : problemIn(value);
    if (problem) throw new UsageError(`\`--${name}\`: ${problem}.`, 'Nothing was written.');
  }
}

/** What `site.ts` says in the languages that `words.ts` has. Others are in English. */
const TEXTS = {
  fr: texts(' : le journal', 'Actualités, conseils et adresses : ', 'boutiques', 'Mentions légales', 'Confidentialité'),
  en: texts(': the journal', 'News, advice and locations: ', 'locations', 'Legal notice', 'Privacy'),
  de: texts(': das Journal', 'Neues, Rat und Adressen: ', 'standorte', 'Impressum', 'Datenschutz'),
  es: texts(': el diario', 'Noticias, consejos y direcciones: ', 'direcciones', 'Aviso legal', 'Privacidad'),
  it: texts(': il giornale', 'Notizie, consigli e sedi: ', 'sedi', 'Note legali', 'Privacy'),
  nl: texts(': het journaal', 'Nieuws, advies en locaties: ', 'locaties', 'Juridische informatie', 'Privacy'),
};

function texts(journal: string, news: string, places: string, ...legal: readonly [string, string]) {
  return { journal, news, places, legal };
}

const hasTexts = (language: string | undefined): language is keyof typeof TEXTS => Object.hasOwn(TEXTS, language ?? '');

/** What a site in this language lacks. `undefined` if it has all words. */
export function missingWords({ lang = 'fr' }: Brand): string | undefined {
  if (hasTexts(lang.split('-')[0])) return undefined;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(lang) ?? lang;
  return `The words of the pages are English: words.ts has ${Object.keys(TEXTS).join(', ')}. Add ${name} there.`;
}

/** The files of a template that show the brand, and how each one changes. */
const EDITS: Readonly<Record<string, (text: string, brand: Brand) => string>> = {
  'site.ts': (text, { name: given, url, lang }) => {
    const name = given?.trim();
    const language = (lang ?? 'fr').split('-')[0];
    const texts = TEXTS[hasTexts(language) ? language : 'en'];
    const region = lang && new Intl.Locale(lang).maximize();
    const named = settings(text, {
      name: name && name + texts.journal,
      publisher: name,
      description: name && `${texts.news}${name}.`,
      url: url && new URL(url).href.replace(/[?#].*|\/?$/, '/'),
      language: lang,
      locale: region && `${region.language}_${region.region}`,
      dir: lang && /^(ar|fa|he|ur)/.test(lang) ? 'rtl' : undefined,
      places: texts.places,
    });
    return TEXTS.fr.legal.reduce((all, word, index) => all.replace(`'${word}'`, `'${texts.legal[index]}'`), named);
  },
  // The dark theme needs a lighter colour.
  'site.css': (text, { accent }) =>
    accent
      ? text.replace(/(--accent: ).*;/, `$1light-dark(${accent}, color-mix(in oklch, ${accent} 55%, white));`)
      : text,
  'favicon.svg': (text, { accent }) => (accent ? text.replace(/#9c3f1c/g, accent) : text),
};

/** Returns a file of a template with the names of the brand. */
export function branded(path: string, text: string, brand: Brand): string {
  return EDITS[path.slice(path.lastIndexOf('/') + 1)]?.(text, brand) ?? text;
}

/** Changes the first value of each setting in `site.ts`. */
function settings(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values).reduce((changed, [name, value]) => {
    if (value === undefined) return changed;
    return changed.replace(new RegExp(`^(  ${name}: )'[^'\n]*'`, 'm'), (_, start: string) => start + quoted(value));
  }, text);
}

/** A text as a literal of TypeScript. A name of the service may have any character. */
function quoted(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ').trim();
  return `'${plain.replace(/[\\']/g, '\\$&')}'`;
}
