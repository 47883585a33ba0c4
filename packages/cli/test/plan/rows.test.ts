// Tables as spreadsheets really write them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '@multilocal/plans/test/helpers';
import { expect, it } from 'vitest';
import { zonesOfPlan } from '../../src/campaign/calendar.js';
import { readRows, readTable } from '../../src/campaign/read.js';

function fileOf(text: string | Uint8Array) {
  const file = join(folder(), 'rows.csv');
  writeFileSync(file, text);
  return file;
}

it.each([
  ['columns without a name behind the last one', 'bulle_id;phrase;;\nlyon;Bonjour;;\n;;;\n'],
  ['more empty cells than columns', 'bulle_id;phrase\nlyon;Bonjour;;\n'],
  ['a line that names the separator', 'sep=;\r\nbulle_id;phrase\r\nlyon;Bonjour\r\n'],
  ['a separator that nobody would guess', 'sep=|\nbulle_id|phrase\nlyon|Bonjour\n'],
  ['a byte order mark', '\ufeffbulle_id,phrase\nlyon,Bonjour\n'],
])('%s', async (_, text) => {
  expect((await readRows(fileOf(text))).value).toEqual([{ bulle_id: 'lyon', phrase: 'Bonjour' }]);
});

it.each([
  ['a row of a single cell', 'Lieu;Texte\nLyon\n', [{ Lieu: 'Lyon', Texte: '' }]],
  [
    'a line that closes the table',
    'Lieu,Texte\nLyon,a;b;c\nTotal\n',
    [
      { Lieu: 'Lyon', Texte: 'a;b;c' },
      { Lieu: 'Total', Texte: '' },
    ],
  ],
  ['bars between the cells', 'Lieu|Texte\nLyon|un, deux; trois\n', [{ Lieu: 'Lyon', Texte: 'un, deux; trois' }]],
  ['line ends of an old Mac behind `sep=`', 'sep=;\rLieu;Texte\rLyon;a,b\r', [{ Lieu: 'Lyon', Texte: 'a,b' }]],
  ['quotes around `sep=`', '"sep=;"\r\nLieu;Texte\r\nLyon;a,b\r\n', [{ Lieu: 'Lyon', Texte: 'a,b' }]],
  ['commas in the texts', 'Lieu;Texte\nLyon;un, deux, trois\n', [{ Lieu: 'Lyon', Texte: 'un, deux, trois' }]],
  ['commas in a heading', 'Lieu;Texte (un, deux)\nLyon;a\n', [{ Lieu: 'Lyon', 'Texte (un, deux)': 'a' }]],
  ['a single column', 'Lieu\nLyon\n', [{ Lieu: 'Lyon' }]],
])('finds the separator in spite of %s', async (_, text, rows) => {
  expect((await readTable(fileOf(text))).value).toEqual(rows);
});

it('counts the line that names the separator, and rows with several lines', async () => {
  const { positionOf } = await readRows(fileOf('sep=;\nbulle_id;phrase\n\nlyon;"Bon\njour"\n;\nparis;Bonjour\n'));
  expect([0, 1].map((index) => positionOf([index]).line)).toEqual([4, 7]);
});

it('keeps empty rows of a table, so that its rows have the numbers of the spreadsheet', async () => {
  const { value, positionOf } = await readTable(fileOf('\n;\nLieu;Texte\n\n;\nLyon;Bonjour\n'));
  expect(value).toEqual([{}, {}, { Lieu: '', Texte: '' }, { Lieu: '', Texte: '' }, { Lieu: 'Lyon', Texte: 'Bonjour' }]);
  expect([positionOf([4, 'Texte']).line, positionOf(['Texte']).line]).toEqual([6, 3]);
  expect((await readRows(fileOf('\nbulle_id\nlyon\n'))).value).toEqual([{ bulle_id: 'lyon' }]);
});

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
it.each<[string, Uint8Array, string | undefined]>([
  ['UTF-16', utf16('Lieu\tTexte\r\nÉvry\tÀ côté\r\n'), undefined],
  ['UTF-16, the other way round', utf16('Lieu\tTexte\r\nÉvry\tÀ côté\r\n').swap16(), undefined],
  ['UTF-16 without a mark', utf16('Lieu\tTexte\r\nÉvry\tÀ côté\r\n').subarray(2), undefined],
  ['UTF-8', Buffer.from('Lieu;Texte\nÉvry;À côté\n'), undefined],
  ['Windows-1252, which is said', Buffer.from('Lieu;Texte\nÉvry;À côté\n', 'latin1'), 'was read as Windows-1252'],
])('is read as %s', async (_, bytes, said) => {
  const { value, remark } = await readTable(fileOf(bytes));
  expect(value).toEqual([{ Lieu: 'Évry', Texte: 'À côté' }]);
  expect(remark?.[0]).toEqual(said && expect.stringContaining(said));
});

