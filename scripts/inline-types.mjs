// Copies the types of type-fest that the declarations of a build name to its type-fest.d.ts: users install none of it, and old
// compilers see only the few types that are used. (A bundler of declarations would read all of type-fest.)
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const [dist] = process.argv.slice(2);
const index = 'node_modules/type-fest/index.d.ts';
/** The names of an import, or of an export. */
const NAMED = /^(?:import|export)(?: type)? \{([^}]*)\} from 'type-fest';$/gm;

const program = ts.createProgram([index], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 });
const checker = program.getTypeChecker();
const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index))).map((one) => [one.name, one]),
);

const used = new Set();
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(dist, name);
  const text = readFileSync(path, 'utf8');
  for (const [, names] of text.matchAll(NAMED))
    for (const one of names.split(',')) used.add(one.replace('type ', '').trim());
  const own = `${'../'.repeat(name.split(/[\\/]/).length - 1) || './'}type-fest.js`;
  writeFileSync(path, text.replace(/^import 'type-fest';\n/gm, '').replaceAll("'type-fest'", `'${own}'`));
}

const found = new Map();
for (const name of used) collect(exported.get(name));
const names = [...used].sort().join(', ');
writeFileSync(join(dist, 'type-fest.d.ts'), `${[...found.values()].join('\n')}\nexport type { ${names} };\n`);

/** The declaration of a type, and those of all types that it is made of. */
function collect(symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target.declarations?.find(ts.isTypeAliasDeclaration);
  if (!declaration?.getSourceFile().fileName.includes('/type-fest/') || found.has(target)) return;
  const [doc] = ts.displayPartsToString(target.getDocumentationComment(checker)).split('\n\n');
  found.set(target, `${doc ? `/** ${doc} */\n` : ''}${declaration.getText().replace(/^export /, '')}`);
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node)) {
      const referenced = checker.getSymbolAtLocation(node.typeName);
      if (referenced) collect(referenced);
    }
    ts.forEachChild(node, visit);
  };
  visit(declaration);
}
