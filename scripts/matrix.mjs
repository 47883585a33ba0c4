// What tests try the package with, from npm: frameworks, runtimes, compilers. Each set is a folder outside the repository, which is
// kept for the next run. `node scripts/matrix.mjs` installs those that are missing.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const windows = process.platform === 'win32';
/** Each platform has a package with Node. */
const nodePackage = `npm:node-${windows ? 'win' : process.platform}-${process.arch}`;
const many = (name, versions) => Object.fromEntries(versions.map((version) => [version, `npm:${name}@${version}`]));

export const MATRIX = {
  astro5: { astro: '5.18.2', '@astrojs/check': '0.9.10', typescript: '5.9.3' },
  // A server of one's own shows live entries.
  astro7: { ...templateOf('astro'), '@astrojs/node': '11.1.6' },
  next: templateOf('next'),
  nuxt: { nuxt: '4.4.5', vue: '3.5.45', h3: '1.15.11' },
  svelteKit: {
    '@sveltejs/kit': '2.70.4',
    '@sveltejs/adapter-node': '5.5.7',
    '@sveltejs/vite-plugin-svelte': '6.2.3',
    svelte: '5.57.3',
    vite: '7.3.8',
  },
  bun: { bun: '1.4.5' },
  runtimes: {
    node24: `${nodePackage}@24.21.0`,
    node26: `${nodePackage}@26.10.0`,
    deno: '2.9.6',
  },
  node22: { node22: `${nodePackage}@22.23.3` },
  jest: { jest: '30.5.2', 'jest-environment-jsdom': '30.5.2' },
  typescript: many('typescript', ['5.4.5', '5.6.3', '5.9.3', '6.0.3', '7.0.2']),
  // The oldest and the newest that `multilocal/schemas` takes.
  zod: many('zod', ['4.1.13', '4.6.7']),
  // Version 13 needs Node 22.
  sqlite: { 'better-sqlite3': '12.11.1' },
  actionsGlob: { '@actions/glob': '0.1.2' },
};

/** What the site of a template needs beside this package. */
function templateOf(name) {
  const path = new URL(`../packages/sites/templates/${name}/package.json`, import.meta.url);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8'));
  const { multilocal: _, ...others } = { ...dependencies, ...devDependencies };
  return others;
}

/**
 * Installs a set, unless it is there. A folder is complete or missing.
 *
 * @param {keyof typeof MATRIX} name
 * @returns {Promise<string>} its `node_modules`
 */
export async function installed(name) {
  const wanted = JSON.stringify({ private: true, dependencies: MATRIX[name] });
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(process.env.XDG_CACHE_HOME || tmpdir(), 'multilocal-matrix', `${name}-${hash}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(folder)) return modules;
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(draft, 'package.json'), wanted);
    const install = (program, ...flags) =>
      execute(program, ['install', '--ignore-scripts', ...flags], { cwd: draft, shell: windows && program === 'npm' });
    const withNpm = () => install('npm', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error');
    const withBun = async () => install(await bun(), '--no-save', '--silent');
    const instead = ({ message }) => {
      console.error(`${message}\nnpm installs ${name} instead.`);
      return withNpm();
    };
    // Bun takes a tenth of npm's time, but does not read all of npm's settings.
    await (name === 'bun' ? withNpm() : withBun().catch(instead));
    // Where another process was faster, its folder is as good.
    await rename(draft, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return modules;
}

/** The program of Bun. */
export const bun = () => platformProgram('bun', '@oven', 'bin', windows ? 'bun.exe' : 'bun');

/** A program in the package of this machine's platform, the only one of its scope that is installed. */
export async function platformProgram(set, scope, ...path) {
  const folder = join(await installed(set), scope);
  const [platform = ''] = await readdir(folder);
  return join(folder, platform, ...path);
}

/** The program of Node 22, which Astro 7 needs. */
export const node22 = async () => join(await installed('node22'), 'node22', 'bin', windows ? 'node.exe' : 'node');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(MATRIX)) await installed(name);
}
