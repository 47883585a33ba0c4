// Builds the documentation site of the pages in docs/: the reference from the docstrings (docs/api), then every page
// (docs/site/.vitepress/dist). A link that leads nowhere and a public name without a docstring fail the build.
// `npm run docs` builds, `npm run docs -- dev` serves the pages and follows changes to them, `preview` serves the build.
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, createServer, serve } from 'vitepress';
import { deadLinks } from './links.js';
import { writeLlms } from './llms.js';
import { writeReference } from './reference/pages.js';

const app = dirname(fileURLToPath(import.meta.url));
const [command = 'build', folder = join(app, '.vitepress', 'dist')] = process.argv.slice(2);

if (command === 'build') {
  await writeReference({ isChecked: true });
  await build(app, { outDir: folder });
  // The build of the package has written it, and the reference links to it.
  await copyFile(join(app, '..', '..', 'dist', 'openapi.json'), join(folder, 'openapi.json'));
  await writeLlms(folder);
  const dead = deadLinks(folder);
  if (dead.length > 0) {
    console.error(`These links lead nowhere:\n${dead.join('\n')}`);
    process.exit(1);
  }
  console.log(`${folder} holds the site; look at it with: npm run docs -- preview`);
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
