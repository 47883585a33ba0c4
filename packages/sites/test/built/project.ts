import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installed, type Run, run } from '@multilocal/test/examples/run';
import { installTarball } from '@multilocal/test/package/project';

const platform = process.platform === 'win32' ? 'win' : process.platform;
/** A Node of its own for Astro 7, which needs 22.12 or later. Each platform has a package. */
const NODE_22 = { node22: `npm:node-${platform}-${process.arch}@22.23.3` };
const node22 = join('node_modules', 'node22', 'bin', `node${platform === 'win' ? '.exe' : ''}`);

const TOOLS = { '@astrojs/check': '0.9.10', typescript: '5.9.3' };

/** The versions of Astro whose sites are built, and what is in `fixtures` for one of them only. */
export const VERSIONS = [
  { astro: 5, dependencies: { astro: '5.18.2', ...TOOLS }, node: undefined, own: undefined, output: 'dist' },
  {
    astro: 7,
    dependencies: { astro: '7.3.5', '@astrojs/node': '11.1.6', ...TOOLS, ...NODE_22 },
    node: node22,
    own: 'astro7',
    output: join('dist', 'client'),
  },
];

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
  { dependencies, node, own, output }: (typeof VERSIONS)[number],
  env: Record<string, string>,
): Promise<Project> {
  const cached = await installed(dependencies);
  const folder = await mkdtemp(join(cached, 'site-'));
  const fixtures = join(import.meta.dirname, 'fixtures');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await mkdir(join(folder, 'node_modules'));
  await installTarball(folder);
  for (const name of ['any', ...(own ? [own] : [])]) await cp(join(fixtures, name), folder, { recursive: true });

  const binary = node ? join(cached, node) : process.execPath;
  const script: Project['run'] = (name, args = [], more = {}) =>
    run(binary, [name, ...args], { cwd: folder, env: { ASTRO_TELEMETRY_DISABLED: '1', ...env, ...more } });
  return {
    folder,
    node: binary,
    pages: async () => (await readdir(join(folder, output, 'blog'))).sort(),
    run: script,
    astro: (command, args, more) => script(join(cached, astroBinary(dependencies.astro)), [command, ...args], more),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function astroBinary(version: string): string {
  const path = version.startsWith('5.') ? ['astro.js'] : ['bin', 'astro.mjs'];
  return join('node_modules', 'astro', ...path);
}
