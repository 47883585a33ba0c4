/**
 * Refuse a body that is not JSON where it is the beginning of one. undici takes a chunked answer that was cut for a whole one
 * where the service had said `Connection: close`.
 */
export function refuseCutShort({ headers }: Response, text: string): void {
  if (!/chunked/i.test(`${headers.get('transfer-encoding')}`) || !/^\s*[[{]/.test(text)) return;
  // Between quotes there are no brackets, and every second piece stands between quotes.
  const bare = text
    .replace(/\\./gs, '')
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
  if (bare.split(/[[{]/).length > bare.split(/[\]}]/).length) throw new Error('cut short');
}
