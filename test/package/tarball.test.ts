import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
let project: string;
let files: string[];

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

// What a user does: an empty project, and nothing in it but the package as it would be published.
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'multilocal-package-'));
  writeFileSync(join(project, 'package.json'), '{"name":"consumer","private":true}');
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const report = JSON.parse(packed) as Record<string, PackReport> | PackReport[];
  const [{ filename, files: listed }] = Object.values(report) as [PackReport];
  files = listed.map(({ path }) => path);
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', join(project, filename));
  cpSync(join(root, 'test', 'package', 'fixtures'), project, { recursive: true });
}, 120_000);

interface PackReport {
  filename: string;
  files: { path: string }[];
}

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the packed tarball, installed in an empty project', () => {
  it('brings no dependency along', () => {
    const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { peer?: boolean }>;
    };
    expect(Object.keys(packages).filter((name) => name !== '')).toEqual(['node_modules/multilocal']);
  });

  it('holds the built files, the licences and the documents, and nothing else', () => {
    const guides = readdirSync(join(root, 'docs', 'guides')).map((name) => `docs/guides/${name}`);
    const pages = ['docs/endpoints.md', 'docs/reliability.md', 'bench/RESULTS.md', ...guides];
    const known = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'SUPPORT.md', 'package.json', ...pages];
    expect(files.filter((path) => !/^(dist|examples)\//.test(path)).sort()).toEqual(known.sort());
  });

  it('holds the examples to copy, without what running them left', () => {
    const examples = files.filter((path) => path.startsWith('examples/'));
    const projects = examples.filter((path) => path.endsWith('/package.json')).map((path) => path.split('/')[1]);
    expect(projects.sort()).toEqual([
      'astro-site',
      'ci-dry-run-gate',
      'hono-reviews',
      'node-script',
      'sqlite-store',
      'worker-proxy',
    ]);
    expect(examples.filter((path) => /node_modules|dist|lock|content|\/\.|\.db|\.tgz/.test(path))).toEqual([]);
  });

  it('has what its pages link to, but for what they say is in the repository', () => {
    const links = files
      .filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
      .flatMap((page) => {
        const [here = ''] = readFileSync(join(project, 'node_modules', 'multilocal', page), 'utf8').split(
          'In the repository:',
        );
        const targets = [...here.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, path = '']) => path);
        return targets.map((target) => [page, posix.join(dirname(page), target)] as const);
      });
    expect(links.length).toBeGreaterThan(50);
    const dead = links.filter(([, path]) => !files.some((file) => file === path || file.startsWith(`${path}/`)));
    expect(dead).toEqual([]);
  });

  it('works from an ES module', () => {
    expect(run('node', 'app.mjs')).toContain('esm works');
  });

  it('works from CommonJS, and its errors are known to the ES module beside it', () => {
    expect(run('node', 'app.cjs')).toContain('cjs works');
  });

  it.each([
    ['node16', 'module'],
    ['node16', 'commonjs'],
    ['bundler', 'module'],
  ])('type-checks with module resolution %s in a %s project, without skipLibCheck', (resolution, type) => {
    const folder = join(project, `${resolution}-${type}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
    cpSync(join(project, 'app.ts'), join(folder, 'app.ts'));
    const module = resolution === 'bundler' ? 'esnext' : 'node16';
    const compilerOptions = {
      module,
      moduleResolution: resolution,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
    expect(run('node', tsc, '-p', folder)).toBe('');
  });
});
