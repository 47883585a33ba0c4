// A table of posts, as an agency writes it in Excel: many rows a location, each with its date, time, platforms and text.
import { type Bulle, InvalidRequestError } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { planTable, type TableOptions } from '../src/index.js';

const LOCATIONS: Bulle[] = [
  { id: 'bul_lyon', name: 'Fournil – Lyon Croix-Rousse', city: 'Lyon' },
  { id: 'bul_bellecour', name: 'Fournil – Bellecour', city: 'Lyon' },
  { id: 'bul_evry', name: 'Fournil – Évry', city: 'Évry' },
  { id: 'bul_denis', name: 'Fournil – Saint-Denis', city: 'Saint-Denis' },
];
const OPTIONS: TableOptions = {
  name: 'december',
  zone: 'Europe/Paris',
  zones: { bul_denis: 'Indian/Reunion' },
  locations: LOCATIONS,
};
const ROW = { location: 'bul_lyon', date: '2026-12-24', time: '09:00', platforms: 'facebook', text: 'Ouvert' };
const { text: _, ...WITHOUT_TEXT } = ROW;

const planned = (rows: readonly object[], options: object = {}) =>
  planTable(rows as never, { ...OPTIONS, ...options } as TableOptions);

/** The parameters of the only action. */
function params(row: object, options?: object) {
  const { plan, problems } = planned([{ ...ROW, ...row }], options);
  expect(problems).toEqual([]);
  return plan.actions[0]?.params as Record<string, unknown>;
}

