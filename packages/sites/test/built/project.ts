import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installed, node22 } from '@multilocal/scripts/matrix';
import { type Run, run } from '@multilocal/test/examples/run';
import { installTarball } from '@multilocal/test/package/project';

/** The versions of Astro whose sites are built, and what is in `fixtures` for one of them only. */
export const VERSIONS = [
  { astro: 5, own: undefined, output: 'dist' },
  { astro: 7, own: 'astro7', output: join('dist', 'client') },
] as const;

const PROGRAM = { 5: ['astro.js'], 7: ['bin', 'astro.mjs'] };

/** A site in a folder of its own, in which npm has installed Astro and the packed package. */
export interface Project {
  readonly folder: string;
  /** The Node that runs Astro. */
  readonly node: string;
  /** What `astro build` has written into `blog`. */
  pages(): Promise<string[]>;
  /** Runs a script of the project, or a command of Astro. */
  run(script: string, args?: string[], env?: Record<string, string>): Promise<Run>;
  astro(command: string, args: string[], env?: Record<string, string>): Promise<Run>;
  remove(): Promise<void>;
}

/** The project lies within the cached folder of its dependencies, where Node and Vite find them. */
export async function createProject(
  { astro: version, own, output }: (typeof VERSIONS)[number],
  env: Record<string, string>,
): Promise<Project> {
  const modules = await installed(`astro${version}`);
  const folder = await mkdtemp(join(dirname(modules), 'site-'));
  const fixtures = join(import.meta.dirname, 'fixtures');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await mkdir(join(folder, 'node_modules'));
  await installTarball(folder);
  for (const name of ['any', ...(own ? [own] : [])]) await cp(join(fixtures, name), folder, { recursive: true });

  const node = version === 7 ? await node22() : process.execPath;
  const script: Project['run'] = (name, args = [], more = {}) =>
    run(node, [name, ...args], { cwd: folder, env: { ASTRO_TELEMETRY_DISABLED: '1', ...env, ...more } });
  return {
    folder,
    node,
    pages: async () => (await readdir(join(folder, output, 'blog'))).sort(),
    run: script,
    astro: (command, args, more) => script(join(modules, 'astro', ...PROGRAM[version]), [command, ...args], more),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
