// What a user gets or gives has a name that can be imported: a public type that no entry exports is found here.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Types that no entry exports, on purpose: nobody holds a value of them alone. */
const INTERNAL: Readonly<Record<string, string>> = {
  Namespaces: 'what Client extends',
  endpointsOf: 'what DryRunClient is made from',
  EndpointOf: 'what DryRunClient is made from',
  Kept: 'part of DryRunClient',
  Marked: 'what SphereClient extends',
  OfSphere: 'what SphereClient extends',
  SPHERE: 'the mark of OfSphere',
  MarkOf: 'what methods of a SphereClient depend on',
  NeedsBulle: 'what methods of a SphereClient depend on',
  BulleArgs: 'what methods of a SphereClient depend on',
  Endpoint: 'what DryRunClient is made from',
  DryRunNamespaces: 'part of DryRunClient',
  DryRunOf: 'part of DryRunClient',
  DryRunMember: 'part of DryRunClient',
  Composed: 'part of DryRunClient',
  Preview: 'part of DryRunClient',
  PreviewParams: 'part of DryRunClient',
  Change: 'what SyncEvent is made from',
  Store: 'what ArticleStore extends',
  SyncArticle: 'what SyncEvent and ArticleStore are made from',
  PLATFORMS: 'the names that PlatformName is made of',
  ArticleCreateFields: 'part of ArticleCreateParams',
  SiteChoice: 'part of ArticleCreateParams',
  WixSiteChoice: 'part of ArticleCreateParams',
  PostFields: 'part of PostCreateParams',
  PostText: 'part of PostCreateParams',
  ContactFields: 'what EmailContact and SmsContact share',
  ReportFields: 'what FicheReportParams and CombinedReportParams share',
  SiteFields: 'what WordPressSite, WixSite and OtherSite share',
  WordPressFields: 'part of WordPressSite and OtherSite',
  WixFields: 'part of WixSite and OtherSite',
  Params: 'shorthand for the query of a Route',
  OnPlatform: 'the fields of MockPost that come once for each platform',
  OPERATIONS: 'the names that MockOperation is made of',
};

const dist = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist');

it('every type that the public surface names is exported, or internal on purpose', () => {
  const forgotten = findForgotten();
  for (const [name, by] of forgotten) {
    expect(
      INTERNAL,
      `${name}, which ${by} names: export it from src/index.ts, or say why not in this file`,
    ).toHaveProperty(name);
  }
  expect(Object.keys(INTERNAL).sort(), 'remove from INTERNAL what is exported now, or gone').toEqual(
    [...forgotten.keys()].sort(),
  );
});

it('no docstring has a link where editors look for the type of a throw, and show a torn one', () => {
  const torn = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .filter((name) => readFileSync(join(dist, name), 'utf8').includes('@throws {'));
  expect(torn, 'write: @throws a {@link XError} when …').toEqual([]);
});

/** The types of the package that no entry exports, each with the first exported name that leads to it. */
function findForgotten(): Map<string, string> {
  // The entries are the declarations whose names hold no hash; `npm run build` writes them.
  const entries = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    // Those of `schemas` name the types of the others, in copies of their own.
    .filter((name) => /^(?!schemas)[a-z/]+\.d\.ts$/.test(name.replaceAll('\\', '/')))
    .map((name) => join(dist, name));
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  });
  const checker = program.getTypeChecker();
  const original = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exported = new Map<ts.Symbol, string>();
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile) as ts.Symbol;
    for (const symbol of checker.getExportsOfModule(module)) exported.set(original(symbol), symbol.name);
  }

  const forgotten = new Map<ts.Symbol, string>();
  const follow = (symbol: ts.Symbol, by: string) => {
    for (const declaration of symbol.declarations ?? []) visit(declaration, by);
  };
  const visit = (node: ts.Node, by: string): void => {
    const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const symbol = named && original(named);
    if (symbol && isOurs(symbol) && !exported.has(symbol) && !forgotten.has(symbol)) {
      forgotten.set(symbol, by);
      follow(symbol, by);
    }
    ts.forEachChild(node, (child) => visit(child, by));
  };
  for (const [symbol, name] of exported) follow(symbol, name);
  return new Map([...forgotten].map(([symbol, by]) => [symbol.name, by]));
}

/** Declared at the top of one of our files: no member, parameter or type parameter. */
function isOurs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => {
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    if (statement.parent === undefined || !ts.isSourceFile(statement.parent)) return false;
    const { fileName } = statement.getSourceFile();
    return fileName.startsWith(dist.replaceAll('\\', '/')) && !fileName.endsWith('/type-fest.d.ts');
  });
}
