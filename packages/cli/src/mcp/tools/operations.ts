import type { Endpoint } from 'multilocal/internal/endpoint';
import { type Operation, type Parameter, readOperations } from '../../document.js';
import { AGENT } from '../../front.js';
import { endpointOf } from '../../operation.js';
import { flat, typeOf } from '../../operation-help.js';
import { answer } from '../answer.js';
import { Refused } from '../refused.js';
import type { Tool } from './tool.js';

/** Lists all operations, or describes some. Sends nothing. */
export const operations: Tool<{ name?: string }> = {
  name: 'operations',
  description: 'All operations of the service; with `name`, the parameters. Needs no request.',
  input: {
    type: 'object',
    properties: { name: { type: 'string', description: 'posts.create, or several: posts.create,posts.list' } },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ name }, session) {
    const all = readOperations();
    if (name === undefined) return answer({ operations: [...all.values()].map(indexLine) }, session);
    const chosen = name.split(',').map((one) => all.get(endpointNamed(one.trim()).operation) as Operation);
    return answer({ operations: chosen.map(describe) }, session);
  },
};

/** The endpoint of an operation. @throws a {@link Refused} with the nearest name. */
export function endpointNamed(name: string): Endpoint {
  try {
    return endpointOf(name);
  } catch (error) {
    throw new Refused('unknown_operation', (error as Error).message, 'Call `operations` for all names.');
  }
}

/** Writes are marked, because only plans may have them. */
function indexLine({ operationId, summary }: Operation): string {
  const { method } = endpointOf(operationId);
  return `${operationId}${method === 'GET' ? '' : ' (write)'}: ${flat(summary, AGENT)}`;
}

/** What the documentation says only to readers of the library. */
const NOTES: Readonly<Record<string, string>> = {
  'posts.create': 'The usual way to publish and to schedule.',
  'social.publish': 'Uses a monthly quota. The usual way is `posts.create`.',
  'reviews.list': 'Without `fiche_id`, `read` reads all listings.',
  'reviews.summary': 'Without `fiche_id`, `read` reads all listings.',
  'reviews.reply': '`review_id` as reviews.list returns it.',
};

function describe({ operationId, summary, description, parameters }: Operation): object {
  const { method, permission, dryRun } = endpointOf(operationId);
  // `rehearse` adds it.
  const given = parameters.filter(({ name }) => name !== 'dry_run');
  const lines = new Set(given.map(parameterLine));
  return {
    operation: operationId,
    use: method === 'GET' ? 'read' : 'rehearse',
    permission,
    preview: dryRun,
    about: flat([summary, description, NOTES[operationId]].filter(Boolean).join(' '), AGENT),
    params: [...lines],
    example: Object.fromEntries(given.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]]))),
  };
}

/** The dates of the single platforms are one line. */
function parameterLine({ name, required, schema }: Parameter): string {
  const shown = /^scheduled_(?!at$)/.test(name) ? 'scheduled_<platform>' : name;
  return `${shown}${required ? '*' : ''}: ${typeOf(schema)} ${flat(schema.description ?? '', AGENT)}`.trim();
}
