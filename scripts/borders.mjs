// The borders between the client and the packages. No relative path leaves its package. A package takes types from any entry, and
// values from the modules that `paths` of tsconfig.json names one by one: an entry as a source of values would load all of it.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
