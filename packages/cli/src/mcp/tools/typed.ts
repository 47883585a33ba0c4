/** The part of a JSON Schema that tells what an argument may be read as. */
interface Form {
  readonly type?: unknown;
  readonly required?: unknown;
  readonly properties?: unknown;
  readonly items?: unknown;
}

/**
 * Returns the arguments of a tool as its schema wants them. Clients of models send lists and objects as JSON texts,
 * integers as texts, and `null` for what is absent. Unknown fields stay: those of the tool are named beside its answer,
 * and the schema refuses those within.
 */
export function asTyped({ type, required, properties, items }: Form, given: unknown): unknown {
  const value = typeof given === 'string' && /^(array|object|integer)$/.test(String(type)) ? parsed(given) : given;
  if (Array.isArray(value)) return items ? value.map((item) => asTyped(items, item)) : value;
  if (typeof value !== 'object' || value === null || !properties) return value;
  const forms = new Map<string, Form>(Object.entries(properties));
  const needed = new Set([required].flat());
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => field !== null || !forms.has(name) || needed.has(name))
      .map(([name, field]) => [name, asTyped(forms.get(name) ?? {}, field)]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
