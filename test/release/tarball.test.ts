import { describe, expect, it } from 'vitest';
import { type Packed, tarballFaults, tarballList } from '../../scripts/release/tarball.js';

function packed(...paths: string[]): Packed {
  return { filename: 'p.tgz', size: 100_000, unpackedSize: 400_000, files: paths.map((path) => ({ path })) };
}

describe('the list of the tarball', () => {
  const now = packed('package.json', 'dist/index.js', 'dist/chunk-2VQK5J7X.js', 'dist/chunk-K3TVSPMT.js');
  const list = tarballList(now);

  it('names every file, without hashes, and the sizes', () => {
    expect(list.split('\n').slice(1)).toEqual([
      '# packed 100 kB, unpacked 400 kB',
      'dist/chunk-*.js',
      'dist/chunk-*.js',
      'dist/index.js',
      'package.json',
      '',
    ]);
  });

  it.each([
    'dist/store-Csch079T.d.ts',
    'dist/store-Csch_-9T.d.cts',
    'dist/chunk-VM3EGUEW.js.map',
    'dist/chunk-VM3EGUEW.cjs.map',
  ])('knows the hash in %s', (path) => {
    expect(tarballList(packed(path))).toMatch(/^dist\/(store|chunk)-\*\./m);
  });

  it('holds for another build of the same files, a little larger', () => {
    const next = packed('package.json', 'dist/index.js', 'dist/chunk-AAAAAAAA.js', 'dist/chunk-BBBBBBBB.js');
    expect(tarballFaults(list, { ...next, size: 109_000 })).toEqual([]);
  });

  it('shows a file too many and a file too few, also among chunks', () => {
    expect(tarballFaults(list, packed('dist/index.js', '.env', 'dist/chunk-AAAAAAAA.js', 'package.json'))).toEqual([
      'unexpected: .env',
      'missing: dist/chunk-*.js',
    ]);
    const chunks = ['dist/chunk-AAAAAAAA.js', 'dist/chunk-BBBBBBBB.js', 'dist/chunk-CCCCCCCC.js'];
    expect(tarballFaults(list, packed('dist/index.js', 'package.json', ...chunks))).toEqual([
      'unexpected: dist/chunk-*.js',
    ]);
  });

  it('shows sizes grown by more than a tenth', () => {
    expect(tarballFaults(list, { ...now, size: 111_000 })).toEqual(['packed 111 kB, from 100 kB']);
    expect(tarballFaults(list, { ...now, unpackedSize: 441_000 })).toEqual(['unpacked 441 kB, from 400 kB']);
  });

  it('must name sizes', () => {
    expect(tarballFaults('package.json\n', packed('package.json'))).toEqual(['etc/tarball.txt names no sizes']);
  });
});
