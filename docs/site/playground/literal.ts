const WIDTH = 76;

/** A value of JSON as the code that makes it: on one line where it fits, else one member a line. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const parts = (deeper: string) =>
    Array.isArray(value)
      ? value.map((item) => literal(item, deeper))
      : Object.entries(value).map(([name, item]) => `${name}: ${literal(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts(indent).length === 0) return `${open}${close}`;
  const space = Array.isArray(value) ? '' : ' ';
  const line = `${open}${space}${parts(indent).join(', ')}${space}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return line;
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`;
}

/** In single quotes, or in double quotes where it holds a single one. */
function quoted(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}'`;
}
