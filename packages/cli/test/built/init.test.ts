// `multilocal init`: what it writes, and where it writes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusals, run, start, startMock, temporaryFolder } from './support.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const TEMPLATES = 'packages/sites/templates';

/** Every file below a folder, with slashes. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

/** What a site has that its template takes from another one. */
const SHARED: Record<string, Record<string, string>> = {
  astro: {},
  next: {
    'app/site.css': 'astro/src/styles/site.css',
    ...Object.fromEntries(
      'card.ts content.ts examples.ts hours.ts journal.ts jsonld.ts listings.mjs places.ts redirects.ts sanitize.ts shops.ts words.ts'
        .split(' ')
        .map((name) => [`lib/${name}`, `astro/src/${name}`]),
    ),
    ...Object.fromEntries(
      ['embed.js', 'favicon.svg', 'open-now.js', 'theme.js'].map((name) => [`public/${name}`, `astro/public/${name}`]),
    ),
  },
};

const packageIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

describe('init', () => {
  it.each(Object.entries(SHARED))('writes %s into a new folder and says what comes next', async (template, shared) => {
    const cwd = temporaryFolder();
    const { stdout, stderr, code } = await run(['init', template, 'sites/Journal d’Été', '--no-json'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const folder = join(cwd, 'sites/Journal d’Été');
    const files = filesIn(folder);
    const source = join(TEMPLATES, template);
    const own = filesIn(source).map((path) => path.replace('_gitignore', '.gitignore'));
    expect(files).toEqual([...own, ...Object.keys(shared)].sort());
    expect(stdout.split('\n')).toEqual([
      `Wrote ${files.length} files to sites/Journal d’Été. Next (README.md has the rest):`,
      '  cd "sites/Journal d’Été"',
      '  npm install',
      '  npm run dev',
      '',
    ]);
    expect(packageIn(folder)).toEqual({
      ...packageIn(source),
      name: 'journal-d-ete',
      dependencies: { ...packageIn(source).dependencies, multilocal: `^${version}` },
    });
    for (const path of files.filter((one) => !['package.json', '.gitignore'].includes(one))) {
      const template = shared[path] ? join(TEMPLATES, shared[path]) : join(source, path);
      expect(readFileSync(join(folder, path)), path).toEqual(readFileSync(template));
    }
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toMatch(/^\.env\*?$/m);
  });

  it('takes an empty folder, and one with only a repository, and prints one document', async () => {
    const [cwd, other] = [temporaryFolder(), temporaryFolder()];
    const { stdout, stderr, code } = await run(['init', 'astro', '.', '--json'], { cwd });
    const { files, ...rest } = JSON.parse(stdout);
    const { name } = packageIn(cwd);
    expect([code, stderr, rest]).toEqual([
      0,
      '',
      { template: 'astro', folder: '.', name, next: ['npm install', 'npm run dev'] },
    ]);
    expect(name).toMatch(/^multilocal-[a-z0-9-]+$/);
    expect(files.sort()).toEqual(filesIn(cwd));
    mkdirSync(join(other, '.git'));
    const second = await run(['init', 'astro', other]);
    expect([second.code, JSON.parse(second.stdout).next[0]]).toEqual([0, `cd ${other}`]);
    // No letter for npm.
    await run(['init', 'astro', '面包'], { cwd: other });
    expect([packageIn(other).name, packageIn(join(other, '面包')).name]).toEqual([expect.anything(), 'site']);
  });

  it.each([
    ['-rf', './-rf'],
    ['~root', './~root'],
    ['-a b', '"./-a b"'],
    ["$(touch x) `y` it's", "'$(touch x) `y` it'\\''s'"],
  ])('%s is no more than a folder for a shell', async (folder, shown) => {
    const cwd = temporaryFolder();
    const { stdout } = await run(['init', 'astro', '--', folder], { cwd });
    const [cd] = JSON.parse(stdout).next;
    expect(cd).toBe(`cd ${shown}`);
    const { name } = packageIn(execFileSync('sh', ['-c', `${cd} && pwd`], { cwd, encoding: 'utf8' }).trim());
    expect([name, readdirSync(cwd)]).toEqual([JSON.parse(stdout).name, [folder]]);
  });

  it('takes the name of the brand from the key, and does without', async () => {
    const cwd = temporaryFolder();
    const { api, env } = await startMock();
    const nameIn = (folder: string) =>
      /publisher: (.+),/.exec(readFileSync(join(cwd, folder, 'src/site.ts'), 'utf8'))?.[1];
    expect((await run(['init', 'astro', 'a'], { cwd, env })).code).toBe(0);
    expect(nameIn('a')).toBe("'Les Fournils d\\'Augustine'");
    expect(api.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/\/me$/)]);
    api.fail({ operation: 'me', status: 500 });
    const { code, stderr } = await run(['init', 'astro', 'b'], { cwd, env });
    expect([code, nameIn('b')]).toEqual([0, "'Les Fournils d’Augustine'"]);
    expect(stderr).toContain('The name of the brand could not be read');
    expect(stderr).not.toContain(env.MULTILOCAL_API_KEY);
  });

  it('asks on a terminal for what no flag says', async () => {
    const cwd = temporaryFolder();
    const { shows, child, result } = start(['init', '--lang', 'en', '--accent', '#1d4ed8'], { cwd, tty: true });
    const answer = async (question: string, keys: string) => {
      await shows(question);
      child.stdin?.write(keys);
    };
    await answer('Template', '\u001b[B\r');
    await answer('Folder', '\r');
    await answer('Name of the brand', 'Le Four\r');
    await answer('Address of the site', '\r');
    const { code } = await result;
    expect(code).toBe(0);
    const site = readFileSync(join(cwd, 'journal/lib/site.ts'), 'utf8');
    expect(site).toContain("publisher: 'Le Four'");
    expect(site).toContain("url: 'https://www.example.com/'");
    expect(site).toContain("language: 'en'");
    expect(readFileSync(join(cwd, 'journal/app/site.css'), 'utf8')).toContain('#1d4ed8');
    const stopped = start(['init', 'astro', 'x'], { cwd, tty: true });
    await stopped.shows('Name of the brand');
    stopped.interrupt();
    const { code: interrupted, stdout } = await stopped.result;
    expect([interrupted, existsSync(join(cwd, 'x'))]).toEqual([130, false]);
    expect(stdout).toContain('Nothing was written.');
    expect((await run(['init', 'astro', 'y', '--yes'], { cwd, tty: true })).code).toBe(0);
  });
});

it('writes nothing into a folder that is not empty, over a file, or for wrong words', async () => {
  const cwd = temporaryFolder();
  // Also a hidden file, and one of the template.
  const names = ['README.md', '.env', '_gitignore'];
  for (const name of names) {
    mkdirSync(join(cwd, `of-${name}`));
    writeFileSync(join(cwd, `of-${name}`, name), 'mine');
  }
  writeFileSync(join(cwd, 'site'), 'mine');
  const before = filesIn(cwd);
  const words = [
    ...names.map((name) => `astro of-${name}`),
    'astro site',
    '',
    'astro',
    'astro one two',
    'astro one --accent blue',
    'astor one',
    'nextjs-site one',
    "'a key? no!' one",
  ];
  await expect(await refusals(words.map((one) => [`init ${one}`, { cwd }]))).toMatchFileSnapshot(
    'snapshots/refused-init.txt',
  );
  expect(filesIn(cwd)).toEqual(before);
  for (const path of before) expect(readFileSync(join(cwd, path), 'utf8')).toBe('mine');
});
