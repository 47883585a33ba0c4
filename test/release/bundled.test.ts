import { describe, expect, it } from 'vitest';
import { bundledFolders, noticesFaults } from '../../scripts/release/bundled.js';

describe('bundled code', () => {
  const outputsOf = (...paths: string[]) => ({
    outputs: { 'dist/index.js': { inputs: Object.fromEntries(paths.map((path) => [path, { bytesInOutput: 1 }])) } },
  });

  it('is what an output holds of node_modules, each package once', () => {
    const metafile = outputsOf(
      'src/index.ts',
      'node_modules/ky/distribution/index.js',
      'node_modules/ky/distribution/core/Ky.js',
      'node_modules/@scope/name/index.js',
      'node_modules/ky/node_modules/inner/index.js',
    );
    expect(bundledFolders(metafile)).toEqual([
      'node_modules/@scope/name',
      'node_modules/ky',
      'node_modules/ky/node_modules/inner',
    ]);
  });

  it('is not what was read and shaken off again', () => {
    const inputs = { 'node_modules/zod/index.js': { bytesInOutput: 0 } };
    expect(bundledFolders({ outputs: { 'dist/index.js': { inputs } } })).toEqual([]);
  });
});

describe('third-party notices', () => {
  const notices = '# Third-party notices\n\n## ky 2.1.0\n\nMIT\n\n## @scope/name 1.0.0\n\nMIT\n';

  it('name exactly what is bundled', () => {
    expect(noticesFaults(['@scope/name 1.0.0', 'ky 2.1.0'], notices)).toEqual([]);
    expect(noticesFaults([], undefined)).toEqual([]);
  });

  it('are wrong with another version, a package too few or too many', () => {
    expect(noticesFaults(['@scope/name 1.0.0', 'ky 2.1.1'], notices)).toEqual([
      'THIRD-PARTY-NOTICES.md lacks ky 2.1.1',
      'THIRD-PARTY-NOTICES.md names ky 2.1.0: not bundled',
    ]);
    expect(noticesFaults(['ky 2.1.0'], undefined)).toEqual(['THIRD-PARTY-NOTICES.md lacks ky 2.1.0']);
  });

  it('are not there where nothing is bundled', () => {
    expect(noticesFaults([], notices)).toEqual([expect.stringContaining('remove THIRD-PARTY-NOTICES.md')]);
  });
});