/** The code, the place and the message of each problem. */
function problems(rows: readonly object[], options?: object): string[] {
  return planned(rows, options).problems.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`);
}

it('makes an action of each row, with a key, at the local time of its location', () => {
  const rows = [
    { ...ROW, image: 'https://x.test/a.jpg' },
    { ...ROW, time: '18h30', platforms: 'facebook, gmb', key: 'soir' },
    { ...ROW, location: 'Saint-Denis', date: '2026-12-25' },
  ];
  const actions = [
    ['bul_lyon/2026-12-24T09:00', 'bul_lyon', ['facebook'], '2026-12-24T09:00:00+01:00', 'https://x.test/a.jpg'],
    ['soir', 'bul_lyon', ['facebook', 'gmb'], '2026-12-24T18:30:00+01:00'],
    ['bul_denis/2026-12-25T09:00', 'bul_denis', ['facebook'], '2026-12-25T09:00:00+04:00'],
  ].map(([key, bulle_id, platforms, scheduled_at, image_url], index) => ({
    key: `december/${key}`,
    operation: 'posts.create',
    params: { bulle_id, platforms, content: 'Ouvert', ...(image_url && { image_url }), scheduled_at },
    source: `december:${index + 2}`,
  }));
  const before = structuredClone(rows);
  expect(planned(rows)).toEqual({ plan: { name: 'december', actions }, problems: [] });
  expect(rows).toEqual(before);
});

describe('headings', () => {
  it.each(['Lieu', 'Boutique', 'MAGASIN', 'Établissement', 'E\u0301tablissement', ' bulle_id '])(
    '%s is the location',
    (name) => {
      const { location, ...rest } = ROW;
      expect(planned([{ ...rest, [name]: location }]).problems).toEqual([]);
    },
  );

  it('are known in French', () => {
    const row = {
      Lieu: 'Évry',
      Date: '2026-12-24',
      Heure: '9h',
      Réseaux: 'Facebook',
      Texte: 'Ouvert',
      Images: 'https://x.test/a.jpg\nhttps://x.test/b.jpg',
      Vidéo: 'https://x.test/v.mp4',
      Clé: 7,
    };
    const images = ['https://x.test/a.jpg', 'https://x.test/b.jpg'];
    const action = { key: 'december/7', params: { image_urls: images, video_url: 'https://x.test/v.mp4' } };
    expect(planned([row])).toMatchObject({ plan: { actions: [action] }, problems: [] });
  });

  it('are mapped by `columns`, which win', () => {
    const row = { ...WITHOUT_TEXT, Message: 'Ouvert', text: 'Fermé' };
    expect(problems([row], { columns: { Message: 'text', text: 'key' } })).toEqual([]);
  });

  it.each<[string, object, string, object?]>([
    ['an unused column', { Remarque: 'x' }, 'unused_column rows.Remarque column Remarque: no post uses it'],
    ['a misspelled one', { ...WITHOUT_TEXT, texxte: 'x' }, 'Did you mean `Texte`?'],
    ['two for one', { Texte: 'x' }, 'repeated_column rows.Texte column Texte: is the column `text` a second'],
    ['none for the text', { text: undefined }, ''],
    ['one in a wrong encoding', { 'R‚seaux': 'x' }, 'spreadsheet_error rows.R‚seaux column R‚seaux: has damaged'],
    ['one that `columns` has twice', {}, 'repeated_column columns.TEXT is a heading', { text: 'text', TEXT: 'key' }],
  ])('%s is a problem', (_, row, problem, columns) => {
    expect(problems([{ ...ROW, ...row }], { columns }).join('\n')).toContain(problem);
  });

  it('says which column is missing, once', () => {
    expect(problems([WITHOUT_TEXT, WITHOUT_TEXT])).toEqual([
      'missing_column rows there is no column `text` (or `Texte`)',
    ]);
  });

  it('leaves notes and empty columns alone', () => {
    expect(problems([{ ...ROW, _note: '#N/A', '': ' ', heure: undefined }])).toEqual([]);
  });
});

describe('cells', () => {
  it.each([
    ['an id', 'bul_evry', 'bul_evry'],
    ['a name', ' fournil - LYON croix-rousse ', 'bul_lyon'],
    ['a city of one location', 'evry', 'bul_evry'],
    ['a city with signs that nobody sees', '\u200bÉv\u00adry', 'bul_evry'],
  ])('name the location by %s', (_, location, id) => {
    expect(params({ location }).bulle_id).toBe(id);
  });

  it.each([
    ['2026-12-24', {}],
    ['24/12/2026', { dateOrder: 'dmy' }],
    ['24.12.2026', { dateOrder: 'dmy' }],
    ['2026-12-24', { dateOrder: 'dmy' }],
  ])('have the date as %s', (date, options) => {
    expect(params({ date }, options).scheduled_at).toBe('2026-12-24T09:00:00+01:00');
  });

  it.each(['09:00', '9:00', '9h', '9H00', '09h00', '9 h 00', '9\u202fh\u00a000', '09:00:00'])(
    'have the time as %s',
    (time) => {
      expect(params({ time }).scheduled_at).toBe('2026-12-24T09:00:00+01:00');
    },
  );

  it.each([
    ['facebook;gmb', ['facebook', 'gmb']],
    ['Facebook + Google', ['facebook', 'gmb']],
    ['Fiche Google, Insta', ['gmb', 'instagram']],
    ['Google My Business et LinkedIn', ['gmb', 'linkedin']],
    ['facebook gmb', ['facebook', 'gmb']],
    ['facebook\nFacebook', ['facebook']],
  ])('name the platforms: %j', (platforms, expected) => {
    expect(params({ platforms }).platforms).toEqual(expected);
  });

  it('have one address or several, and one in the column of several', () => {
    expect(params({ images: 'https://x.test/a,b.jpg' })).toMatchObject({ image_url: 'https://x.test/a,b.jpg' });
    expect(params({ images: 'https://x.test/a.jpg, https://x.test/b.jpg' })).toMatchObject({
      image_urls: ['https://x.test/a.jpg', 'https://x.test/b.jpg'],
    });
  });

  it.each(['\n', '\r\n', '\r'])('have the line end \\n, whatever the system wrote: %j', (end) => {
    const text = `${end}Bonjour {{city}},${end}à demain ! {{_more}}${end}`;
    expect(params({ text, _more: `a${end}b ` }).content).toBe('Bonjour Lyon,\nà demain ! a\nb');
  });

  it('fill in variables of the location and of other columns', () => {
    const row = { text: '{{city}} ferme à {{closing|16 h}}', closing: '15 h' };
    expect(params(row).content).toBe('Lyon ferme à 15 h');
    expect(problems([{ ...ROW, text: '{{clsing|16 h}}', closing: '15 h' }]).join()).toContain(
      'Did you mean `closing`?',
    );
  });
});

describe('a row with a problem is left out', () => {
  it('and says its row and column in these words', async () => {
    const wrong: [title: string, cells: object, options?: object][] = [
      ['a formula', { text: '=1+1' }],
      ['an error of Excel', { text: '#N/A' }],
      ['one of a French Excel', { date: '#VALEUR!' }],
      ['a column that was too narrow', { date: '########' }],
      ['accents that another program has damaged', { text: 'L’Ã©tÃ©' }],
      ['a character that was lost', { text: 'L\ufffdete' }],
      ['something else than a text', { text: {} }],
      ['a variable that YAML has read as a map', { text: { '{ city }': null } }],
      ['a cell without a heading', { ' ': 'x' }],
      ['no location', { location: ' ' }],
      ['an unknown location', { location: 'Fournil – Bellecours' }],
      ['a part of a name', { location: 'Bellecour' }],
      ['a city of two locations', { location: 'Lyon' }],
      ['a date in another order', { date: '24/12/2026' }],
      ['no date', { date: 'Noël' }],
      ['a word before a date', { date: 'jeudi 2026-12-24' }],
      ['a time behind a date', { date: '2026-12-24 9h' }],
      ['a word before a time', { time: 'vers 9h' }],
      ['no date in any order', { date: 'Noël' }, { dateOrder: 'dmy' }],
      ['a day that no calendar has', { date: '2026-02-30' }],
      ['a year of the past', { date: '24/12/1926' }, { dateOrder: 'dmy' }],
      ['a year with a typo', { date: '0026-12-24' }],
      ['a time that no clock shows', { time: '25h' }],
      ['half a minute', { time: '9h5' }],
      ['a skipped hour', { date: '2027-03-28', time: '2h30' }],
      ['a doubled hour', { date: '2026-10-25', time: '2h30' }],
      ['an unknown platform', { platforms: 'facebok' }],
      ['a text that is too long', { text: 'x'.repeat(5001) }],
      ['braces that are no variable', { text: '{{city}' }],
      ['a variable without a value', { text: '{{cty}}' }],
      ['no address', { image: 'photo.jpg' }],
      ['two images in the column of one', { image: 'https://x.test/a, https://x.test/b' }],
      ['an image beside images', { image: 'https://x.test/a', images: 'https://x.test/b' }],
      ['a key of two lines', { key: 'a\nb' }],
    ];
    const said = wrong.map(([title, cells, options]) => {
      const rows = [{ ...ROW, ...cells }];
      expect(planned(rows, options).plan.actions, title).toEqual([]);
      return [title, ...problems(rows, options)].join('\n');
    });
    await expect(said.join('\n\n')).toMatchFileSnapshot('./snapshots/table.txt');
  });

  it('has a city of many locations: five are named', () => {
    const locations = Array.from({ length: 6 }, (_, index) => ({ id: `bul_${index}`, name: null, city: 'Lyon' }));
    const named = locations.slice(0, 5).map(({ id }) => `\`${id}\` (${id})`);
    expect(problems([{ ...ROW, location: 'Lyon' }], { locations, zones: {} })).toEqual([
      `ambiguous_location rows.0.location Row 2, column location: stands for several locations: ${named.join(', ')}. Write the id`,
    ]);
  });

  it('repeats a key, or location, date and time', () => {
    const rows = [
      ROW,
      { ...ROW, text: 'x' },
      { ...ROW, time: '10h', key: '\u00e9' },
      { ...ROW, time: '11h', key: ' e\u0301 ' },
    ];
    expect(problems(rows)).toEqual([
      'repeated_key rows.1 Row 3: has the location, the date and the time of row 2. Give both a key of their own in a column `key` (or `Clé`)',
      'repeated_key rows.3.key Row 5, column key: is the key of row 4',
    ]);
    expect(planned(rows).plan.actions).toHaveLength(2);
  });

  it('names each empty cell, and one that holds an error only once', () => {
    const empty = { location: '', date: '', time: '', platforms: '', text: '', key: 'a' };
    const missing = (row: number) =>
      ['location', 'date', 'time', 'platforms', 'text'].map(
        (column) => `missing_value rows.${row}.${column} Row ${row + 2}, column ${column}: is empty`,
      );
    const wrong = 'spreadsheet_error rows.1.date Row 3, column date: ';
    const [, ...others] = missing(1).filter((problem) => !problem.includes('date'));
    expect(problems([empty, { ...empty, date: '#N/A' }, empty])).toEqual([
      ...missing(0),
      expect.stringContaining(wrong),
      'missing_value rows.1.location Row 3, column location: is empty',
      ...others,
      ...missing(2),
    ]);
  });

  it('counts rows as a spreadsheet does, the empty ones too', () => {
    const empty = { location: '', date: ' ', time: undefined, platforms: null, text: '' };
    expect(problems([ROW, empty, { ...ROW, date: 'x' }, empty])).toEqual([
      expect.stringContaining('rows.2.date Row 4'),
    ]);
  });

  it('is no row at all', () => {
    for (const rows of [[], [{ location: '' }]])
      expect(problems(rows)).toEqual(['no_row rows there is no row with a post']);
  });
});

it.each<[string, object, string]>([
  ['no name', { name: '' }, 'name'],
  ['a slash in the name, which separates keys', { name: 'noel/lyon' }, 'name'],
  ['an unknown zone', { zone: 'Europe/Lyon' }, 'zone'],
  ['an unknown option', { zonne: 'UTC' }, 'zonne'],
  ['an unknown column', { columns: { Texte: 'texte' } }, 'columns.Texte'],
  ['an unknown order', { dateOrder: 'ymd' }, 'dateOrder'],
  ['no locations', { locations: undefined }, 'locations'],
])('%s is refused', (_, options, path) => {
  expect(() => planned([ROW], options)).toThrow(InvalidRequestError);
  expect(() => planned([ROW], options)).toThrow(new RegExp(`^planTable: .*\`${path}\``));
});

it('a row that is none is refused', () => {
  expect(() => planned([ROW, 7 as never])).toThrow('planTable: `rows[1]` must be an object; received a number');
});

it('names a zone of no location', () => {
  expect(problems([ROW], { zones: { bul_evri: 'UTC' } })).toEqual([
    'unknown_location zones.bul_evri is not the id of a location of the key. Did you mean `bul_evry`?',
  ]);
});
