import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readChangesets, withRelease } from '../../scripts/release/changesets.js';

describe('changesets', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'multilocal-changesets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, body: string, head = '---\n"multilocal": minor\n---\n') =>
    writeFileSync(join(folder, name), `${head}${body}`);

  it('are read in the order of their names, the README and other files apart', () => {
    write('b.md', '\n### Fixed\n- two\n');
    write('a.md', '\n### Added\n- one\n');
    write('README.md', 'no changeset', '');
    write('config.json', '{}', '');
    expect(readChangesets(folder)).toEqual(['\n### Added\n- one\n', '\n### Fixed\n- two\n']);
  });

  it('may be empty, which asks for no release', () => {
    write('none.md', '', '---\n---\n');
    expect(readChangesets(folder)).toEqual([]);
  });

  it('may have the line ends of Windows', () => {
    write('crlf.md', '\r\n### Added\r\n- one\r\n', '---\r\n"multilocal": patch\r\n---\r\n');
    expect(readChangesets(folder)).toEqual(['\n### Added\n- one\n']);
  });

  it.each([
    ['no text', ''],
    ['a text below no heading', 'Something new.\n'],
    ['a text before the first heading', 'Something.\n\n### Added\n- one\n'],
    ['a heading that the changelog does not have', '### New\n- one\n'],
    ['a heading with nothing below', '### Added\n\n### Fixed\n- one\n'],
  ])('are refused for %s, by name', (_, body) => {
    write('wrong.md', body);
    expect(() => readChangesets(folder)).toThrow(/^\.changeset\/wrong\.md: every line belongs below one of ### Added/);
  });

  it('are refused where they ask for no version', () => {
    write('bare.md', '### Added\n- one\n', '');
    expect(() => readChangesets(folder)).toThrow('.changeset/bare.md does not begin with the version');
  });
});

describe('a release in the changelog', () => {
  const changelog = '# Changelog\n\nThe format.\n\n## [0.1.0] - 2026-11-21\n\n### Added\n- `Client`.\n';

  it('stands above the one before, with the headings in order and the texts that share one together', () => {
    const changesets = ['### Fixed\n- a fault\n\n### Added\n- one\n', '\n### Added\n- two,\n  on two lines\n'];
    expect(withRelease(changelog, '0.2.0', '2026-12-01', changesets)).toBe(
      changelog.replace(
        '## [0.1.0]',
        '## [0.2.0] - 2026-12-01\n\n### Added\n- one\n- two,\n  on two lines\n\n### Fixed\n- a fault\n\n## [0.1.0]',
      ),
    );
  });

  it('ends a changelog that has none yet', () => {
    expect(withRelease('# Changelog\n\n', '0.1.0', '2026-12-01', ['### Added\n- one\n'])).toBe(
      '# Changelog\n\n## [0.1.0] - 2026-12-01\n\n### Added\n- one\n\n',
    );
  });
});
