import { ConfigurationError } from 'multilocal/internal/errors';
import { issuesOf, printIssues } from 'multilocal/internal/issues';
import * as s from 'multilocal/internal/schema';
import * as z from 'zod/mini';

const OF_CLIENT = 'is an unknown option. Pass it in `connection`';
const NAMES = { kind: 'option' as const, elsewhere: { apiKey: OF_CLIENT, baseUrl: OF_CLIENT, rateLimit: OF_CLIENT } };

/** `Client` checks the options in `connection`. */
const connectionFields = { client: z.optional(s.anything), connection: z.optional(s.anything) };

/** `articleReader` requires `sanitize` or `unsafeHtml`. */
const articleFields = {
  ...connectionFields,
  bulle_id: s.target,
  sanitize: s.aFunction,
  unsafeHtml: z.optional(s.anything),
  slug: s.aFunction,
};

const SCHEMAS = {
  multilocalLoader: s.params({
    ...articleFields,
    reconcile: z.optional(s.boolean),
    allowMassDeletion: z.optional(s.boolean),
    drafts: z.optional(s.boolean),
    url: s.aFunction,
  }),
  multilocalLiveLoader: s.params(articleFields),
  confirmPages: s.params({
    ...connectionFields,
    maxRequests: z.optional(s.int(1)),
    cacheDir: z.optional(s.anyOf([s.string, z.instanceof(URL)], 'a path or a URL')),
    onProgress: s.aFunction,
  }),
};

/** @throws {ConfigurationError} if an option is unknown or has an invalid value. */
export function checkOptions(name: keyof typeof SCHEMAS, options: object): void {
  const issues = issuesOf(SCHEMAS[name], options, NAMES);
  if (issues) throw new ConfigurationError(`${name}: ${printIssues(issues, 'The options')}`);
}
