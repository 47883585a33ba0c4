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

function pack(folder: string, ...args: string[]): PackReport {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const report = JSON.parse(packed) as Record<string, PackReport> | PackReport[];
  return (Object.values(report) as [PackReport])[0];
}

// What a user does: an empty project, and nothing in it but the package as it would be published.
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'multilocal-package-'));
  writeFileSync(join(project, 'package.json'), '{"name":"consumer","private":true}');
  const { filename, files: listed } = pack(root, '--pack-destination', project);
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
    const generated = ['docs/endpoints.md', 'docs/openapi.json', 'docs/plan.schema.json', 'apps/bench/RESULTS.md'];
    const pages = [
      'docs/reliability.md',
      'docs/images/many-processes.svg',
      ...['dark', 'light', 'phone'].map((name) => `docs/images/start-a-site-${name}.webp`),
      'docs/images/trace.svg',
      'templates/rehearse.yml',
      ...generated,
      ...guides,
    ];
    const notices = ['LICENSE', 'THIRD-PARTY-LICENSES.txt', 'SECURITY.md', 'SUPPORT.md', 'CHANGELOG.md', 'README.md'];
    const known = ['package.json', ...notices, ...pages];
    expect(files.filter((path) => !/^(dist|examples|templates\/astro)\//.test(path)).sort()).toEqual(known.sort());
  });

  it('holds no import without a name, which bundlers warn about', () => {
    const entries = files.filter((path) =>
      /^dist\/(mock\/)?(index|server|articles|astro|node|proxy|redis|site|sql|otel)\.js$/.test(path),
    );
    expect(entries).toHaveLength(11);
    for (const path of entries) expect(readFileSync(join(root, path), 'utf8'), path).not.toMatch(/^import '/m);
  });

  it('holds the examples to copy', () => {
    const projects = files.filter((path) => /^examples\/[^/]+\/package\.json$/.test(path)).map((path) => dirname(path));
    expect(projects.sort()).toEqual([
      'examples/fleet',
      'examples/hono-reviews',
      'examples/next-site',
      'examples/node-script',
      'examples/worker-proxy',
    ]);
  });

  it('holds nothing that running an example left behind, keys least of all', () => {
    const clone = join(project, 'clone');
    cpSync(join(root, 'package.json'), join(clone, 'package.json'));
    const written = files.filter((path) => path.startsWith('examples/'));
    for (const path of [...written, 'examples/.npmignore']) cpSync(join(root, path), join(clone, path));
    const left = [
      ...['.env', '.env.local', '.dev.vars', '.tool-versions', '.astro/types.d.ts', '.wrangler/state'],
      ...['node_modules/x/index.js', 'dist/index.html', 'content/articles/1.json', 'coverage/a.json'],
      ...['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'npm-shrinkwrap.json'],
      ...['articles.db', 'articles.db-wal', 'articles.sqlite', 'npm-debug.log', 'sync.log', 'multilocal-0.1.0.tgz'],
    ];
    for (const example of new Set(written.map((path) => path.split('/')[1]).filter((name) => name !== 'README.md'))) {
      for (const path of left) {
        const file = join(clone, 'examples', example ?? '', path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, 'MULTILOCAL_API_KEY=k');
      }
    }
    const packed = pack(clone, '--dry-run').files.map(({ path }) => path);
    expect(packed.filter((path) => path.startsWith('examples/')).sort()).toEqual(written.sort());
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
