// The public names of the package as the compiler knows them, each with the page of the reference that describes it.
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { endpointsOf } from '../../../src/resources/index.js';

export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** `qrCodes` is described on `qr-codes.html`. */
export const slugOf = (namespace: string) => namespace.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const NAMESPACES = Object.keys(endpointsOf);

/** The entries whose exports have sections. `multilocal/schemas` has a page of its own kind. */
const ENTRIES = {
  multilocal: 'index.ts',
  'multilocal/articles': 'articles.ts',
  'multilocal/astro': 'astro/index.ts',
  'multilocal/node': 'node.ts',
  'multilocal/otel': 'otel/index.ts',
  'multilocal/proxy': 'proxy/index.ts',
  'multilocal/redis': 'redis/index.ts',
  'multilocal/site': 'site/index.ts',
  'multilocal/sql': 'sql/index.ts',
  'multilocal/mock': 'mock/index.ts',
  'multilocal/mock/server': 'mock/server.ts',
};

/** A public name. */
export interface Name {
  name: string;
  /** The first entry that exports it. */
  entry: string;
  symbol: ts.Symbol;
  declaration: ts.Declaration;
  /** The page without its extension: `posts`. */
  page: string;
}

export class Source {
  readonly checker: ts.TypeChecker;
  /** Every public name, once. */
  readonly names = new Map<string, Name>();

  constructor() {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const files = Object.values(ENTRIES).map((file) => join(root, 'src', file));
    const program = ts.createProgram(files, options);
    this.checker = program.getTypeChecker();
    for (const [entry, file] of Object.entries(ENTRIES)) {
      const module = this.checker.getSymbolAtLocation(program.getSourceFile(join(root, 'src', file)) as ts.SourceFile);
      for (const exported of this.checker.getExportsOfModule(module as ts.Symbol)) this.#add(exported, entry);
    }
  }

  #add(exported: ts.Symbol, entry: string): void {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(exported) : exported;
    const [declaration] = symbol.declarations ?? [];
    if (!declaration || this.names.has(exported.name)) return;
    this.names.set(exported.name, {
      name: exported.name,
      entry,
      symbol,
      declaration,
      page: pageOf(declaration.getSourceFile().fileName),
    });
  }

  /** @throws if the package exports no such name. */
  name(name: string): Name {
    const found = this.names.get(name);
    if (!found) throw new Error(`The package exports no ${name}`);
    return found;
  }

  /** The public name of a type, if it has one. */
  nameOf(type: ts.Type): Name | undefined {
    const symbol = type.aliasSymbol ?? type.symbol;
    return [...this.names.values()].find((name) => name.symbol === symbol);
  }

  /** The documentation of a symbol as Markdown. */
  doc(symbol: ts.Symbol): string {
    return plainLinks(ts.displayPartsToString(symbol.getDocumentationComment(this.checker)));
  }
}

/** `{@link Post}` reads as `` `Post` ``, and pages link what stands in backticks and has a section. */
export function plainLinks(text: string): string {
  return text.replace(/\{@link ([\w.]+)\}/g, '`$1`');
}

/** The page of a source file: its namespace, or the page of its folder. */
function pageOf(fileName: string): string {
  const path = relative(join(root, 'src'), fileName).split(sep).join('/');
  const [folder] = path.split('/');
  if (folder === 'resources') {
    const stem = basename(path, '.ts');
    return NAMESPACES.map(slugOf).find((slug) => stem === slug || stem.startsWith(`${slug}-`)) ?? 'client';
  }
  if (path.startsWith('core/errors/')) return 'errors';
  const pages: Record<string, string> = {
    astro: 'astro',
    sync: 'articles',
    mock: 'mock',
    otel: 'otel',
    proxy: 'proxy',
    redis: 'redis',
    site: 'site',
    sql: 'sql',
    'node.ts': 'node',
    page: 'articles-client',
  };
  return pages[folder ?? ''] ?? 'client';
}
