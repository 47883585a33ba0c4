// The types of `Temporal` that ship with TypeScript. The project itself compiles without them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const FILE = join(dirname(fileURLToPath(import.meta.url)), 'temporal-virtual.ts');

const text = [
  "import { Client } from '../../src/index.js';",
  'const { posts } = new Client();',
  'posts.update(1, { scheduled_at: Temporal.Now.instant() });',
  'posts.update(1, { scheduled_at: Temporal.Now.zonedDateTimeISO() });',
  'posts.update(1, { scheduled_at: Temporal.Now.plainDateTimeISO() });',
].join('\n');

it('a call takes an instant and a date-time with a zone, but no date-time without one', () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.esnext.temporal.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === FILE || fileExists(name);
  const program = ts.createProgram([FILE], options, host);
  const source = program.getSourceFile(FILE) as ts.SourceFile;
  const wrong = program.getSemanticDiagnostics(source).map(({ start = 0 }) => {
    return text.split('\n')[source.getLineAndCharacterOfPosition(start).line];
  });
  expect(wrong).toEqual(['posts.update(1, { scheduled_at: Temporal.Now.plainDateTimeISO() });']);
});
