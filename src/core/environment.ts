/** Returns an environment variable. `undefined` if it is empty, or if there is no `process`, as in a page. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
