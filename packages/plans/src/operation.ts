import type { Client, DryRunClient } from 'multilocal';
import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { endpoints } from 'multilocal/internal/endpoints';
import { InvalidRequestError } from 'multilocal/internal/errors';
import type { CallOptions } from 'multilocal/internal/options';

type Method = (...args: unknown[]) => Promise<unknown>;

/** A journal may have an operation that this version does not know. */
export const endpointOf = (operation: string) => endpoints.find((each) => each.operation === operation);

/** Returns the names of the path parameters, in the order of the path. */
export function pathNames({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Calls the method of an operation. The parameters of its path become the first arguments. */
export const invoke = async (...given: Parameters<typeof call>): Promise<unknown> => call(...given);

/** The same. Returns the promise that the method returns: that of a list can also be iterated. */
export function call(
  client: Client | DryRunClient,
  endpoint: Endpoint,
  given: Params,
  options: CallOptions,
): Promise<unknown> {
  const { operation, params, target, dryRun } = endpoint;
  const names = pathNames(endpoint);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  const hasParams = params !== undefined || target !== undefined || dryRun === true;
  const [surplus] = hasParams ? [] : Object.keys(rest);
  if (surplus !== undefined) {
    const issues = [{ path: [surplus], message: 'is an unknown parameter.' }];
    throw new InvalidRequestError(`${operation} has no parameter of this name.`, { operation, issues });
  }
  return methodOf(client, operation)(...names.map((name) => given[name]), ...(hasParams ? [rest] : []), options);
}

function methodOf(client: object, operation: string): Method {
  const names = operation.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce<object>((one, name) => Reflect.get(one, name), client);
  return (Reflect.get(owner, last) as Method).bind(owner);
}
