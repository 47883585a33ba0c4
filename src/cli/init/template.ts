import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UsageError } from '../failure.js';
import { folderError, prepareFolder } from '../sync/folder.js';

/** The folders of `templates` in the package. */
export const TEMPLATES: readonly string[] = ['astro', 'next'];
/** The files that Next's template shares with that of Astro, and where it has them. */
const SHARED: Readonly<Record<string, string>> = {
  'src/styles/site.css': 'app/site.css',
  'src/journal.ts': 'lib/journal.ts',
  'public/theme.js': 'public/theme.js',
  'public/favicon.svg': 'public/favicon.svg',
};

const require = createRequire(import.meta.url);

/**
 * Writes a template into a new or empty folder. Returns the paths of the files, relative to the folder and with slashes.
 * No file is ever replaced.
 * @throws {UsageError} if the folder is not empty.
 */
export async function writeTemplate(template: string, folder: string, name: string): Promise<string[]> {
  const source = join(dirname(require.resolve('multilocal/package.json')), 'templates', template);
  await prepareFolder(folder);
  try {
    // A new repository contains only `.git`.
    const others = (await readdir(folder)).filter((entry) => entry !== '.git');
    if (others.length > 0) throw notEmpty(folder);
    const entries = await readdir(source, { recursive: true, withFileTypes: true });
    const own = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const files = own.map((file) => [file, file.slice(source.length + 1)] as const);
    const shared = Object.entries(template === 'next' ? SHARED : {}).map(
      ([file, path]) => [join(source, '..', 'astro', file), path] as const,
    );
    return await Promise.all([...files, ...shared].map(([file, path]) => copy(file, path, folder, name)));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw folderError(folder, error as NodeJS.ErrnoException);
  }
}

/** Copies one file. Returns its path. */
async function copy(file: string, target: string, folder: string, name: string): Promise<string> {
  // npm does not pack files with the name `.gitignore`.
  const path = target.replace(/^_(?=gitignore$)/, '.');
  const content = await readFile(file, 'utf8');
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), path === 'package.json' ? named(content, name) : content, { flag: 'wx' });
  return path.replaceAll('\\', '/');
}

/** Returns the `package.json` with the name of the site and the version of multilocal that runs. */
function named(content: string, name: string): string {
  const { version } = require('multilocal/package.json') as { version: string };
  const { dependencies, ...rest } = JSON.parse(content) as { dependencies: Record<string, string> };
  const all = { ...rest, name, dependencies: { ...dependencies, multilocal: `^${version}` } };
  return `${JSON.stringify(all, null, 2)}\n`;
}

function notEmpty(folder: string): UsageError {
  return new UsageError(`The folder ${folder} is not empty. Nothing was written.`, 'Pass a new or an empty folder.');
}
