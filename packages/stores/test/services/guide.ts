import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Block, blocksOf } from '@multilocal/test/docs/blocks';
import ts from 'typescript';
import * as limiter from '../../src/limiter.js';
import * as sql from '../../src/sql/index.js';

/** The block of a guide that has a text, such as the name of a driver. */
export function blockOf(text: string, guide = 'articles-in-a-database.md'): Block {
  const found = blocksOf(join('docs', 'guides', guide)).find(({ code }) => code.includes(text));
  if (!found) throw new Error(`the guide has no block with ${text}`);
  return found;
}

/** Runs a block as it stands, and returns what it exports. `modules` stand in for packages that are not installed. */
export async function exportsOf(
  { code }: Block,
  environment: Record<string, string> = {},
  modules: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const require = createRequire(import.meta.url);
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, esModuleInterop: true };
  const body = ts.transpile(code, options);
  const exported: Record<string, unknown> = {};
  const known: Record<string, unknown> = { 'multilocal/sql': sql, 'multilocal/limiter': limiter, ...modules };
  const load = (name: string) => known[name] ?? require(name);
  const around = { exports: exported, require: load, process: { env: environment } };
  // A block awaits at its top level, as modules do.
  await new Function(...Object.keys(around), `return (async () => {\n${body}\n})()`)(...Object.values(around));
  return exported;
}
