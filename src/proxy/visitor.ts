/**
 * The network address of a visitor: on Cloudflare Workers `CF-Connecting-IP`, elsewhere the last entry of
 * `X-Forwarded-For`. The visitor can write the other entries.
 */
export function addressOf(request: Request): string | undefined {
  const { headers } = request;
  // A visitor could send the header to a server that is not behind Cloudflare.
  const address = isWorker(request)
    ? headers.get('cf-connecting-ip')
    : headers.get('x-forwarded-for')?.split(',').at(-1);
  return networkOf(address?.trim() ?? '');
}

/** Whether Cloudflare Workers serve the request. Only the runtime can add `cf`. */
export function isWorker(request: Request): boolean {
  return 'cf' in request && request.cf !== undefined;
}

/**
 * An IPv4 address without its port, or the /64 of an IPv6 address, because one visitor usually owns all of its
 * addresses.
 */
function networkOf(address: string): string | undefined {
  const [, ipv4] = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i.exec(address) ?? [];
  const [, ipv6] = /^\[?([\da-f:]{2,39})(?:\]|\]:\d+)?$/i.exec(address) ?? [];
  return ipv4 ?? (ipv6 && subnetOf(ipv6));
}

/**
 * The first four of the eight groups. An address can be written in many ways: `::` stands for groups of zeros. Four
 * zeros, as in the loopback address `::1`, identify no network.
 */
function subnetOf(ipv6: string): string | undefined {
  const [start = '', end] = ipv6.split('::');
  const before = start.split(':');
  const after = end?.split(':') ?? [];
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  const subnet = groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':');
  return subnet === '0:0:0:0' ? undefined : subnet;
}
