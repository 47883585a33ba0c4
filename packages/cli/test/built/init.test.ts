// `multilocal init`: what it writes, and where it writes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { run, start, startMock, temporaryFolder } from './support.js';

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
      'card.ts content.ts examples.ts journal.ts jsonld.ts listings.mjs places.ts sanitize.ts words.ts'
        .split(' ')
        .map((name) => [`lib/${name}`, `astro/src/${name}`]),
    ),
    ...Object.fromEntries(
      ['embed.js', 'favicon.svg', 'theme.js'].map((name) => [`public/${name}`, `astro/public/${name}`]),
    ),
  },
};

const packageIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

describe('init', () => {
  it.each([
    ['-rf', './-rf'],
    ['~root', './~root'],
    ['-a b', '"./-a b"'],
  ])('%s as a folder is no option of `cd`', async (folder, shown) => {
    const { stdout } = await run(['init', 'astro', '--', folder], { cwd: temporaryFolder() });
    expect(JSON.parse(stdout).next[0]).toBe(`cd ${shown}`);
  });

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

  it('takes an empty folder, and one with only a repository', async () => {
    const cwd = temporaryFolder();
    expect((await run(['init', 'astro', '.'], { cwd })).code).toBe(0);
    const other = temporaryFolder();
    mkdirSync(join(other, '.git'));
    const { stdout, code } = await run(['init', 'astro', other]);
    expect([code, JSON.parse(stdout).next]).toEqual([0, [`cd ${other}`, 'npm install', 'npm run dev']]);
    expect(existsSync(join(other, 'package.json'))).toBe(true);
  });

  it('prints no command that a shell would take for more than a folder', async () => {
    const cwd = temporaryFolder();
    const { stdout } = await run(['init', 'astro', "$(touch x) `y` it's", '--json'], { cwd });
    const [cd] = JSON.parse(stdout).next;
    expect(cd).toBe("cd '$(touch x) `y` it'\\''s'");
    expect(execFileSync('sh', ['-c', `${cd} && pwd`], { cwd, encoding: 'utf8' }).trim()).toMatch(
      /\$\(touch x\) `y` it's$/,
    );
    expect(readdirSync(cwd)).toHaveLength(1);
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
      // What is typed before the question is no answer.
      await setTimeout(300);
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
    await setTimeout(300);
    stopped.interrupt();
    const { code: interrupted, stdout } = await stopped.result;
    expect([interrupted, existsSync(join(cwd, 'x'))]).toEqual([130, false]);
    expect(stdout).toContain('Nothing was written.');
    expect((await run(['init', 'astro', 'y', '--yes'], { cwd, tty: true })).code).toBe(0);
  });

  it('prints one document with --json', async () => {
    const cwd = temporaryFolder();
    const { stdout, stderr, code } = await run(['init', 'astro', '.', '--json'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const { files, ...rest } = JSON.parse(stdout);
    const next = ['npm install', 'npm run dev'];
    const name = packageIn(cwd).name;
    expect(rest).toEqual({ template: 'astro', folder: '.', name, next });
    expect(name).toMatch(/^multilocal-[a-z0-9-]+$/);
    expect(files.sort()).toEqual(filesIn(cwd));
  });

  it('calls a site `site` if the folder has no letter for npm', async () => {
    const cwd = temporaryFolder();
    await run(['init', 'astro', '面包'], { cwd });
    expect(packageIn(join(cwd, '面包')).name).toBe('site');
  });
});

describe('nothing is written', () => {
  it.each([
    ['README.md', 'a file'],
    ['.env', 'a hidden file'],
    ['_gitignore', 'a file of the template'],
  ])('into a folder with %s, %s', async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), 'mine');
    const { stdout, code } = await run(['init', 'astro', folder]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'usage',
      message: `The folder ${folder} is not empty. Nothing was written.`,
    });
    expect(filesIn(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
  });

  it('where a file has the name of the folder', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'site'), 'mine');
    const { stdout, code } = await run(['init', 'astro', 'site'], { cwd: folder });
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'folder']);
    expect(readFileSync(join(folder, 'site'), 'utf8')).toBe('mine');
  });

  it.each([
    [['init'], '`init` needs <template>.'],
    [['init', 'astro'], '`init` needs <folder>.'],
    [['init', 'astro', 'one', 'two'], '`init` takes only <template> <folder>; received 3.'],
    [['init', 'astro', 'one', '--accent', 'blue'], '`--accent`: expected a colour, such as #1d4ed8.'],
    [['init', 'astor', 'one'], '`astor` is not a template. Did you mean `astro`?'],
    [['init', 'nextjs-site', 'one'], '`nextjs-site` is not a template.'],
    [['init', 'a key? no!', 'one'], 'This is not a template.'],
  ])('for %j', async (args, message) => {
    const cwd = temporaryFolder();
    const { stdout, code } = await run(args, { cwd });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toBe(message);
    expect(filesIn(cwd)).toEqual([]);
  });
});
