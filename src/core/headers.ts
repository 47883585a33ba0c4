/** Headers to add. `null` removes a header that was set before, and `undefined` changes nothing. */
export type ExtraHeaders = Readonly<Record<string, string | null | undefined>>;

/** Merges headers. Later sources win, and `null` removes a header. Throws if a name or value is invalid. */
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
