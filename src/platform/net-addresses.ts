import { lookup as lookUp } from 'node:dns';
import { lookup as lookUpPromise } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ServiceError } from '../kernel/errors.ts';

/** Addresses of the machine, of private networks, and those that have no host behind them (IANA special-purpose registries). */
const CLOSED_IPV4: [address: string, prefix: number][] = [
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
];
/**
 * With those that carry an IPv4 address: written as IPv6 (::/96), translated (64:ff9b::/96, RFC 6052; ::ffff:0:0:0/96,
 * RFC 2765), tunnelled (Teredo, in 2001::/23) and 6to4 (2002::/16).
 */
const CLOSED_IPV6: [address: string, prefix: number][] = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

/** Resolves a name, and refuses it when any of its addresses is closed. */
export const openLookup: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) return done(error ?? new Error(`${host} has no address`), '', 0);
    if (addresses.some(({ address }) => isClosed(address))) return done(closedHost(host), '', 0);
    if (options.all === true) return done(null, addresses);
    return done(null, first.address, first.family);
  });
};

/** Finds the addresses of a name. */
export type LookUp = (host: string) => Promise<string[]>;

/** Resolves names as the system does, those of its hosts file and forms like 0x7f.1 included. */
const systemLookUp: LookUp = async (host) => (await lookUpPromise(host, { all: true })).map(({ address }) => address);

/**
 * The addresses of a host, all of them open to be reached. `host` is a name or an IP address without brackets. For a
 * program that makes its connections by itself: it must be held to exactly these, because a name may resolve otherwise
 * a moment later.
 *
 * @throws ServiceError `bad_argument` when the host is, or one of its addresses is, in a private network;
 * `upstream_failed` when the name does not resolve.
 */
export async function openAddresses(host: string, lookUpHost: LookUp = systemLookUp): Promise<string[]> {
  checkHost(host);
  if (isIP(host) !== 0) return [host];
  const addresses = await lookUpHost(host).catch((cause: unknown) => {
    throw new ServiceError('upstream_failed', `The host ${host} could not be found.`, {
      fix: 'Check the address and the network, then try again.',
      cause,
    });
  });
  if (addresses.some(isClosed)) throw closedHost(host);
  return addresses;
}

/** @throws ServiceError `bad_argument` for an IP address (no brackets) of a private network. Names pass: they are not resolved. */
export function checkHost(host: string): void {
  if (isIP(host) !== 0 && isClosed(host)) throw closedHost(host);
}

/** True if an IP address is one that only this machine or its network should reach. */
export function isClosed(address: string): boolean {
  const list = new BlockList();
  for (const [network, prefix] of CLOSED_IPV4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of CLOSED_IPV6) list.addSubnet(network, prefix, 'ipv6');
  // The list knows IPv4 addresses that are written as IPv6 (::ffff:…) by itself.
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function closedHost(host: string): ServiceError {
  return new ServiceError('bad_argument', `${host} is in a private network, which the service does not call.`, {
    fix: `Use a public address, or ask the operator of the service to add ${host} to SVC_PRIVATE_HOSTS.`,
  });
}
