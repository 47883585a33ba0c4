import type { JsonSchema, Parameter } from './document.js';
import { readOperations } from './document.js';
import { type Front, say } from './front.js';
import { endpointOf } from './operation.js';
import type { Output } from './output.js';

/** Returns the help of an operation, from its docstring and its schema. */
export function operationHelp(name: string, output: Output): string {
  const operation = readOperations().get(name);
  if (!operation) return '';
  const { summary, description, parameters } = operation;
  const { method, path, permission } = endpointOf(name);
  const heading = (text: string) => output.paint('bold', text);
  const lines = parameters.map(({ name: parameter, required, schema }) => {
    const facts = [typeOf(schema), required && 'required'].filter(Boolean).join(', ');
    const text = `${output.paint('cyan', parameter)} ${output.paint('dim', `(${facts})`)} ${flat(schema.description ?? '')}`;
    return `  ${output.wrap(text.trim(), 4)}`;
  });
  return [
    output.wrap(summary),
    '',
    ...description.split('\n\n').flatMap((paragraph) => [output.wrap(flat(paragraph)), '']),
    `${heading('ROUTE')} ${method} ${path}${permission ? `, permission ${permission}` : ''}`,
    '',
    `${heading('USAGE')} npx multilocal call ${name} [key=value …]`,
    '',
    `${heading('EXAMPLE')} ${[`npx multilocal call ${name}`, ...parameters.flatMap(exampleOf)].join(' \\\n  ')}`,
    ...(lines.length > 0 ? ['', heading('PARAMETERS'), '', ...lines] : []),
  ].join('\n');
}

/** Returns every operation with its first sentence. */
export function operationList(output: Output): string {
  const operations = [...readOperations().values()];
  const width = Math.max(...operations.map(({ operationId }) => operationId.length));
  return operations
    .map(
      ({ operationId, summary }) =>
        `  ${output.paint('cyan', operationId.padEnd(width))}  ${output.wrap(summary, width + 4)}`,
    )
    .join('\n');
}

/** The words of a parameter in the example: `platforms=facebook,gmb`. */
function exampleOf({ name, example }: Parameter): string[] {
  if (example === undefined) return [];
  const isPlain =
    typeof example !== 'object' || (Array.isArray(example) && example.every((item) => Object(item) !== item));
  const text = isPlain ? String(example) : JSON.stringify(example);
  return [`${name}=${/^[\w.,:/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`];
}

/** Joins the lines of a docstring, in the words of a front. */
export function flat(text: string, front?: Front): string {
  return say(text.replace(/\s+/g, ' '), front);
}

/** `facebook|gmb`, `list of string` … */
export function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map(String).join('|');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  return schema.type === 'array' ? `list of ${typeOf(schema.items ?? {})}` : (schema.type ?? 'value');
}
