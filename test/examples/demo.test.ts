import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userEnvironment } from './run.js';

// The demo imports the package as users do: `dist` must be there. `npm run build` writes it.

let out: string;
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'multilocal-demo-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

interface RunOptions {
  args?: string[];
  env?: Record<string, string>;
  /** Press Ctrl-C as soon as this is printed. */
  interruptAt?: string;
}

/** `npm run demo` without its build and without a terminal. */
function runDemo({ args = [], env = {}, interruptAt }: RunOptions = {}) {
  const command = ['--import', 'tsx', 'examples/demo/main.ts', '--out', out, ...args];
  // Colours are asked for, and must not come all the same.
  const child = spawn(process.execPath, command, {
    env: { ...userEnvironment(), FORCE_COLOR: '1', TSX_TSCONFIG_PATH: 'examples/tsconfig.json', ...env },
  });
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    let output = '';
    let isInterrupted = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (!isInterrupted && interruptAt !== undefined && output.includes(interruptAt)) {
          isInterrupted = child.kill('SIGINT');
        }
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

const pageFolder = (site: string) => join(out, site, 'public', 'articles');

describe('against its own mock', () => {
  it('runs all chapters in plain lines', async () => {
    const { code, output } = await runDemo();
    expect(code, output).toBe(0);
    expect(output.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(output).toContain(`The site: ${pathToFileURL(join(out, 'mock', 'public', 'index.html')).href}\n`);
    expect(output).toContain('The second sync: 1 changed, 1 offline, 1 deleted\n');
    expect(output).toContain('2 pages removed, 1 confirmed again');
    expect(output).toContain('would_publish: true');
    expect(output).toContain('not on linkedin: no account is connected');
    expect(output.match(/^ {2}(facebook|gmb|linkedin) +published$/gm)).toHaveLength(3);
    expect(output).toMatch(/^ {2}by day +[▁-█]{30}$/m);
    const [before = 0, after = 0] = [...output.matchAll(/(\d+) without a reply/g)].map(([, count]) => Number(count));
    expect(after).toBe(before - 1);
    expect(await readFile(join(out, 'mock', 'content', 'report.pdf'), 'latin1')).toMatch(/^%PDF-/);

    const files = await readdir(pageFolder('mock'));
    expect(output).toContain(`${files.length + 2} pages and the index`);
    const index = await readFile(join(out, 'mock', 'public', 'index.html'), 'utf8');
    expect(files.filter((file) => !index.includes(`href="articles/${file}"`))).toEqual([]);
    const pages = await Promise.all(files.map((file) => readFile(join(pageFolder('mock'), file), 'utf8')));
    expect(pages.filter((page) => /<script|onclick|track\(/i.test(page))).toEqual([]);
    const edited = pages.find((page) => page.includes('Relu.'));
    expect(edited).toContain('<h1>Relu &#60;&#38; corrigé&#62;</h1>');
  });

  it('ends with 130 after Ctrl-C', async () => {
    const { code, output } = await runDemo({ interruptAt: '4/10' });
    expect(output).toContain('Stopped.');
    expect(output).not.toContain('6/10');
    expect(code).toBe(130);
  });
});

describe('against a service', () => {
  let server: MockServer;
  let env: Record<string, string>;
  beforeEach(async () => {
    // The default limits, which GET /me shows, would make the client wait for minutes.
    server = await startMockServer({ rateLimit: { perMinute: 6_000, perDay: 100_000 } });
    env = { MULTILOCAL_API_KEY: server.api.keys.sphere, MULTILOCAL_BASE_URL: server.url };
    return () => server.close();
  });

  it('explains a wrong key without showing it', async () => {
    const { code, output } = await runDemo({ env: { ...env, MULTILOCAL_API_KEY: 'a-wrong-but-secret-key' } });
    expect(code).toBe(1);
    expect(output).toContain('authentication: ');
    expect(output).not.toContain('a-wrong-but-secret-key');
  });

  it.each(['sphere', 'bulle', 'readOnly'] as const)('only previews with the %s key', async (name) => {
    const before = server.api.snapshot();
    const { code, output } = await runDemo({ env: { ...env, MULTILOCAL_API_KEY: server.api.keys[name] } });
    expect(code, output).toBe(0);
    expect(output).not.toContain(server.api.keys[name]);
    expect(server.api.snapshot()).toEqual(before);
    const writes = server.api.requests.filter(({ method }) => method !== 'GET');
    expect(writes.every(({ body }) => (body as { dry_run?: unknown }).dry_run === true)).toBe(true);
    const previewed = ['articles.publish', 'posts.create', 'reviews.reply', 'reports.create'];
    expect(writes.map(({ operation }) => operation)).toEqual(name === 'readOnly' ? [] : previewed);
  });

  it('deletes a post that the service creates in spite of the dry run', async () => {
    const { id } = server.api.posts.add({ scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
    const created = { id, content: '', platforms: ['facebook'], status: 'scheduled' };
    server.api.fail({ operation: 'posts.create', status: 201, body: created });
    const { code, output } = await runDemo({ env });
    expect(code).toBe(1);
    expect(output).toContain('dry_run_not_honored: ');
    expect(() => server.api.posts.get(id)).toThrow('the mock has no post');
  });

  it('confirms with --site-url, and then only what changed', async () => {
    const args = ['--site-url', 'https://fournils.example/journal/'];
    expect((await runDemo({ env, args })).code).toBe(0);
    const [article] = server.api.articles.all().filter(({ status }) => status === 'published');
    const { id = 0, slug } = article ?? {};
    const rendered_url = `https://fournils.example/journal/articles/${slug}.html`;
    expect(server.api.articles.confirmation(id)).toMatchObject({ rendered_url });

    server.api.articles.touch(id);
    const { code, output } = await runDemo({ env, args });
    expect(code).toBe(0);
    expect(output).toContain('1 stored, 0 removed, 1 request\n');
    expect(output).toContain('1 page confirmed\n');
  });
});
