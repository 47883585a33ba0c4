import type { Endpoint } from '../core/endpoint.js';
import type { Client, DryRunClient, RequestOptions } from '../index.js';
import { endpoints } from '../resources/index.js';
import { UsageError } from './failure.js';
import { suggestion } from './words.js';

/** The parameters of an operation with the specification's names, those of its path included. */
export type Params = Record<string, unknown>;

type Method = (...args: unknown[]) => Promise<unknown>;

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

/** Returns the names of the path parameters, in the order of the path. */
export function pathNames({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Calls the method of an operation. The parameters of its path become the first arguments. */
export async function invoke(
  client: Client | DryRunClient,
  endpoint: Endpoint,
  given: Params,
  options: RequestOptions,
): Promise<unknown> {
  const { operation, params, target, dryRun } = endpoint;
  const names = pathNames(endpoint);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  const hasParams = params !== undefined || target !== undefined || dryRun === true;
  if (!hasParams) refuseAll(operation, rest);
  const method = methodOf(client, operation);
  return method(...names.map((name) => given[name]), ...(hasParams ? [rest] : []), options);
}

function methodOf(client: object, operation: string): Method {
  const names = operation.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce<object>((one, name) => Reflect.get(one, name), client);
  const method: Method = Reflect.get(owner, last);
  return method.bind(owner);
}

function refuseAll(operation: string, rest: Params): void {
  const [surplus] = Object.keys(rest);
  if (surplus === undefined) return;
  throw new UsageError(
    `${operation} has no parameter of this name.`,
    `\`npx multilocal call ${operation} --help\` lists the parameters.`,
  );
}
