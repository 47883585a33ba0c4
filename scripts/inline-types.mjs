// Puts the types of type-fest that the declarations in dist name into the declarations themselves: users install none of
// it, and old compilers see only the few types that are used. (A bundler of declarations would read all of type-fest.)
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const index = join(root, 'node_modules', 'type-fest', 'index.d.ts');
const IMPORT = /^(import|export)(?: type)?(?: \{([^}]*)\} from)? 'type-fest';\n/gm;

const program = ts.createProgram([index], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 });
const checker = program.getTypeChecker();
const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index))).map((one) => [one.name, one]),
);

for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!/\.d\.c?ts$/.test(name)) continue;
  const path = join(dist, name);
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, kind, names = '']) => ({
    kind,
    names: names.split(',').map(trimmed).filter(Boolean),
  }));
  if (imports.length === 0) continue;
  const declarations = new Set(imports.flatMap(({ names }) => names.flatMap((one) => [...declarationsOf(one)])));
  const again = imports.flatMap(({ kind, names }) =>
    kind === 'export' ? [`export type { ${names.join(', ')} };`] : [],
  );
  writeFileSync(path, `${[...declarations, ...again].join('\n')}\n${text.replace(IMPORT, '')}`);
}

function trimmed(name) {
  return name.replace(/^\s*type /, '').trim();
}

/** The declaration of a type, and those of all types that it is made of. */
function declarationsOf(name, found = new Map()) {
  const symbol = exported.get(name);
  if (!symbol) throw new Error(`type-fest has no ${name}`);
  collect(symbol, found);
  return found.values();
}

function collect(symbol, found) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target.declarations?.find(ts.isTypeAliasDeclaration);
  if (!declaration?.getSourceFile().fileName.includes('/type-fest/') || found.has(target)) return;
  found.set(target, declaration.getText().replace(/^export /, ''));
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node)) {
      const referenced = checker.getSymbolAtLocation(node.typeName);
      if (referenced) collect(referenced, found);
    }
    ts.forEachChild(node, visit);
  };
  visit(declaration);
}
