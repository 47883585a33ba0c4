import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { endpoints } from 'multilocal/internal/endpoints';

/** The parts of a JSON Schema that the command line reads. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** A value that the mock accepts. */
  readonly example?: unknown;
}

/** An operation, as its docstring and its schema describe it. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
}

interface Described {
  operationId: string;
  summary: string;
  description: string;
}

interface OpenApiOperation extends Described {
  /** Other methods of the client with the same route. */
  'x-operations'?: Described[];
  parameters?: { name: string; required?: boolean; schema: JsonSchema; example?: unknown }[];
  requestBody?: {
    content: { 'application/json': { schema: JsonSchema; example?: Readonly<Record<string, unknown>> } };
  };
}

/** The OpenAPI document as text. It is part of the build. */
export function documentText(): string {
  return readFileSync(createRequire(import.meta.url).resolve('multilocal/openapi.json'), 'utf8');
}

/** Every operation by name, in the order of the document. */
export function readOperations(): ReadonlyMap<string, Operation> {
  const { paths } = JSON.parse(documentText()) as { paths: Record<string, Record<string, OpenApiOperation>> };
  const all = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(toOperations));
  return new Map(all.map((operation) => [operation.operationId, operation]));
}

function toOperations({
  parameters = [],
  requestBody,
  'x-operations': others = [],
  ...one
}: OpenApiOperation): Operation[] {
  const { schema: body, example: examples = {} } = requestBody?.content['application/json'] ?? {};
  const all = [
    ...parameters.map(({ name, required = false, schema, example }) => ({ name, required, schema, example })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => {
      return { name, required: body?.required?.includes(name) ?? false, schema, example: examples[name] };
    }),
  ];
  return [one, ...others].map(({ operationId, summary, description }) => {
    const constants = endpoints.find(({ operation }) => operation === operationId)?.constants ?? {};
    const taken = all.filter(({ name }) => !Object.hasOwn(constants, name));
    return { operationId, summary, description, parameters: taken };
  });
}
