import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root, run } from '../examples/run.js';

/** The package as it would be published, in the words of npm. */
export interface Packed {
  /** Path of the tarball. */
  filename: string;
  files: { path: string }[];
  /** Bytes of the tarball. */
  size: number;
  /** Bytes of its files. */
  unpackedSize: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    packed: Packed;
  }
}

/** Packs the package once, for all tests that install it. */
export default async function pack(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'multilocal-packed-'));
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const { code, output } = await run('npm', args, { cwd: root });
  if (code !== 0) throw new Error(output);
  // An array, or from npm 12 on an object.
  const [packed] = Object.values<Packed>(JSON.parse(output.slice(output.search(/^[[{]/m))));
  if (!packed) throw new Error(output);
  project.provide('packed', { ...packed, filename: join(folder, packed.filename) });
  return () => rm(folder, { recursive: true, force: true });
}
