// The borders between the client and the packages. No relative path leaves its package, and none imports one above it. A package takes types from any entry, and
// values from the modules that `paths` of tsconfig.json names one by one: an entry as a source of values would load all of it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Names that packages take from inside the client, and the command from inside packages, types included. A name that a new one replaces makes room. */
const MOST_NAMES = { multilocal: 44, plans: 35, stores: 11, campaigns: 8 };
/** Where the command enters a package that has such doors. That of words loads nothing of the engine. */
const DOORS = { plans: ['@multilocal/plans/inside', '@multilocal/plans/words'] };
/** Each package may import those before it. */
const ORDER = ['mock', 'stores', 'watch', 'sites', 'plans', 'campaigns', 'cli'];
/** Entries of the client: too much to load for a value. */
const BARRELS = ['multilocal', 'multilocal/articles', 'multilocal/schemas', 'multilocal/otel'];

/** @returns {{ faults: string[]; names: number }} */
export function borders() {
  const { paths } = ts.parseConfigFileTextToJson('', readFileSync(join(root, 'tsconfig.json'), 'utf8')).config
    .compilerOptions;
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  const found = packages.flatMap((folder) =>
    sourcesIn(folder).flatMap((file) => importsOf(file).map((one) => ({ ...one, folder, file }))),
  );
  const faults = found.flatMap(({ folder, file, path, names, isType }) => {
    const fault = faultOf({ folder, file, path, names, isType, paths });
    return fault ? [`${file}: '${path}' ${fault}`] : [];
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

function faultOf({ folder, file, path, isType, paths }) {
  if (path.startsWith('.'))
    return relative(join(root, folder), resolve(root, dirname(file), path)).startsWith('..') && 'leaves the package';
  if (!/^@?multilocal(\/|$)/.test(path)) return false;
  const isTest = file.startsWith(`${folder}/test/`);
  if (isTest) return false;
  if (!Object.hasOwn(paths, path)) return 'is not among the `paths` of tsconfig.json';
  const [from, to] = [folder, paths[path][0]].map((one) => ORDER.indexOf(/packages\/(\w+)/.exec(one)?.[1]));
  if (to > from) return `is of packages/${ORDER[to]}, which is above this package`;
  // The web component is one file with everything inside.
  if (BARRELS.includes(path) && !isType && !file.includes('/element/'))
    return 'loads all of it: take the value from multilocal/internal/…';
  return false;
}

function sourcesIn(folder) {
  return ['src', 'test'].flatMap((part) => {
    const files = readdirSync(join(root, folder, part), { recursive: true, encoding: 'utf8' });
    return files
      .map((name) => `${folder}/${part}/${name}`.replaceAll('\\', '/'))
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
