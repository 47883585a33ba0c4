import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { installed, MATRIX } from '../../scripts/matrix.mjs';
import { packed as published, released } from '../../scripts/release.mjs';
import { root, run } from '../examples/run.js';
import { compile, projectWithTarball } from './project.js';

let project: string;
const packed = inject('packed');
const files = packed.files.map(({ path }) => path);
beforeAll(async () => {
  project = await projectWithTarball();
  cpSync(join(root, 'test', 'package', 'fixtures'), project, { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(project, 'node_modules', 'multilocal', path), 'utf8');

describe('the packed tarball', () => {
  it('is small', () => {
    expect(packed.size).toBeLessThan(1_621_000);
    expect(packed.unpackedSize).toBeLessThan(5_600_000);
    // Guides are counted by their lines.
    expect(files.filter((path) => !path.startsWith('docs/guides/')).length).toBeLessThanOrEqual(250);
  });

  it('holds the build, the templates of `init`, the guides with their drawings, the skill and seven pages', () => {
    const others = files.filter((path) => !/^(dist|docs\/(guides|images))\//.test(path));
    const about = ['CHANGELOG.md', 'LICENSE', 'README.md', '.github/SECURITY.md'];
    const pages = [
      ...about,
      'docs/endpoints.md',
      'docs/glossary.md',
      'docs/reliability.md',
      'skills/multilocal/SKILL.md',
    ];
    expect(others.sort()).toEqual([...pages, 'package.json'].sort());
    expect(files).toContain('dist/openapi.json');
    expect(files).toContain('dist/plan.schema.json');
  });

  it('has every file that the skill and the guide for agents name', () => {
    const texts = ['skills/multilocal/SKILL.md', 'docs/guides/agents.md'].map(read);
    const named = texts.map((text) => [...text.matchAll(/node_modules\/multilocal[\w./-]*/g)].map(([path]) => path));
    for (const paths of named) expect(paths.length).toBeGreaterThan(1);
    expect(named.flat().filter((path) => !existsSync(join(project, path)))).toEqual([]);
  });

  it('brings no dependency along', () => {
    const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
    expect(Object.keys(packages).filter((name) => name !== '')).toEqual(['node_modules/multilocal']);
  });

  it('has the licence of everything that is compiled in', () => {
    const notices = read('dist/THIRD-PARTY-LICENSES.txt');
    // A package that joins them is named in SECURITY.md too.
    const names = [...notices.matchAll(/^-{80}\n\n(\S+) \d\S* \(/gm)].map(([, name]) => name);
    expect(names).toContain('zod');
    expect(names.filter((name) => !read('.github/SECURITY.md').includes(`\`${name}\``))).toEqual([]);
    expect(notices).toContain('Copyright (c) Sindre Sorhus');
  });

  it('has no import without a name, which bundlers warn about', () => {
    const code = files.filter((path) => /^dist\/[^b].*\.js$/.test(path));
    expect(code.filter((path) => /^import '/m.test(read(path)))).toEqual([]);
  });

  // Agents read these files offline, so what is published has whole addresses of files of the repository.
  it('has every file that its pages link to, and links to the repository for the rest', () => {
    const pages = files.filter((path) => path.endsWith('.md') && !path.startsWith('dist/'));
    const links = pages.flatMap((page) => {
      const text = published(page, released(read(page), 'someone/elsewhere'), 'someone/elsewhere');
      const targets = [...text.matchAll(/(?:\]\(|src(?:set)?="(?=docs|https))(?!#|mailto:)([^)#\s"]+)/g)];
      return targets.map(([, link = '']) => ({ page, link }));
    });
    const isLocal = ({ link }: { link: string }) => !/^https?:/.test(link);
    const isThere = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));
    const dead = links.filter((one) => isLocal(one) && !isThere(join(dirname(one.page), one.link)));
    expect(links.filter(isLocal).length).toBeGreaterThan(100);
    expect(dead).toEqual([]);

    const paths = links.flatMap(
      ({ link }) =>
        /^https:\/\/github\.com\/someone\/elsewhere\/(?:tree|blob|raw)\/main\/(.+)/.exec(link)?.slice(1) ?? [],
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('in an empty project', () => {
  it('works from an ES module', async () => {
    expect((await run('node', ['app.mjs'], { cwd: project })).output).toContain('esm works');
  });

  it('works from CommonJS, and its errors are known to the ES module beside it', async () => {
    expect((await run('node', ['app.cjs'], { cwd: project })).output).toContain('cjs works');
  });
});

/** The versions that SUPPORT.md names. */
const VERSIONS = Object.keys(MATRIX.typescript);
/** All check the types as Node resolves them. The first and the last that know another way find the same files by it. */
const VERSIONS_OF: Record<string, string[]> = { bundler: ['5.4.5', '7.0.2'], node10: ['5.4.5', '5.9.3'] };

it('takes `cache` and a `dispatcher` for `fetch` with the types of Node alone', async () => {
  const text =
    "import { Client } from 'multilocal';\nnew Client({ fetchOptions: { cache: 'no-store', dispatcher: {} } });\n";
  writeFileSync(join(project, 'node-types.ts'), text);
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules', '@types')], module: 'nodenext' };
  const compilerOptions = { ...types, noEmit: true, strict: true, skipLibCheck: true, lib: ['es2023'] };
  const compiled = await compile(join(project, 'node'), { compilerOptions, files: ['../node-types.ts'] });
  expect(compiled).toMatchObject({ code: 0, output: '' });
});

describe.each(VERSIONS)('TypeScript %s', (version) => {
  it.each(
    [
      // The types of `import` and of `require` in one program.
      ['node16', 'node16', 'app.mts', 'app.cts'],
      ['esnext', 'bundler', 'app.ts'],
      // `module: commonjs` of TypeScript 5 (ts-jest) reads `typesVersions` in place of `exports`. TypeScript 6 dropped it.
      ['commonjs', 'node10', 'app.ts'],
    ].filter(([, resolution = '']) => VERSIONS_OF[resolution]?.includes(version) ?? true),
  )('module %s, resolution %s', async (module = '', moduleResolution = '', ...files) => {
    const folder = join(project, version, moduleResolution);
    mkdirSync(folder, { recursive: true });
    for (const file of files) cpSync(join(project, 'app.ts'), join(folder, file));
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      // Our types are checked, those of the compiler itself are not.
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      // A type that no entry exports cannot be named in the declarations of a library, so emitting them fails.
      declaration: true,
      emitDeclarationOnly: true,
      outDir: 'out',
    };
    const compiler = join(await installed('typescript'), version);
    expect(await compile(folder, { compilerOptions, files }, compiler)).toMatchObject({ code: 0, output: '' });
  });
});
