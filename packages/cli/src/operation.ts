import type { Endpoint } from 'multilocal/internal/endpoint';
import { endpoints } from 'multilocal/internal/endpoints';
import { UsageError } from './failure.js';
import { suggestion } from './words.js';

/** The parameters of an operation with the specification's names, including its path. */
export type Params = Record<string, unknown>;

/** Returns the endpoint of an operation. @throws {UsageError} with the nearest name if there is none. */
export function endpointOf(operation: string): Endpoint {
  const found = endpoints.find((one) => one.operation === operation);
  if (found) return found;
  const names = endpoints.map((one) => one.operation);
  const shown = /^[\w.-]{1,40}$/.test(operation) ? `\`${operation}\`` : 'This';
  throw new UsageError(
    `${shown} is not an operation.${suggestion(operation, names)}`,
    '`npx multilocal call --help` lists all operations.',
  );
}
