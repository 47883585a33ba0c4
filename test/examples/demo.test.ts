import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answer } from '../../examples/demo/chapters/answer.js';
import { bars, measure, sparkline } from '../../examples/demo/chapters/measure.js';
import { plan } from '../../examples/demo/chapters/plan.js';
import { report } from '../../examples/demo/chapters/report.js';
import { openDemo } from '../../examples/demo/demo.js';
import { html, pageNames } from '../../examples/demo/pages.js';
import type { Screen } from '../../examples/demo/screen.js';

// The demo imports the package as users do: `dist` must be there. `npm run build` writes it.
const TIMEOUT = 60_000;

let out: string;
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'multilocal-demo-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

interface Run {
  code: number | null;
  output: string;
}

interface RunOptions {
  args?: string[];
  env?: Record<string, string>;
  /** Press Ctrl-C as soon as this is printed. */
  interruptAt?: string;
}

/** `npm run demo` without its build and without a terminal. */
function runDemo({ args = [], env = {}, interruptAt }: RunOptions = {}): Promise<Run> {
  const { MULTILOCAL_API_KEY: _key, MULTILOCAL_BASE_URL: _url, ...rest } = process.env;
  const command = ['--import', 'tsx', 'examples/demo/main.ts', '--out', out, ...args];
  // Colours are asked for, and must not come all the same.
  const child = spawn(process.execPath, command, {
    env: { ...rest, FORCE_COLOR: '1', TSX_TSCONFIG_PATH: 'examples/tsconfig.json', ...env },
  });
  return new Promise((resolve, reject) => {
    let output = '';
    let interrupted = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (!interrupted && interruptAt !== undefined && output.includes(interruptAt)) {
          interrupted = child.kill('SIGINT');
        }
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

const pageFolder = (site: string) => join(out, site, 'public', 'articles');

describe('against its own mock', () => {
  it('tells the whole story in plain lines', { timeout: TIMEOUT }, async () => {
    const { code, output } = await runDemo();
    expect(output).toContain('speaks for');
    expect(code).toBe(0);
    expect(output.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);

    const changes = [...output.matchAll(/^ {4}(changed|offline|deleted) {4}(.+)$/gm)];
    expect(changes.map(([, kind]) => kind).sort()).toEqual(['changed', 'deleted', 'offline']);
    expect(output).toContain('would_publish: true');
    expect(output).toContain('still a draft');
    expect(output).toMatch(/left +\d+ of 100000 today/);
    expect(output).toMatch(/takes \d+ % of them/);

    expect(output).toContain('Lyon      facebook, gmb, linkedin\n');
    expect(output).toContain('not on linkedin: no account is connected');
    expect(output).toMatch(/^ +not on facebook: .+ must be connected again$/m);
    expect(output.match(/^ {2}post \d+ {2}[a-z, ]+$/gm)).toHaveLength(3);
    expect(output.match(/^ {2}(facebook|gmb|linkedin) +out since \d+ \w+ \d{4}, 09:00$/gm)).toHaveLength(3);
    const counters = [...output.matchAll(/^ {2}(?:before|after) +(\d+) unanswered, (\d+) answered/gm)];
    const [before, after] = counters.map(([, ...counts]) => counts.map(Number)) as [number[], number[]];
    expect(after).toEqual([(before[0] ?? 0) - 1, (before[1] ?? 0) + 1]);
    expect(output).toMatch(/^ {2}by day +[▁-█]{30}$/m);
    expect(output).toMatch(/^ {2}directions +\d+ {2}█{24}$/m);
    expect(output).toMatch(/^ {2}Made within (60|90|120) s by the clock of the mock$/m);
    expect(output).toMatch(/^ {2}period +\d{4}-\d\d$/m);
    expect(output).toMatch(/^ {2}file +\S+report\.pdf$/m);
    expect(await readFile(join(out, 'mock', 'content', 'report.pdf'), 'latin1')).toMatch(/^%PDF-/);
    expect(output).toMatch(/^ +4 {2}posts\.create$/m);

    const files = await readdir(pageFolder('mock'));
    expect(output).toContain(`${files.length + 2} pages and the index`);
    expect(output).toContain(`${files.length + 2} pages confirmed, 0 known already`);
    const index = await readFile(join(out, 'mock', 'public', 'index.html'), 'utf8');
    for (const file of files) expect(index).toContain(`href="articles/${file}"`);
    for (const [, kind, title] of changes) {
      const shown = index.includes(html`>${title ?? ''}<`.text);
      expect(shown, `${kind} ${title}`).toBe(kind === 'changed');
    }

    const pages = await Promise.all(files.map((file) => readFile(join(pageFolder('mock'), file), 'utf8')));
    for (const page of pages) {
      expect(page).toMatch(/<html lang="fr">/);
      expect(page).toMatch(/<title>[^<]+<\/title>/);
      expect(page).toMatch(/<meta name="description" content="[^"<]+">/);
      expect(page).not.toMatch(/<script|onclick/i);
    }
    // The edited article's title, description and text hold what means something in HTML.
    const edited = pages.find((page) => page.includes('Relu et corrigé.'));
    expect(edited).toMatch(/<title>.+ &#60;relu &#38; corrigé&#62;<\/title>/);
    expect(edited).toContain('content="Relu par &#34;Augustine&#34; &#38; corrigé : &#60;moins&#62; de sucre."');
    expect(edited).not.toContain('track(');
  });

  it('ends with 130 after Ctrl-C', { timeout: TIMEOUT }, async () => {
    const { code, output } = await runDemo({ interruptAt: 'pages confirmed:' });
    expect(output).toContain('Stopped.');
    expect(output).not.toContain('5/11');
    expect(code).toBe(130);
  });
});

describe('against a service', () => {
  let server: MockServer;
  let env: Record<string, string>;
  let site: string;
  beforeEach(async () => {
    // The default budget, which GET /me shows, would make the client wait for minutes.
    server = await startMockServer({ rateLimit: { perMinute: 6_000, perDay: 100_000 } });
    env = { MULTILOCAL_API_KEY: server.api.keys.sphere, MULTILOCAL_BASE_URL: server.url };
    site = `${new URL(server.url).host.replace(':', '-')}-${server.api.ids.sphere}`;
    return () => server.close();
  });
  const live = ['--confirm', '--site-url', 'https://fournils.example/journal'];

  it('explains a wrong key without showing it', { timeout: TIMEOUT }, async () => {
    const { code, output } = await runDemo({ env: { ...env, MULTILOCAL_API_KEY: 'a-wrong-but-secret-key' } });
    expect(code).toBe(1);
    expect(output).toContain('authentication: ');
    expect(output).toContain('Check MULTILOCAL_API_KEY');
    expect(output).not.toContain('a-wrong-but-secret-key');
  });

  it.each([
    ['sphere', 5],
    ['bulle', 5],
    ['readOnly', 6],
  ] as const)(
    'changes and confirms nothing without being told to, with the %s key',
    { timeout: TIMEOUT },
    async (name, left) => {
      const before = server.api.snapshot();
      const { code, output } = await runDemo({ env: { ...env, MULTILOCAL_API_KEY: server.api.keys[name] } });
      expect(output).toMatch(/^ {2}by day +[▁-█]{30}$/m);
      expect(code).toBe(0);
      expect(output.match(/Left out: /g)).toHaveLength(left);
      expect(output).not.toContain(server.api.keys[name]);
      expect(server.api.snapshot()).toEqual(before);
      const writes = server.api.requests.filter(({ method }) => method !== 'GET');
      expect(writes.every(({ body }) => (body as { dry_run?: unknown }).dry_run === true)).toBe(true);
      const rehearsed = ['articles.publish', 'posts.create', 'reviews.reply', 'reports.create'];
      expect(writes.map(({ operation }) => operation)).toEqual(name === 'readOnly' ? [] : rehearsed);
    },
  );

  it('deletes a post that the service creates in spite of the dry run', { timeout: TIMEOUT }, async () => {
    const { id } = server.api.posts.add({ scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
    const created = { id, content: '', platforms: ['facebook'], status: 'scheduled' };
    server.api.fail({ operation: 'posts.create', status: 201, body: created });
    const { code, output } = await runDemo({ env });
    expect(code).toBe(1);
    expect(output).toContain(`The service has created post ${id} in spite of the dry run`);
    expect(output).toContain('dry_run_not_honored: ');
    expect(() => server.api.posts.get(id)).toThrow(RangeError);
  });

  it('fetches and confirms only what changed since the last run', { timeout: TIMEOUT }, async () => {
    expect((await runDemo({ env, args: live })).code).toBe(0);
    const [article] = server.api.articles.all().filter(({ status }) => status === 'published');
    if (!article) throw new Error('no article');
    const { id, slug } = article;
    const rendered_url = `https://fournils.example/journal/articles/${slug}.html`;
    expect(server.api.articles.confirmation(id)).toMatchObject({ rendered_url });
    const pages = await readdir(pageFolder(site));

    server.api.articles.touch(id);
    const { code, output } = await runDemo({ env, args: live });
    expect(code).toBe(0);
    expect(output).toContain('1 stored, 0 removed, 1 request\n');
    expect(output).toContain(`1 page confirmed, ${pages.length - 1} known already`);
  });

  it('fails when a confirmation fails, and keeps those before it', { timeout: TIMEOUT }, async () => {
    const remove = server.api.fail({ operation: 'articles.confirm', path: '/articles/100/confirm', status: 404 });
    const { code, output } = await runDemo({ env, args: live });
    expect(code).toBe(1);
    expect(output).toContain('not_found: ');
    remove();
    const confirmed = JSON.parse(await readFile(join(out, site, 'content', 'confirmed.json'), 'utf8'));
    const received = server.api.requests.filter(
      ({ operation, status }) => operation === 'articles.confirm' && status === 200,
    );
    expect(Object.keys(confirmed)).toHaveLength(received.length);
  });
});

describe('the chapters that look after the locations', () => {
  it('write three posts, one answer and one report, and nothing else', { timeout: TIMEOUT }, async () => {
    const server = await startMockServer({ rateLimit: { perMinute: 6_000, perDay: 100_000 } });
    const { api, url: baseUrl } = server;
    onTestFinished(() => server.close());
    const lines: string[] = [];
    const service = { apiKey: api.keys.sphere, baseUrl, mock: api, close: server.close };
    const options = { help: false, confirm: false, siteUrl: 'https://www.example.com/', out };
    const demo = await openDemo(service, options, recordingScreen(lines), new AbortController().signal);
    const state = () => {
      const { posts: _posts, reviews: _reviews, reports: _reports, jobs: _jobs, ...rest } = api.snapshot();
      const reviews = demo.identity.gmb_fiches.flatMap(({ id }) => api.reviews.all(id));
      return { posts: api.posts.all(), reviews, reports: api.reports.all(), rest };
    };

    const before = state();
    for (const chapter of [plan, answer, measure, report]) await chapter.tell(demo);
    const after = state();

    const known = new Set(before.posts.map(({ id }) => id));
    const posts = after.posts.filter(({ id }) => !known.has(id));
    expect(after.posts).toHaveLength(before.posts.length + 3);
    expect(new Set(posts.map(({ bulle_id }) => bulle_id)).size).toBe(3);
    expect(posts.map(({ status, platforms }) => [status, ...platforms])).toEqual([
      ['published', 'facebook', 'gmb', 'linkedin'],
      ['published', 'facebook', 'gmb'],
      ['published', 'gmb', 'linkedin'],
    ]);
    for (const { id } of posts) expect(lines.join('\n')).toContain(`post ${id}`);

    const answered = after.reviews.filter((review, index) => !isDeepStrictEqual(review, before.reviews[index]));
    expect(answered).toMatchObject([{ responded: true, response_text: expect.any(String) }]);
    expect(after.reports.slice(1)).toEqual(before.reports);
    expect(after.reports[0]?.report_name).toMatch(/^Demo [0-9a-f]{8}$/);
    expect(lines).toContainEqual(`report: ${after.reports[0]?.report_name}`);
    expect(after.rest).toEqual(before.rest);

    const writes = api.requests.filter(({ method, body }) => method !== 'GET' && !Object(body).dry_run);
    expect(writes.map(({ operation }) => operation)).toEqual([
      ...Array(3).fill('posts.create'),
      'reviews.reply',
      'reports.create',
    ]);
    expect(writes[0]?.body).toMatchObject({ scheduled_at: expect.stringMatching(/T09:00:00[+-]\d\d:\d\d$/) });
  });

  function recordingScreen(lines: string[]): Screen {
    const say = (text: string, details: readonly string[] = []) => void lines.push(text, ...details);
    return {
      open: say,
      chapter: say,
      say,
      skip: say,
      close: say,
      table: (rows) => void lines.push(...rows.map(([name, value]) => `${name}: ${value}`)),
      fail: (failures) => void lines.push(...failures),
      bar: () => ({ update() {}, done: say }),
      pause() {},
    };
  }
});

describe('charts', () => {
  it('go from the least to the most', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
    expect(sparkline([5, 5])).toBe('▁▁');
    expect(sparkline([])).toBe('');
  });

  it('draw bars to an eighth of a character', () => {
    expect(
      bars(
        [
          ['a', 16],
          ['b', 3],
          ['c', 0],
        ],
        2,
      ),
    ).toEqual([
      ['a', '16  ██'],
      ['b', ' 3  ▍'],
      ['c', ' 0'],
    ]);
    expect(bars([['a', 0]], 2)).toEqual([['a', '0']]);
  });
});

it.each([
  [['--nonsense'], '--nonsense'],
  [['--confirm'], '--confirm needs --site-url'],
  [['--site-url', 'ftp://example.com'], '--site-url must be'],
])('refuses %j', { timeout: TIMEOUT }, async (args, message) => {
  const { code, output } = await runDemo({ args });
  expect(code).toBe(1);
  expect(output).toContain(message);
});

describe('pages', () => {
  it('are named by slugs that are fit for it and not taken', () => {
    const article = { title: '', status: 'published', created_at: '', updated_at: '' };
    const slugs = ['pain', '../pain', 'Pain', null, ''];
    const names = pageNames(slugs.map((slug, index) => ({ ...article, id: index + 1, slug })));
    expect([...names.values()]).toEqual(['pain', 'article-2', 'article-3', 'article-4', 'article-5']);
  });
});
