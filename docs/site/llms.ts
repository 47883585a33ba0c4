// Writes llms.txt, the list of pages for language models: https://llmstxt.org. The pages are copied as Markdown.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packed } from '../../scripts/release.mjs';
import config, { guides, source } from './.vitepress/config.js';

const docs = join(import.meta.dirname, '..');
const repository = new URL(source).pathname.slice(1);
/** Pages for people only: they are made of components. */
const COMPONENTS = ['/api/', '/playground'];

/** Writes llms.txt and the pages that it lists into a folder. */
export async function writeLlms(folder: string): Promise<void> {
  const sections = guides.map(async ({ text, items = [] }) => {
    const links = items.flatMap(({ link = '' }) => (COMPONENTS.includes(link) ? [] : [`${link.slice(1)}.md`]));
    const rows = await Promise.all(links.map((path) => copyPage(path, folder)));
    return `## ${text}\n\n${rows.join('\n')}\n`;
  });
  const head = `# ${config.title}\n\n> ${config.description}\n\n${REMARK}\n`;
  await writeFile(join(folder, 'llms.txt'), [head, ...(await Promise.all(sections))].join('\n'));
}

const REMARK = `The package contains the guides: after \`npm install multilocal\`, prefer those in \`node_modules/multilocal/docs\`, which describe the
installed version. [openapi.json](openapi.json) is the OpenAPI document of the service.`;

/** Copies a page. Returns its row. */
async function copyPage(path: string, folder: string): Promise<string> {
  const text = await readFile(join(docs, path), 'utf8');
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), packed(`docs/${path}`, text, repository));
  return rowOf(path, text);
}

function rowOf(path: string, text: string): string {
  const [, title, paragraph] = /^# (.+)\n\n(?!```|[#|!>-])([\s\S]+?)\n\n/.exec(text) ?? [];
  if (title === undefined || paragraph === undefined)
    throw new Error(`${path} must begin with a title and a sentence.`);
  const plain = paragraph
    .replaceAll('\n', ' ')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '');
  const [sentence] = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(plain);
  return `- [${title}](${path}): ${sentence?.segment.trim().replace(/:$/, '.')}`;
}
