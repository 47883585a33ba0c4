import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './run.js';

const examples = join(root, 'examples');
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'package.json')));

describe.each(names)('examples/%s', (name) => {
  const manifest = JSON.parse(readFileSync(join(examples, name, 'package.json'), 'utf8'));

  it('is a project to copy: private, of modules, with the package beside it and pinned versions', () => {
    expect(manifest).toMatchObject({ private: true, type: 'module' });
    const { multilocal, ...others } = { ...manifest.devDependencies, ...manifest.dependencies };
    expect(multilocal).toBe('file:../..');
    for (const version of Object.values(others)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  // The test of any other example installs the versions of its manifest.
  it.skipIf(workspaces.includes(`!examples/${name}`))('has the versions that its test ran with', () => {
    const { multilocal: _, ...others } = { ...manifest.devDependencies, ...manifest.dependencies };
    for (const [dependency, version] of Object.entries(others)) {
      // npm puts a version beside the example where others of the repository need another one.
      const places = [join(examples, name), root].map((folder) => join(folder, 'node_modules', dependency));
      const installed = join(places.find((place) => existsSync(place)) ?? '', 'package.json');
      expect(JSON.parse(readFileSync(installed, 'utf8')).version, dependency).toBe(version);
    }
  });

  it('is explained and tested', () => {
    expect(readFileSync(join(examples, 'README.md'), 'utf8')).toContain(`[${name}](${name})`);
    expect(existsSync(join(examples, name, 'README.md'))).toBe(true);
    expect(existsSync(join(root, 'test', 'examples', `${name}.test.ts`))).toBe(true);
  });
});
