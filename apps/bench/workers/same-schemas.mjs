// Fails if the schemas of `by-hand` do not have the fields of ours. node same-schemas.mjs <compiled job>
import { deepEqual } from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';

const own = await import('multilocal/schemas');
const { schemas } = await import(pathToFileURL(process.argv[2]).href);
for (const [name, schema] of Object.entries(schemas)) deepEqual(z.toJSONSchema(schema), z.toJSONSchema(own[name]));
console.log('null');
