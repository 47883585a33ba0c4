// Editors show the documentation of a name on hover. Every public name and every member of a public type has one.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url)).replaceAll('\\', '/');

/** The entries with types of their own: `schemas` has the schemas of the same types. */
const ENTRIES = ['index', 'articles', 'node', 'proxy/index', 'mock/index', 'mock/server'];

const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const entries = ENTRIES.map((name) => `${root}src/${name}.ts`);
const program = ts.createProgram(entries, options);
const checker = program.getTypeChecker();

it('every exported name and every member of an exported type is documented', () => {
  const undocumented = new Set<string>();
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile) as ts.Symbol;
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!isDocumented(symbol)) undocumented.add(symbol.name);
      for (const member of membersOf(symbol)) if (!isDocumented(member)) undocumented.add(place(symbol, member));
    }
  }
  expect([...undocumented]).toEqual([]);
});

/** The members of a class, an interface or the alternatives of a union, inherited ones included. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))) return [];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const types = type.isUnion() ? type.types : [type];
  const statics = symbol.flags & ts.SymbolFlags.Class ? checker.getTypeOfSymbol(symbol).getProperties() : [];
  return [...statics, ...types.flatMap((one) => one.getProperties())].filter(isOurs);
}

/** Members of mapped types have no declaration to document, and those of the language are not ours. */
function isOurs({ declarations = [], flags }: ts.Symbol): boolean {
  const isPrototype = Boolean(flags & ts.SymbolFlags.Prototype);
  return !isPrototype && declarations.some((node) => node.getSourceFile().fileName.startsWith(`${root}src/`));
}

function isDocumented(symbol: ts.Symbol): boolean {
  const isInternal = symbol.getJsDocTags(checker).some(({ name }) => name === 'internal');
  const isPrivate = symbol.declarations?.some((node) => ts.isPrivateIdentifier(nameOf(node)));
  return isInternal || isPrivate === true || symbol.getDocumentationComment(checker).length > 0;
}

function nameOf(node: ts.Declaration): ts.Node {
  return ts.getNameOfDeclaration(node) ?? node;
}

/** `articles-schema.ts: Article.title` */
function place(symbol: ts.Symbol, member: ts.Symbol): string {
  const file = member.declarations?.[0]?.getSourceFile().fileName.split('/').at(-1);
  return `${file}: ${symbol.name}.${member.name}`;
}
