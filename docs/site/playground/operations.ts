// What the playground offers to call: each operation with the sample call of the specification table, which the tests
// and dist/openapi.json use too.
import { endpoints } from '@multilocal/client/resources/endpoints';
import { specOf } from '@multilocal/test/spec/endpoints';
import { literal } from './literal.js';

export interface Operation {
  /** `posts.create` */
  operation: string;
  route: string;
  permission: string;
  /** The code of the call. */
  code: string;
  /** The same call as a dry run, where the route takes one. */
  dryRun?: string;
}

export const operations: Operation[] = endpoints.map(({ operation, method, path, permission, dryRun }) => {
  const { sample = [], after } = specOf(operation) ?? {};
  const before = after === undefined ? '' : `await ${call(after, specOf(after)?.sample ?? [])};\n`;
  const code = (args: readonly unknown[]) =>
    `${before}const result = await ${call(operation, args)};\nconsole.log(result);\n`;
  return {
    operation,
    route: `${method} ${path}`,
    permission: permission ?? 'no key',
    code: code(sample),
    ...(dryRun && { dryRun: code(asDryRun(sample)) }),
  };
});

function call(operation: string, args: readonly unknown[]): string {
  return `client.${operation}(${args.map((arg) => literal(arg)).join(', ')})`;
}

/** Parameters are the last argument of every costly operation. */
function asDryRun(args: readonly unknown[]): unknown[] {
  return [...args.slice(0, -1), { ...(args.at(-1) as object), dry_run: true }];
}
