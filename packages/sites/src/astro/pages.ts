import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder, ignoring, replaceFile } from '@multilocal/stores/files';
import { ConfigurationError } from 'multilocal/internal/errors';
import * as z from 'zod/mini';

/** The file in Astro's cache folder with the pages of the last build, and the one with the confirmed pages. */
export const PAGES_FILE = 'multilocal-pages.json';
export const CONFIRMED_FILE = 'multilocal-confirmed.json';

/**
 * The page of an article, in one version. `content` is a hash of what the page shows: a confirmation may change `updated_at`,
 * but never the content. `account` is a hash of the key and the address that the article comes from.
 */
const pageSchema = z.object({
  id: z.number(),
  updated_at: z.string(),
  content: z.string(),
  url: z.string(),
  account: z.string(),
});

export type Page = z.infer<typeof pageSchema>;

/** Returns the pages by article and address. Collections may have an article in common, and articles an address. */
export function byKey(pages: readonly Page[] = []): Map<string, Page> {
  return new Map(pages.map((page) => [keyOf(page), page]));
}

export function keyOf({ id, url }: Page): string {
  return `${id} ${url}`;
}

const recordSchema = z.object({ version: z.literal(1), pages: z.array(pageSchema) });

/**
 * Reads the pages in a file of ours. `undefined` if it is missing.
 * @throws {ConfigurationError} if the file is damaged.
 */
export async function readPages(file: string): Promise<Page[] | undefined> {
  const text = await readFile(file, 'utf8').catch(ignoring('ENOENT'));
  if (text === undefined) return undefined;
  try {
    return recordSchema.parse(JSON.parse(text)).pages;
  } catch {
    throw new ConfigurationError(`${file} is damaged, or another program wrote it. Delete it and build again.`);
  }
}

/** Replaces the file atomically. */
export async function writePages(file: string, pages: readonly Page[]): Promise<void> {
  await createFolder(dirname(file));
  await replaceFile(file, `${JSON.stringify({ version: 1, pages })}\n`);
}
