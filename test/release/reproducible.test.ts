import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { differences } from '../../scripts/release/reproducible.js';

describe('two builds', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'multilocal-builds-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function build(name: string, files: Record<string, string>): string {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return join(folder, name);
  }

  it('are the same with the same files and bytes', () => {
    const files = { 'index.js': 'a', 'mock/index.js': 'b' };
    expect(differences(build('one', files), build('two', files))).toEqual([]);
  });

  it('differ by a byte, and by a file that only one has, in folders too', () => {
    const one = build('one', { 'index.js': 'a', 'mock/index.js': 'b', 'chunk-1.js': '' });
    const two = build('two', { 'index.js': 'a', 'mock/index.js': 'B', 'chunk-2.js': '' });
    expect(differences(one, two)).toEqual([
      'chunk-1.js: only in the first',
      'chunk-2.js: only in the second',
      'mock/index.js: differs',
    ]);
  });
});
