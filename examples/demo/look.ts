import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Article } from 'multilocal';

const TEMPLATE = fileURLToPath(new URL('../../packages/sites/templates/astro', import.meta.url));
const FONTS = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/newsreader/package.json'));

/** Copies the style sheet, the icon and the fonts of the template that `npx multilocal init astro` writes. */
export async function copyLook(folder: string): Promise<void> {
  await cp(join(TEMPLATE, 'src', 'styles', 'site.css'), join(folder, 'site.css'));
  await cp(join(TEMPLATE, 'public', 'favicon.svg'), join(folder, 'favicon.svg'));
  await cp(FONTS, join(folder, 'fonts'), {
    recursive: true,
    filter: (path) => !/\.\w+$/.test(path) || /(opsz|wght-italic)\.css$|(opsz-normal|wght-italic)\.woff2$/.test(path),
  });
}

/** Copies the pictures of the mock, which ends with the demo, and returns the articles with the addresses of the copies. */
export async function copyPictures(articles: readonly Article[], folder: string): Promise<Article[]> {
  const pictures = new Map<string, string>();
  const text = JSON.stringify(articles).replaceAll(/http:\/\/127\.0\.0\.1:\d+[^"\\]*\/([\w.-]+)/g, (address, name) => {
    pictures.set(join(folder, 'pictures', name), address);
    return `pictures/${name}`;
  });
  await mkdir(join(folder, 'pictures'), { recursive: true });
  const copies = [...pictures].map(async ([file, address]) => {
    if (existsSync(file)) return;
    const response = await fetch(address);
    if (response.ok) await writeFile(file, Buffer.from(await response.arrayBuffer()));
  });
  await Promise.all(copies);
  return JSON.parse(text);
}
