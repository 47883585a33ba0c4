// The files of the guide in a SvelteKit of npm: built without a key, started with one.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { environmentOf, installed, root, run } from '@multilocal/test/examples/run';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pack } from './project.js';

const KIT = {
  '@sveltejs/kit': '2.70.4',
  '@sveltejs/adapter-node': '5.5.7',
  '@sveltejs/vite-plugin-svelte': '6.2.3',
  svelte: '5.57.3',
  vite: '7.3.8',
};
const FILES = {
  'package.json': '{ "private": true, "type": "module" }',
  'svelte.config.js':
    "import adapter from '@sveltejs/adapter-node';\nexport default { kit: { adapter: adapter() } };\n",
  'vite.config.js': "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };\n",
  'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
  'src/routes/+page.svelte':
    '<script>let { data } = $props();</script>{#each data.articles as { slug, title } (slug)}<a href="/{slug}">{title}</a>{/each}',
};

let folder: string;
let packed: string;
let service: MockServer;
let server: ChildProcess | undefined;
let built: Awaited<ReturnType<typeof run>>;

beforeAll(async () => {
  const cached = await installed(KIT);
  folder = await mkdtemp(join(cached, 'kit-'));
  const guide = await readFile(join(root, 'docs', 'guides', 'vue-svelte-nuxt.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```ts.*\n\/\/ (src\/routes\/\S+)\n([\s\S]*?)^```$/gm)];
  const [, component = ''] = /^```svelte\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  const ofGuide = Object.fromEntries(blocks.map(([, path = '', code = '']) => [path, code]));
  expect(Object.keys(ofGuide)).toHaveLength(2);
  // The component of the guide is for apps without a server.
  const files = { ...FILES, ...ofGuide, 'src/routes/component/+page.svelte': component };
  Object.assign(files, { 'src/routes/component/+page.ts': 'export const ssr = false;' });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { folder: packedIn, tarball } = await pack();
  packed = packedIn;
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const installedHere = await run('npm', ['install', ...quiet, tarball], { cwd: folder });
  expect(installedHere.code, installedHere.output).toBe(0);
  service = await startMockServer();
  const vite = join(cached, 'node_modules', 'vite', 'bin', 'vite.js');
  built = await run(process.execPath, [vite, 'build'], { cwd: folder, env: { NODE_ENV: 'production' } });
});

afterAll(async () => {
  server?.kill();
  await service?.close();
  for (const path of [folder, packed]) if (path) await rm(path, { recursive: true, force: true });
});

it('builds without a key, and answers pages, articles and categories with one', async () => {
  expect(built.code, built.output).toBe(0);
  const env = { ...process.env, ...environmentOf(service, service.api.keys.readOnly), HOST: '127.0.0.1', PORT: '0' };
  const started = spawn(process.execPath, ['build'], { cwd: folder, env });
  server = started;
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [found] = /http:\/\/[\d.]+:\d+/.exec(output) ?? [];
        if (found) resolve(found);
      });
    }
    started.on('close', () => reject(new Error(output)));
  });
  const page = await fetch(url);
  const html = await page.text();
  expect(page.status, html).toBe(200);
  expect(html.match(/<a href/g)).toHaveLength(6);
  // What the page gets instead of a second request of its own.
  expect(html).toContain('content/api/v2/articles?order=newest');
  expect((await fetch(`${url}/component`)).status).toBe(200);
  const categories = await fetch(`${url}/content/api/v2/categories`);
  expect(await categories.json()).toContainEqual({ category: expect.any(String), count: expect.any(Number) });
  expect(html).not.toContain(service.api.keys.readOnly);
});
