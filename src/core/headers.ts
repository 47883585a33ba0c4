import type { ExtraHeaders } from './options.js';

/** Headers of several sources, the last one to name a header deciding; `null` takes it away. Throws for what HTTP has not. */
export function joinHeaders(...sources: (ExtraHeaders | undefined)[]): Headers {
  const headers = new Headers();
  for (const [name, value] of sources.flatMap((source) => Object.entries(source ?? {}))) {
    if (value === null) headers.delete(name);
    else if (value !== undefined) headers.set(name, value);
  }
  return headers;
}
