/**
 * Whether a body that is not JSON is the beginning of one. undici takes a chunked answer that was cut for a whole one
 * where the service had said `Connection: close`.
 */
export function isCutShort({ headers }: Response, text: string): boolean {
  if (!/chunked/i.test(`${headers.get('transfer-encoding')}`) || !/^\s*[[{]/.test(text)) return false;
  // Between quotes there are no brackets, and every second piece stands between quotes.
  const bare = text
    .replace(/\\./gs, '')
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
  return bare.split(/[[{]/).length > bare.split(/[\]}]/).length;
}
