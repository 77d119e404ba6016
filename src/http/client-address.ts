import { getConnInfo } from '@hono/node-server/conninfo';
import type { MiddlewareHandler } from 'hono';
import { BlockList, isIP } from 'node:net';
import { addNetwork } from '../platform/config-access.ts';
import type { WebEnv } from '../platform/web.ts';

const UNKNOWN = 'unknown';
/** Groups of an IPv6 address that one customer of a provider has at least: 64 bits. */
const GROUPS_OF_NETWORK = 4;

/** Headers in which proxies name the client that they forward. */
interface ForwardingHeaders {
  forwarded?: string | undefined;
  xForwardedFor?: string | undefined;
}

/** Determines the address of a request when it is first needed. Proxies are addresses and networks. */
export function clientAddress(trustedProxies: readonly string[]): MiddlewareHandler<WebEnv> {
  const proxies = new BlockList();
  for (const network of trustedProxies) addNetwork(proxies, network);
  return (c, next) => {
    c.set('address', () => {
      const remote = c.env.incoming === undefined ? undefined : getConnInfo(c).remote.address;
      const headers = { forwarded: c.req.header('forwarded'), xForwardedFor: c.req.header('x-forwarded-for') };
      return limitKeyOf(addressBehind(remote ?? UNKNOWN, headers, proxies));
    });
    return next();
  };
}

/**
 * Returns the address from which a request came to the first of the trusted proxies: the list of a header is read from the
 * right, as far as trusted proxies wrote it. Any client may have sent what is left of that. Where both headers are there and
 * disagree, a proxy has passed one of them on as it came, so neither is believed.
 */
export function addressBehind(
  remote: string,
  { forwarded, xForwardedFor }: ForwardingHeaders,
  proxies: BlockList,
): string {
  const peer = plainAddress(remote) ?? remote;
  const lists = [forwarded === undefined ? undefined : hopsOf(forwarded), xForwardedFor?.split(',')];
  const named = lists.flatMap((hops) => (hops === undefined ? [] : [firstUntrusted(peer, hops, proxies)]));
  const [first = peer, second = first] = named;
  return first === second ? first : peer;
}

function firstUntrusted(peer: string, hops: readonly string[], proxies: BlockList): string {
  let address = peer;
  for (const hop of hops.toReversed()) {
    if (!isTrusted(address, proxies)) return address;
    const before = plainAddress(hop.trim());
    // A proxy that hides its client (`for=_hidden`) counts as the client.
    if (before === undefined) return address;
    address = before;
  }
  return address;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** The `for` of each hop of a Forwarded header (RFC 7239); '' for a hop without one. */
function hopsOf(header: string): string[] {
  return header.split(',').map((hop) => {
    const value = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(hop);
    return value?.[1] ?? value?.[2] ?? '';
  });
}

/** `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]:80`, `::ffff:192.0.2.1` as an address alone; undefined for other texts. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare;
  return isIP(mapped) === 0 ? undefined : mapped.toLowerCase();
}

/** Returns the subject under which attempts are counted: who has one IPv6 address has a whole network of them. */
function limitKeyOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0');
  const all = tail === undefined ? groups : [...groups, ...zeros, ...after];
  const network = all.slice(0, GROUPS_OF_NETWORK).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