it.each<[string, Uint8Array | string, string]>([
  [
    'a text of an old Mac',
    Buffer.from('Lieu;Texte\n\x83vry;\x88 c\x99t\x8e tr\x8fs\n', 'latin1'),
    'rows.csv:2: The text is neither UTF-8, UTF-16',
  ],
  [
    'damaged UTF-8',
    Buffer.concat([Buffer.from('Lieu;Texte\nÉvry;é'), Buffer.of(0xe9)]),
    'rows.csv:2: The text is neither',
  ],
  ['a cell in a column without a name', 'Lieu;;Texte\nÉvry;x;y\n', 'rows.csv:2: This row has a cell in a column'],
  ['a column twice', 'Lieu,a,a\nx,1,2', 'rows.csv:1: Two columns have the same name.'],
  ['a cell too many', 'Lieu,a\n\nx,1,2', 'rows.csv:3: This row has more cells'],
  ['open quotes', 'Lieu,a\nx,"1', 'rows.csv:2: The quotation marks'],
])('%s is refused', async (_, text, message) => {
  await expect(readTable(fileOf(text))).rejects.toThrow(message);
});

/** Written by LibreOffice 7.4. `test/slow/libreoffice.test.ts` writes them anew where it is installed. */
const written = (encoding: string) => readTable(join(import.meta.dirname, 'fixtures/libreoffice', `${encoding}.csv`));

it.each(['utf-8', 'utf-16', 'windows-1252'])('reads what LibreOffice writes: %s', async (encoding) => {
  const { value } = await written(encoding);
  const text = 'Fermé à 16 h ; « bonnes fêtes »,\n"à bientôt" : 30° déjà !';
  expect(value.map((row) => ['Établissement', 'Date', 'Réseaux', 'Texte'].map((name) => row[name]))).toEqual([
    ['Évry', '24/12/2026', 'Facebook, Google', text],
    ['Évry', '25/12/2026', 'Facebook', 'Err:511'],
    ['Évry', '26/12/2026', 'Facebook', '#N/A'],
  ]);
});

it.each(['ms-dos', 'macintosh'])('refuses what LibreOffice writes: %s', async (encoding) => {
  await expect(written(encoding)).rejects.toThrow(`${encoding}.csv:1: The text is neither UTF-8`);
});

/** Versions of Node call these zones by other names. */
const HALVES = { 0: expect.stringMatching(/^Asia\//), 1: expect.stringMatching(/^Asia\/Kat/) };
it.each<[string, string[], object]>([
  ['Paris, in summer and winter', ['2026-12-24T09:00:00+01:00', '2026-07-14T09:00:00+02:00[Europe/Paris]'], {}],
  ['others', ['2026-12-24T09:00:00+04:00', '2026-12-24T09:00:00-04:00'], { 0: 'Etc/GMT-4', 1: 'Etc/GMT+4' }],
  ['none', ['2026-12-24T09:00:00Z', 'x'], { 0: 'UTC' }],
  ['of half hours', ['2026-12-24T09:00:00-09:30'], { 0: 'Pacific/Marquesas' }],
  ['of half and quarter hours', ['2026-12-24T09:00:00+05:30', '2026-12-24T09:00:00+05:45'], HALVES],
  ['with a summer', ['2026-12-24T09:00:00-03:30 2026-07-14T09:00:00-02:30'], { 0: 'America/St_Johns' }],
  ['that no zone shows', ['2026-12-24T09:00:00+01:23', '2026-12-24T09:00:00Z 2026-12-24T09:00:00+04:00'], {}],
])('a calendar has the clocks that a plan has written: %s', (_, locations, zones) => {
  const actions = locations.flatMap((dates, index) =>
    dates.split(' ').map((scheduled_at) => ({
      operation: 'posts.create',
      params: { bulle_id: `${index}`, scheduled_at },
    })),
  );
  expect(zonesOfPlan({ actions } as never)).toEqual({ zone: 'Europe/Paris', zones });
});
