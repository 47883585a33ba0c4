/** Headers to add; `null` or `undefined` adds none. */
export type ExtraHeaders = Readonly<Record<string, string | null | undefined>>;

/** Headers of several sources, the last one to name a header deciding; `null` takes it away. Throws for what HTTP has not. */
export function joinHeaders(...sources: (ExtraHeaders | undefined)[]): Headers {
  const headers = new Headers();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source ?? {})) {
      if (value === null) headers.delete(name);
      else if (value !== undefined) headers.set(name, value);
    }
  }
  return headers;
}
