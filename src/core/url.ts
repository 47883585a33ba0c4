/** A parsed address, `undefined` if it is none. Node 20 has no `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    // Not `URL.canParse`: once V8 has optimised the caller, Node 20 refuses hosts with letters such as `é` there.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
