import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deadLinks } from '../links.js';

test('links to missing pages, files and sections are found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'index.html'),
    '<h1 id="top"></h1><a href="./a.html#here"></a><a href="#top"></a><a href="/"></a>',
  );
  writeFileSync(
    join(folder, 'a.html'),
    '<p id="here"></p><a href="./b.html"></a><a href="./#bottom"></a><img src="/x.png"><a href="https://example.com/"></a>',
  );
  expect(deadLinks(folder)).toEqual(['a.html: ./b.html', 'a.html: ./#bottom', 'a.html: /x.png']);
});
