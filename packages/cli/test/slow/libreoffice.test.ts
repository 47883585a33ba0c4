// The fixtures of ../plan/rows.test.ts are what LibreOffice writes. This runs only where it is installed (`libreoffice-calc` of Debian).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '@multilocal/plans/test/helpers';
import { expect, it } from 'vitest';

const FIXTURES = join(import.meta.dirname, '../plan/fixtures/libreoffice');
const isThere = spawnSync('soffice', ['--version']).status === 0;

/** Separator, quotation mark and encoding, as the filter of LibreOffice numbers them. */
it.runIf(isThere).each([
  ['utf-8', '59,34,76'],
  ['utf-16', '9,34,65535'],
  ['windows-1252', '59,34,1'],
  ['ms-dos', '59,34,4'],
  ['macintosh', '59,34,2'],
])('writes the fixture: %s', (encoding, options) => {
  const out = folder();
  const filter = `csv:Text - txt - csv (StarCalc):${options}`;
  const words = ['--headless', `-env:UserInstallation=file://${out}/profile`, '--convert-to', filter, '--outdir', out];
  expect(spawnSync('soffice', [...words, join(FIXTURES, 'posts.fods')]).status).toBe(0);
  expect(readFileSync(join(out, 'posts.csv'))).toEqual(readFileSync(join(FIXTURES, `${encoding}.csv`)));
});
