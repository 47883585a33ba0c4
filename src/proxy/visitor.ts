/**
 * The network address of a visitor: on Cloudflare Workers the one that Cloudflare names, elsewhere the last entry of
 * `X-Forwarded-For`. The entries before the last one are the visitor's own claim.
 */
export function addressOf(request: Request): string | undefined {
  // Only the runtime can add `cf`. A visitor could send the header to a server that is not behind Cloudflare.
  const isWorker = 'cf' in request && request.cf !== undefined;
  const { headers } = request;
  const address = isWorker ? headers.get('cf-connecting-ip') : headers.get('x-forwarded-for')?.split(',').at(-1);
  return networkOf(address?.trim() ?? '');
}

/** An IPv4 address without its port, or the /64 of an IPv6 address: whoever has one address of it has them all. */
function networkOf(address: string): string | undefined {
  const [, ipv4] = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i.exec(address) ?? [];
  const [, ipv6] = /^\[?([\da-f:]{2,39})(?:\]|\]:\d+)?$/i.exec(address) ?? [];
  return ipv4 ?? ipv6?.replace(/::.*$/, '').split(':', 4).join(':').toLowerCase();
}
