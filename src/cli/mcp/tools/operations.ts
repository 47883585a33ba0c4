import type { Endpoint } from '../../../core/endpoint.js';
import { endpoints } from '../../../resources/index.js';
import { type Operation, type Parameter, readOperations } from '../../document.js';
import { endpointOf } from '../../operation.js';
import { flat, typeOf } from '../../operation-help.js';
import { answer } from '../answer.js';
import { Refused } from '../refused.js';
import type { Tool } from './tool.js';

/** Lists all operations, or describes one. Sends nothing. */
export const operations: Tool<{ name?: string }> = {
  name: 'operations',
  description: 'All operations of the service; with a name, its parameters. Needs no request.',
  input: { type: 'object', properties: { name: { type: 'string', description: 'posts.create' } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ name }, session) {
    const all = readOperations();
    if (name !== undefined) return answer(describe(all.get(endpointNamed(name).operation) as Operation), session);
    return answer(
      {
        operations: [...all.values()].map(
          ({ operationId, summary }) => `${operationId}${mark(operationId)}: ${flat(summary)}`,
        ),
      },
      session,
    );
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
function mark(name: string): string {
  return endpoints.find(({ operation }) => operation === name)?.method === 'GET' ? '' : ' (write)';
}

function describe({ operationId, summary, description, parameters }: Operation): object {
  const { method, permission, dryRun } = endpointOf(operationId);
  return {
    operation: operationId,
    use: method === 'GET' ? 'read' : 'rehearse',
    permission,
    preview: dryRun,
    about: flat(`${summary} ${description}`),
    params: parameters.map(parameterLine),
    example: Object.fromEntries(
      parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
    ),
  };
}

function parameterLine({ name, required, schema }: Parameter): string {
  return `${name}${required ? '*' : ''}: ${typeOf(schema)} ${flat(schema.description ?? '')}`.trim();
}
