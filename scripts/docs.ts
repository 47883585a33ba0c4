// Builds the documentation site: the reference from the docstrings (docs/api), then every page (docs/.vitepress/dist).
// `npm run docs` builds, `npm run docs -- dev` serves the pages and follows changes to them, `preview` serves the build.
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, type TypeDocOptions } from 'typedoc';
import { build, createServer, serve } from 'vitepress';

const docs = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs');
const [command = 'build'] = process.argv.slice(2);

if (command === 'build') {
  await writeReference();
  await build(docs);
  // docs/endpoints.md links to it, and VitePress copies pages alone.
  copyFileSync(join(docs, 'openapi.json'), join(docs, '.vitepress', 'dist', 'openapi.json'));
  console.log('docs/.vitepress/dist holds the site; look at it with: npm run docs -- preview');
} else if (command === 'dev') {
  await writeReference();
  const server = await createServer(docs);
  await server.listen();
  server.printUrls();
} else if (command === 'preview') {
  await serve({ root: docs });
} else {
  console.error(`Not a command: ${command}. There are build, dev and preview.`);
  process.exit(1);
}

/** docs/api: a page for each thing that the entries export. */
async function writeReference(): Promise<void> {
  const app = await Application.bootstrapWithPlugins({} as TypeDocOptions);
  const project = await app.convert();
  if (!project) process.exit(1);
  // Entries are called as users import them, not as their files are.
  for (const entry of project.children ?? []) {
    entry.name = entry.name === 'index' ? 'multilocal' : `multilocal/${entry.name}`;
  }
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) process.exit(1);
}
