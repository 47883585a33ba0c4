// The rows of a campaign as spreadsheets write them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '@multilocal/plans/test/helpers';
import { expect, it } from 'vitest';
import { readRows } from '../../src/campaign/read.js';

async function read(text: string) {
  const file = join(folder(), 'rows.csv');
  writeFileSync(file, text);
  return readRows(file);
}

it.each([
  ['columns without a name behind the last one', 'bulle_id;phrase;;\nlyon;Bonjour;;\n'],
  ['more empty cells than columns', 'bulle_id;phrase\nlyon;Bonjour;;\n'],
  ['a line that names the separator', 'sep=;\r\nbulle_id;phrase\r\nlyon;Bonjour\r\n'],
  ['a separator that nobody would guess', 'sep=|\nbulle_id|phrase\nlyon|Bonjour\n'],
  ['a byte order mark', '\ufeffbulle_id,phrase\nlyon,Bonjour\n'],
])('%s', async (_, text) => {
  expect((await read(text)).value).toEqual([{ bulle_id: 'lyon', phrase: 'Bonjour' }]);
});

it('counts the line that names the separator', async () => {
  const { positionOf } = await read('sep=;\nbulle_id;phrase\nlyon;Bonjour\n');
  expect(positionOf([0]).line).toBe(3);
});
