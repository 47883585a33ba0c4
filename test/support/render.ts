import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { expect } from 'vitest';

/** A value as each way of printing, serialising or copying it would show it, by the name of the way. */
export function renderings(value: unknown): Record<string, string> {
  const hidden = { depth: Number.POSITIVE_INFINITY, showHidden: true, maxArrayLength: null, maxStringLength: null };
  const asJson = safely(() => JSON.stringify(value));
  const shown: Record<string, string> = {
    inspect: inspect(value, { ...hidden, breakLength: 200 }),
    'console.log': printed((console) => console.log(value)),
    'template %o': printed((console) => console.log('%o %O %s %j', value, value, String(value), asJson)),
    JSON: asJson,
    'JSON of own names': safely(() => JSON.stringify(ownNames(value))),
    String: safely(() => String(value)),
    structuredClone: safely(() => inspect(structuredClone(value), hidden)),
  };
  if (typeof value === 'object' && value !== null) {
    shown['own fields'] = safely(() => inspect(ownNames(value), hidden));
    shown.spread = safely(() => inspect({ ...value }, hidden));
  }
  for (let error: unknown = value, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth++) {
    shown[`stack ${depth}`] = String(error.stack);
    shown[`message ${depth}`] = error.message;
    shown[`toString ${depth}`] = error.toString();
  }
  return shown;
}

/** Fail if the key shows in any rendering: whole or percent-encoded. */
export function expectNoKey(value: unknown, key: string): void {
  for (const [way, text] of Object.entries(renderings(value))) {
    for (const [form, secret] of Object.entries(formsOf(key))) {
      expect(text.includes(secret), `${way} shows the key (${form}): ${excerpt(text, secret)}`).toBe(false);
    }
  }
}

export function formsOf(key: string): Record<string, string> {
  return { whole: key, 'percent-encoded': encodeURIComponent(key) };
}

function excerpt(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return text.slice(Math.max(0, at - 120), at + secret.length + 20);
}

function safely(work: () => string | undefined): string {
  try {
    return work() ?? '';
  } catch {
    return '';
  }
}

function ownNames(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 5) return value;
  if (value instanceof Headers) return [...value];
  const field = (name: PropertyKey) => ownNames((value as Record<PropertyKey, unknown>)[name], depth + 1);
  return Object.fromEntries(Reflect.ownKeys(value).map((name) => [String(name), field(name)]));
}

function printed(print: (console: Console) => void): string {
  let text = '';
  const write = (chunk: unknown, _: unknown, done: () => void) => {
    text += String(chunk);
    done();
  };
  const stream = new Writable({ write });
  print(new Console({ stdout: stream, stderr: stream }));
  return text;
}
