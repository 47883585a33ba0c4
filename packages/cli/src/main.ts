#!/usr/bin/env node
// The command `multilocal`. Scripts ask for the version often, so only this file is read for it.
import { createRequire } from 'node:module';

const [first, ...others] = process.argv.slice(2);
if ((first === '--version' || first === '-v') && others.length === 0) {
  const { version } = createRequire(import.meta.url)('multilocal/package.json') as { version: string };
  console.log(version);
} else {
  const { program } = await import('./program.js');
  process.exitCode = await program(process.argv.slice(2));
}
