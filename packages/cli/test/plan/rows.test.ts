// Tables as spreadsheets really write them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '@multilocal/plans/test/helpers';
import { expect, it } from 'vitest';
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

it('counts the line that names the separator, and rows with several lines', async () => {
  const { positionOf } = await readRows(fileOf('sep=;\nbulle_id;phrase\n\nlyon;"Bon\njour"\n;\nparis;Bonjour\n'));
  expect([0, 1].map((index) => positionOf([index]).line)).toEqual([4, 7]);
});

it('keeps empty rows of a table, so that its rows have the numbers of the spreadsheet', async () => {
  const { value, positionOf } = await readTable(fileOf('Lieu;Texte\n\n;\nLyon;Bonjour\n'));
  expect(value).toEqual([
    { Lieu: '', Texte: '' },
    { Lieu: '', Texte: '' },
    { Lieu: 'Lyon', Texte: 'Bonjour' },
  ]);
  expect([positionOf([2, 'Texte']).line, positionOf(['Texte']).line]).toEqual([4, 1]);
});

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
it.each<[string, Uint8Array, string | undefined]>([
  ['UTF-16', utf16('Lieu\tTexte\r\nÉvry\tÀ côté\r\n'), undefined],
  ['UTF-16, the other way round', utf16('Lieu\tTexte\r\nÉvry\tÀ côté\r\n').swap16(), undefined],
  ['UTF-8', Buffer.from('Lieu;Texte\nÉvry;À côté\n'), undefined],
  ['Windows-1252, which is said', Buffer.from('Lieu;Texte\nÉvry;À côté\n', 'latin1'), 'was read as Windows-1252'],
])('is read as %s', async (_, bytes, said) => {
  const { value, remark } = await readTable(fileOf(bytes));
  expect(value).toEqual([{ Lieu: 'Évry', Texte: 'À côté' }]);
  expect(remark).toEqual(said && expect.stringContaining(said));
});

it.each<[string, Uint8Array | string, string]>([
  [
    'a text of an old Mac',
    Buffer.from('Lieu;Texte\n\x83vry;\x88 c\x99t\x8e tr\x8fs\n', 'latin1'),
    'is neither UTF-8, UTF-16',
  ],
  ['damaged UTF-8', Buffer.concat([Buffer.from('Lieu;Texte\nÉvry;é'), Buffer.of(0xe9)]), 'is neither UTF-8, UTF-16'],
  ['a cell in a column without a name', 'Lieu;;Texte\nÉvry;x;y\n', 'rows.csv:2: This row has a cell in a column'],
  ['a column twice', 'Lieu,a,a\nx,1,2', 'rows.csv:1: Two columns have the same name.'],
  ['a cell too many', 'Lieu,a\n\nx,1,2', 'rows.csv:3: This row has more cells'],
  ['open quotes', 'Lieu,a\nx,"1', 'rows.csv:2: The quotation marks'],
])('%s is refused', async (_, text, message) => {
  await expect(readTable(fileOf(text))).rejects.toThrow(message);
});
