// What each room may import. The field `paths` of tsconfig.json holds the doors: a package takes types from any entry, and values from the modules that it
// names one by one, as an entry would load all of it. scripts/knip.mjs takes the entries from here.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Names that packages take from inside the client, and the command from inside packages, types included. A name that a new one replaces makes room. */
const MOST_NAMES = { multilocal: 44, plans: 36, stores: 11, campaigns: 8 };
/** Where the command enters a package that has such doors. That of words loads nothing of the engine. */
const DOORS = { plans: ['@multilocal/plans/inside', '@multilocal/plans/words'] };
/**
 * Beginnings of what a room imports beside itself, `!` for what it leaves of it, `*` for any library. A file is of the room with the
 * longest beginning of its path. Only mini of zod ships, ky is of one file, and nothing that ships to browsers takes a Node built-in.
 */
const ROOMS = {
  'src/': ['zod/mini', 'type-fest'],
  'src/core/': ['zod/mini', 'type-fest'],
  'src/core/http.ts': ['src/core/', 'ky'],
  'src/stages/': ['src/core/', 'zod/mini'],
  'src/sync/': ['src/core/', 'src/stages/trace.ts', 'type-fest'],
  'src/resources/': ['src/core/', 'src/stages/', 'src/sync/', 'zod/mini', 'type-fest'],
  // A page carries no stage of Client: docs/decisions/0033-stages.md.
  'src/resources/articles-reads': [
    'src/core/',
    '!src/core/limiter/',
    'src/sync/',
    'src/resources/',
    'zod/mini',
    'type-fest',
  ],
  'src/page/': [
    'src/core/',
    '!src/core/limiter/',
    'src/resources/articles-reads',
    'src/resources/pages.ts',
    'zod/mini',
  ],
  'src/otel/': ['src/core/errors/', 'src/stages/trace', '@opentelemetry/api', 'node:async_hooks'],
  // A second implementation of the specification shares the error of wrong options, and its resources are not the client's.
  'packages/mock/src/': ['src/core/errors/', 'zod/mini', 'msw', 'uqr'],
  'packages/mock/src/server.ts': ['packages/mock/src/', 'node:'],
  'packages/mock/src/article-store-test.ts': ['packages/mock/src/', 'src/index.ts', 'type-fest'],
  'packages/stores/src/': ['src/', 'node:'],
  'packages/stores/src/sql/': ['src/', 'packages/stores/src/'],
  'packages/stores/src/redis/': ['src/', 'packages/stores/src/'],
  'packages/stores/src/limiter.ts': ['src/'],
  'packages/watch/src/': ['src/', 'packages/stores/src/', 'zod/mini'],
  'packages/sites/src/site/': ['src/', 'schema-dts'],
  'packages/sites/src/element/': [
    'src/index.ts',
    'src/core/config.ts',
    'src/core/errors/',
    'src/page/',
    'packages/sites/src/site/',
    'dompurify',
  ],
  'packages/sites/src/proxy/': ['src/', '!src/client.ts', 'zod/mini'],
  'packages/sites/src/astro/': [
    'src/',
    'packages/sites/src/',
    'packages/stores/src/',
    'zod/mini',
    'type-fest',
    'astro',
    'node:',
  ],
  'packages/plans/src/': ['src/', 'packages/stores/src/', 'zod/mini', 'node:'],
  'packages/campaigns/src/': ['src/', 'packages/plans/src/', 'zod/mini'],
  'packages/cli/src/': ['src/', 'packages/', '*', 'node:'],
};

const { paths } = ts.parseConfigFileTextToJson('', readFileSync(join(root, 'tsconfig.json'), 'utf8')).config
  .compilerOptions;
const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
const published = Object.entries(paths).filter(([path]) => /^multilocal(?!\/internal)/.test(path));

/** Each published entry: its workspace, and its file there. */
export const entries = published.map(([, [file]]) => {
  const owner = packages.find((folder) => file.startsWith(`./${folder}/`));
  return [owner ?? '.', file.slice(owner ? owner.length + 3 : 2)];
});
/** Entries of the client: too much to load for a value. */
const BARRELS = published.filter(([, [file]]) => file.startsWith('./src/')).map(([path]) => path);

