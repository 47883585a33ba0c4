// Builds the documentation site of the pages in docs/: the reference from the docstrings (docs/api), then every page
// (apps/docs/.vitepress/dist).
// `npm run docs` builds, `npm run docs -- dev` serves the pages and follows changes to them, `preview` serves the build.
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, type TypeDocOptions } from 'typedoc';
import { build, createServer, serve } from 'vitepress';

const app = dirname(fileURLToPath(import.meta.url));
const docs = join(app, '..', '..', 'docs');
const [command = 'build'] = process.argv.slice(2);

if (command === 'build') {
  await writeReference();
  await build(app);
  // docs/endpoints.md links to it, and VitePress copies only pages.
  copyFileSync(join(docs, 'openapi.json'), join(app, '.vitepress', 'dist', 'openapi.json'));
  console.log('apps/docs/.vitepress/dist holds the site; look at it with: npm run docs -- preview');
} else if (command === 'dev') {
  await writeReference();
  const server = await createServer(app);
  await server.listen();
  server.printUrls();
} else if (command === 'preview') {
  await serve({ root: app });
} else {
  console.error(`Not a command: ${command}. There are build, dev and preview.`);
  process.exit(1);
}

/** docs/api: a page for each thing that the entries export. */
async function writeReference(): Promise<void> {
  const typedoc = await Application.bootstrapWithPlugins({ options: join(app, 'typedoc.json') } as TypeDocOptions);
  const project = await typedoc.convert();
  if (!project) process.exit(1);
  // Entries are called as users import them, not as their files are.
  for (const entry of project.children ?? []) {
    entry.name = entry.name === 'index' ? 'multilocal' : `multilocal/${entry.name}`;
  }
  await typedoc.generateOutputs(project);
  if (typedoc.logger.hasErrors()) process.exit(1);
}
