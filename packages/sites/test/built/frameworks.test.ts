// The files of the guide in a SvelteKit and a Nuxt of npm: built without a key, started with one, and looked at in a browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installed } from '@multilocal/scripts/matrix';
import { environmentOf, root, run } from '@multilocal/test/examples/run';
import { installTarball } from '@multilocal/test/package/project';
import { usePages } from '@multilocal/test/support/pages';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Kit {
  readonly packages: 'nuxt' | 'svelteKit';
  /** What an app has of its own. */
  readonly files: Record<string, string>;
  /** Where the components of the guide go, which are blocks without a path, in their order. */
  readonly components: readonly [language: string, ...paths: string[]];
  readonly build: readonly [path: string, ...args: string[]];
  readonly server: string;
}

const KITS: Record<string, Kit> = {
  SvelteKit: {
    packages: 'svelteKit',
    files: {
      'svelte.config.js':
        "import adapter from '@sveltejs/adapter-node';\nexport default { kit: { adapter: adapter() } };\n",
      'vite.config.js': "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };\n",
      'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte':
        '<script>let { data } = $props();</script>{#each data.articles as { slug, title } (slug)}<a href="/{slug}">{title}</a>{/each}',
      // The component of the guide is for apps without a server.
      'src/routes/component/+page.ts': 'export const ssr = false;',
    },
    components: ['svelte', 'src/routes/component/+page.svelte'],
    build: ['vite/bin/vite.js', 'build'],
    server: 'build',
  },
  Nuxt: {
    packages: 'nuxt',
    files: {
      'nuxt.config.ts':
        "export default { telemetry: false, compatibilityDate: '2026-01-01', routeRules: { '/component': { ssr: false } } };\n",
      'app/app.vue': '<template><NuxtPage /></template>\n',
      'app/pages/journal/[slug].vue': '<template><p>article</p></template>\n',
    },
    components: ['vue', 'app/pages/component.vue', 'app/pages/index.vue'],
    build: ['nuxt/bin/nuxt.mjs', 'build'],
    server: '.output/server/index.mjs',
  },
};

let service: MockServer;
const left: string[] = [];

beforeAll(async () => {
  service = await startMockServer();
});

afterAll(async () => {
  await service?.close();
  for (const path of left) await rm(path, { recursive: true, force: true });
});

describe.each(Object.entries(KITS))('%s', (_name, kit) => {
  const pageOf = usePages();
  let folder: string;
  let server: ChildProcess | undefined;
  let built: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    const packages = await installed(kit.packages);
    // Where Node and Vite find them.
    folder = await mkdtemp(join(dirname(packages), 'kit-'));
    left.push(folder);
    const guide = await readFile(join(root, 'docs', 'guides', 'vue-svelte-nuxt.md'), 'utf8');
    const [language, ...paths] = kit.components;
    const components = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
    expect(components).toHaveLength(paths.length);
    const modules = [...guide.matchAll(/^```ts.*\n\/\/ ((?:src|server)\/routes\/\S+)\n([\s\S]*?)^```$/gm)];
    const isOurs = (path = '') => path.startsWith('server/') === (language === 'vue');
    const files = {
      'package.json': '{ "private": true, "type": "module" }',
      ...kit.files,
      ...Object.fromEntries(modules.flatMap(([, path, code]) => (isOurs(path) ? [[path, code]] : []))),
      ...Object.fromEntries(components.map(([, code], index) => [paths[index], code])),
    };
    for (const [path, text] of Object.entries<string>(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await installTarball(folder);
    const [command, ...args] = kit.build;
    const env = { NODE_ENV: 'production', NUXT_TELEMETRY_DISABLED: '1' };
    built = await run(process.execPath, [join(packages, command), ...args], { cwd: folder, env });
  });

  afterAll(() => server?.kill());

  it('builds without a key, and shows pages, components and categories with one', async () => {
    expect(built.code, built.output).toBe(0);
    const env = { ...process.env, ...environmentOf(service, service.api.keys.readOnly), HOST: '127.0.0.1', PORT: '0' };
    const started = spawn(process.execPath, [kit.server], { cwd: folder, env });
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
    const response = await fetch(url);
    const html = await response.text();
    expect(response.status, html).toBe(200);
    expect(html.match(/<a href/g)).toHaveLength(6);
    expect(html).not.toContain(service.api.keys.readOnly);
    const categories = await fetch(`${url}/content/api/v2/categories`);
    expect(await categories.json()).toContainEqual({ category: expect.any(String), count: expect.any(Number) });
    const page = await pageOf();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().slice(url.length)));
    await page.goto(url, { waitUntil: 'networkidle' });
    // The page carries what its server has read.
    expect(asked.filter((path) => path.startsWith('/content'))).toEqual([]);
    await page.goto(`${url}/component`);
    await page.locator('li a').nth(5).waitFor();
    expect(await page.locator('li a').count()).toBe(6);
  });
});
