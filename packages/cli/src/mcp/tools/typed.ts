import { readOperations } from '../../document.js';

/** The part of a JSON Schema that says how an argument may be read. */
interface Form {
  readonly type?: unknown;
  readonly anyOf?: unknown;
  readonly required?: unknown;
  readonly properties?: unknown;
  readonly items?: unknown;
}

/**
 * Returns the arguments of a tool as its schema wants them. Clients of models send lists and objects as JSON texts,
 * numbers as texts, and `null` for what is absent. Unknown fields stay: those of the tool are named beside its answer,
 * and the schema refuses those within.
 */
export function asTyped({ type, required, properties, items }: Form, given: unknown): unknown {
  const value = typeof given === 'string' && /^(array|object|integer|boolean)$/.test(`${type}`) ? parsed(given) : given;
  if (Array.isArray(value)) return items ? value.map((item) => asTyped(items, item)) : value;
  if (typeof value !== 'object' || value === null || !properties) return value;
  const forms = new Map<string, Form>(Object.entries(properties));
  const needed = new Set([required].flat());
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => field !== null || needed.has(name) || takesNull(forms.get(name)))
      .map(([name, field]) => [name, asTyped(forms.get(name) ?? {}, field)]),
  );
}

/** Whether `null` says more than that a field is absent. That of an unknown field is for the schema to refuse. */
function takesNull(form: Form | undefined): boolean {
  return !form || (Array.isArray(form.anyOf) && form.anyOf.some(({ type }) => type === 'null'));
}

/** Returns what reads the parameters of an operation in the same way. */
export function paramsReader(): (operation: string, params: object) => object {
  const operations = readOperations();
  return (operation, params) => {
    const all = operations.get(operation)?.parameters ?? [];
    const properties = Object.fromEntries(all.map(({ name, schema }) => [name, schema]));
    const required = all.flatMap((one) => (one.required ? one.name : []));
    return asTyped({ properties, required }, params) as object;
  };
}

/** A number must keep all its digits: it may be an id. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}
