import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the sources say of a method: its first sentence and what follows, without the tags. */
export interface MethodDoc {
  summary: string;
  description: string;
}

/** The docstrings of the package, read through the compiler. */
export interface Docstrings {
  method(operation: string): MethodDoc;
  /** The docs of each field of a public interface, none for a type that is not there. */
  fields(typeName: string): Record<string, string>;
}

export function readDocstrings(): Docstrings {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const entry = join(root, 'src', 'index.ts');
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry) as ts.SourceFile;
  const exported = new Map(
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol)
      .map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]),
  );
  const client = checker.getDeclaredTypeOfSymbol(exported.get('Client') as ts.Symbol);
  const text = (parts: ts.SymbolDisplayPart[]) => ts.displayPartsToString(parts).replace(/\{@link (\w+)\}/g, '`$1`');

  return {
    method(operation) {
      let type = client;
      let property: ts.Symbol | undefined;
      for (const name of operation.split('.')) {
        property = type.getProperty(name);
        if (!property) throw new Error(`${operation} is no method of Client`);
        type = checker.getTypeOfSymbol(property);
      }
      const docs = type.getCallSignatures().map((signature) => text(signature.getDocumentationComment(checker)));
      // The overloads with dry_run come first and last; what the operation does is said by the one between.
      const doc = docs.find((candidate) => !candidate.startsWith('Preview')) ?? docs[0] ?? '';
      const [paragraph = '', ...rest] = doc.split('\n\n');
      const flat = paragraph.replace(/\s+/g, ' ');
      const [summary = flat] = /^.*?\.(?=\s|$)/.exec(flat) ?? [];
      return { summary, description: [flat.slice(summary.length).trim(), ...rest].filter(Boolean).join('\n\n') };
    },
    fields(typeName) {
      const symbol = exported.get(typeName);
      if (!symbol) return {};
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const docs = new Map<string, Set<string>>();
      for (const member of type.isUnion() ? type.types : [type]) {
        const inherited = basesOf(checker, member);
        for (const property of member.getProperties()) {
          const own = text(property.getDocumentationComment(checker));
          // The fields that a mapped type makes have no docs of their own: the type has them.
          const base = inherited.find(({ names }) => names.has(property.name))?.symbol;
          const doc = own || text(base?.getDocumentationComment(checker) ?? []);
          if (doc) docs.set(property.name, (docs.get(property.name) ?? new Set()).add(doc.replace(/\s+/g, ' ')));
        }
      }
      // Where the forms of a union disagree, none of them speaks for the field.
      return Object.fromEntries([...docs].flatMap(([name, all]) => (all.size === 1 ? [[name, [...all].join()]] : [])));
    },
  };
}

/** A type that another one extends. */
interface Base {
  /** The names of its properties. */
  names: ReadonlySet<string>;
  symbol: ts.Symbol | undefined;
}

/** The types that a type extends, and those that its parts extend if it is an intersection. */
export function basesOf(checker: ts.TypeChecker, type: ts.Type): Base[] {
  return (type.isIntersection() ? type.types : [type])
    .flatMap((part) => part.symbol?.declarations ?? [])
    .flatMap((declaration) => (ts.isInterfaceDeclaration(declaration) ? (declaration.heritageClauses ?? []) : []))
    .flatMap(({ types }) => types)
    .map((base) => {
      const symbol = checker.getSymbolAtLocation(base.expression);
      const isAlias = symbol && symbol.flags & ts.SymbolFlags.Alias;
      const properties = checker.getTypeAtLocation(base).getProperties();
      return {
        names: new Set(properties.map(({ name }) => name)),
        symbol: isAlias ? checker.getAliasedSymbol(symbol) : symbol,
      };
    });
}