/** @returns {{ faults: string[]; names: number }} */
export function borders() {
  const found = ['.', ...packages].flatMap((folder) =>
    sourcesIn(folder).flatMap((file) => importsOf(file).map((one) => ({ ...one, folder, file }))),
  );
  const faults = found.flatMap((one) => {
    const fault = faultOf(one);
    return fault ? [`${one.file}: '${one.path}' ${fault}`] : [];
  });
  const publicNames = publicNamesOf([...BARRELS, 'multilocal/limiter'].map((entry) => paths[entry][0]));
  const inner = found.filter(({ path }) => path.startsWith('multilocal/internal/'));
  const names = new Set(inner.flatMap((one) => one.names.map((name) => `${one.path} ${name}`)));
  const count = [...names].filter((name) => !publicNames.has(name.split(' ')[1])).length;
  if (count > MOST_NAMES.multilocal)
    faults.push(`Packages take ${count} internal names of the client, ${MOST_NAMES.multilocal} at most.`);
  return { faults: [...faults, ...doorFaults(found)], names: count };
}

/** What the command takes from inside the packages below it. */
function doorFaults(found) {
  const own = found.filter(({ file, path }) => file.startsWith('packages/cli/src/') && path.startsWith('@multilocal/'));
  return Object.entries(MOST_NAMES).flatMap(([name, most]) => {
    const all = own.filter(({ path }) => path.split('/')[1] === name);
    const { size } = new Set(all.flatMap((one) => one.names.map((each) => `${one.path} ${each}`)));
    const others = all.filter(({ path }) => DOORS[name] && !DOORS[name].includes(path));
    return [
      ...others.map(({ file, path }) => `${file}: '${path}' is no door: use ${DOORS[name].join(' or ')}`),
      ...(size > most ? [`packages/cli takes ${size} names from inside packages/${name}, ${most} at most.`] : []),
    ];
  });
}

function faultOf({ folder, file, path, isType }) {
  const isOwn = /^@?multilocal(\/|$)/.test(path);
  const near = posix.join(posix.dirname(file), path).replace(/\.js$/, '.ts');
  if (path.startsWith('.') && !near.startsWith(folder === '.' ? 'src/' : `${folder}/`)) return 'leaves the package';
  if (file.startsWith(`${folder}/test/`)) return false;
  if (isOwn && !Object.hasOwn(paths, path)) return 'is not among the `paths` of tsconfig.json';
  const target = path.startsWith('.') ? near : isOwn ? paths[path][0].slice(2) : path;
  const [room] = Object.keys(ROOMS)
    .filter((start) => file.startsWith(start))
    .sort((one, other) => other.length - one.length);
  const fits = (start) => target.startsWith(start) || (start === '*' && !/^(node:|src\/|packages\/)/.test(target));
  const row = ROOMS[room] ?? [];
  if (!target.startsWith(room) && (!row.some(fits) || row.some((one) => one[0] === '!' && fits(one.slice(1)))))
    return `is not for ${room ?? 'this file'}, which imports ${row.join(', ') || 'nothing'}`;
  if (folder !== '.' && BARRELS.includes(path) && !isType)
    return 'loads all of it: take the value from multilocal/internal/…';
  return false;
}

function sourcesIn(folder) {
  return (folder === '.' ? ['src'] : ['src', 'test']).flatMap((part) => {
    const files = readdirSync(join(root, folder, part), { recursive: true, encoding: 'utf8' });
    return files
      .map((name) => posix.join(folder, part, name.replaceAll('\\', '/')))
      .filter((name) => /\.m?ts$/.test(name) && !name.includes('/fixtures/') && !name.includes('/node_modules/'));
  });
}

/** Static imports and exports, and what `import('…')` names, with whether each is of types only. */
function importsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const module = node.moduleSpecifier ?? (ts.isImportTypeNode(node) ? node.argument.literal : undefined);
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && module) {
      const clause = node.importClause?.namedBindings ?? node.exportClause;
      const elements = clause?.elements ?? [];
      const isType = Boolean(node.isTypeOnly || node.importClause?.isTypeOnly);
      const names = elements.length > 0 ? elements.map((one) => (one.propertyName ?? one.name).text) : ['*'];
      found.push({ path: module.text, names, isType });
    } else if (ts.isImportTypeNode(node) && module) {
      found.push({ path: module.text, names: [], isType: true });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) found.push({ path: argument.text, names: [], isType: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The names that the entries of the client export. */
function publicNamesOf(files) {
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, noEmit: true, skipLibCheck: true, types: [] },
  );
  const checker = program.getTypeChecker();
  const symbols = files.flatMap((file) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(root, file)))),
  );
  return new Set(symbols.map(({ name }) => name));
}
