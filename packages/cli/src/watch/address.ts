import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback, parseUrl } from 'multilocal/internal/config';
import { UsageError } from '../failure.js';

/** Networks that no address of the internet is in: of this machine, of a local network, and those for special uses. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4');

/** Of IPv6, only the addresses of the internet: without those that carry one of IPv4, which may be private. */
const PUBLIC = new BlockList();
PUBLIC.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6');

/** An IPv4 address within one of IPv6, as `URL` writes it: `::ffff:10.0.0.1` is `::ffff:a00:1`. */
const MAPPED = /^\[::ffff:[\da-f]{1,4}:[\da-f]{1,4}\]$/;

/** Whether an address of IPv4 or IPv6 is not one of the internet. */
export function isPrivate(address: string): boolean {
  const [ip = ''] = address.split('%');
  if (isIP(ip) === 4) return PRIVATE.check(ip, 'ipv4');
  if (isIP(ip) !== 6) return true;
  // `BlockList` compares a mapped address with the rules of IPv4.
  const isMapped = MAPPED.test(new URL(`http://[${ip}]`).hostname);
  return PRIVATE.check(ip, 'ipv6') || !(isMapped || PUBLIC.check(ip, 'ipv6'));
}

/**
 * Reads the address of a receiver.
 * @throws {UsageError} if nothing may be sent there. The address is not repeated, because its path may be a secret.
 */
export function receiverOf(text: string, allowPrivate: boolean): URL {
  const fail = (problem: string, hint: string) => new UsageError(`The address of \`--webhook\` ${problem}.`, hint);
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw fail('is not a web address', 'Begin it with https://.');
  if (url.username || url.password)
    throw fail('has a user or a password', 'The receiver checks the signature instead.');
  if (url.protocol === 'http:' && !isLoopback(url))
    throw fail('begins with http://', 'Plain http is for receivers on this machine only. Use https://.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) > 0 && isPrivate(host) && !isLoopback(url) && !allowPrivate)
    throw fail('is in a private network', 'Add `--allow-private` if you mean that.');
  return url;
}

/** An address of a private network that a name leads to. */
export class PrivateAddress extends Error {}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Resolves a name as Node does, but to no private address. Node connects to the address that was checked, so a name that
 * changes in between leads nowhere else. `localhost` leads to this machine only.
 */
export function lookupFor(url: URL, allowPrivate: boolean): LookupFunction {
  return (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const isRefused = ({ address, family }: LookupAddress) =>
        isLoopback(url)
          ? !LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4')
          : !allowPrivate && isPrivate(address);
      const [first] = found;
      if (found.some(isRefused) || !first)
        return callback(new PrivateAddress('the name leads to a private address'), '');
      if (options.all) return callback(null, found);
      callback(null, first.address, first.family);
    });
}
