import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createFolder } from '@multilocal/stores/files';
import { UsageError } from '../failure.js';
import { folderError, prepareFolder } from '../sync/folder.js';
import { type Brand, branded } from './brand.js';

/** The folders of `dist/templates` in the package, and what each one is. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  astro: 'a static site, for every host of files',
  next: 'a site that a server updates, with Next.js',
};

/** What both sites do with articles, whatever makes their pages. */
const LIBRARY =
  'card.ts content.ts examples.ts hours.ts journal.ts jsonld.ts listings.mjs places.ts redirects.ts sanitize.ts shops.ts words.ts';

/** The design exists once. These files of a site are taken from another template, by their path there. */
const SHARED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  next: {
    'app/site.css': 'astro/src/styles/site.css',
    ...sameNames('lib', 'astro/src', LIBRARY),
    ...sameNames('public', 'astro/public', 'embed.js favicon.svg open-now.js theme.js'),
  },
};

function sameNames(to: string, from: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [`${to}/${name}`, `${from}/${name}`]));
}

const require = createRequire(import.meta.url);

/**
 * Writes a template into a new or empty folder. Returns the paths of the files, relative to the folder and with slashes.
 * No file is ever replaced.
 * @throws {UsageError} if the folder is not empty.
 */
export async function writeTemplate(template: string, folder: string, name: string, brand: Brand): Promise<string[]> {
  await prepareFolder(folder);
  try {
    // A new repository contains only `.git`.
    const others = (await readdir(folder)).filter((entry) => entry !== '.git');
    if (others.length > 0) {
      const message = `The folder ${folder} is not empty. Nothing was written.`;
      throw new UsageError(message, 'Pass a new or an empty folder.');
    }
    const files = await filesOf(template);
    // Every file of a template is text.
    for (const [path, source] of files) {
      const text = await readFile(source, 'utf8');
      const target = join(folder, path);
      await createFolder(dirname(target));
      const own = path === 'package.json' ? named(text, name) : branded(path, text, brand);
      await writeFile(target, own, { flag: 'wx' });
    }
    return [...files.keys()];
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw folderError(folder, error as NodeJS.ErrnoException);
  }
}

/** Returns the files of a site by their paths, with where each one is in the package. */
async function filesOf(template: string): Promise<Map<string, string>> {
  const templates = join(dirname(require.resolve('multilocal/package.json')), 'dist', 'templates');
  const files = new Map<string, string>();
  for (const entry of await readdir(join(templates, template), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const path = source.slice(join(templates, template).length + 1).replaceAll('\\', '/');
    // npm does not pack files with the name `.gitignore`.
    files.set(path.replace(/^_(?=gitignore$)/, '.'), source);
  }
  for (const [path, source] of Object.entries(SHARED[template] ?? {})) files.set(path, join(templates, source));
  return files;
}

/** Returns the `package.json` with the name of the site and the version of multilocal that runs. */
function named(content: string, name: string): string {
  const { version } = require('multilocal/package.json') as { version: string };
  const { dependencies, ...rest } = JSON.parse(content) as { dependencies: Record<string, string> };
  const all = { ...rest, name, dependencies: { ...dependencies, multilocal: `^${version}` } };
  return `${JSON.stringify(all, null, 2)}\n`;
}
