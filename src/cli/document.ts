import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const DOCUMENT = createRequire(import.meta.url).resolve('multilocal/openapi.json');

/** A JSON Schema, as far as the command line reads it. */
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
}

/** An operation, as its docstring and its schema describe it. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
}

interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { name: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

/** The OpenAPI document as text. */
export function documentText(): string {
  return readFileSync(DOCUMENT, 'utf8');
}

/** Every operation by name, in the order of the document. */
export function readOperations(): ReadonlyMap<string, Operation> {
  const { paths } = JSON.parse(documentText()) as { paths: Record<string, Record<string, OpenApiOperation>> };
  const all = Object.values(paths).flatMap((methods) => Object.values(methods).map(toOperation));
  return new Map(all.map((operation) => [operation.operationId, operation]));
}

function toOperation({
  operationId,
  summary,
  description = '',
  parameters = [],
  requestBody,
}: OpenApiOperation): Operation {
  const body = requestBody?.content['application/json'].schema;
  return {
    operationId,
    summary,
    description,
    parameters: [
      ...parameters.map(({ name, required = false, schema }) => ({ name, required, schema })),
      ...Object.entries(body?.properties ?? {}).map(([name, schema]) => {
        return { name, required: body?.required?.includes(name) ?? false, schema };
      }),
    ],
  };
}
