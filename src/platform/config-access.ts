import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { splitList, wholeNumber } from './config-schemas.ts';

/** Settings of who reaches the service, and how often. */
export const ACCESS_VARIABLES = {
  rateLimitPerMinute: {
    name: 'SVC_RATE_LIMIT_PER_MINUTE',
    schema: wholeNumber(1, 1_000_000),
    allowed: 'a whole number from 1 to 1000000',
    fallback: '600',
    meaning: 'Requests a minute that one API key may make.',
  },
  streamsPerKey: {
    name: 'SVC_STREAMS_PER_KEY',
    schema: wholeNumber(1, 10_000),
    allowed: 'a whole number from 1 to 10000',
    fallback: '20',
    meaning: 'MCP streams that one API key may have open at a time, in each process that serves.',
  },
  trustedProxies: {
    name: 'SVC_TRUSTED_PROXIES',
    schema: z
      .string()
      .transform(splitList)
      .refine((networks) => networks.every((network) => addNetwork(new BlockList(), network))),
    allowed: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
    fallback: '',
    meaning:
      'Proxies whose X-Forwarded-For or Forwarded header is believed. Without it everybody behind a proxy shares its address, to which attempts to sign in are counted.',
  },
};

/** Adds `10.0.0.7`, `10.0.0.0/8` or `fd00::/8` to a list. False for a text that is neither an address nor a network. */
export function addNetwork(list: BlockList, network: string): boolean {
  const [address = '', prefix, more] = network.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (version === 6 ? 128 : 32)) return false;
  list.addSubnet(address, Number(prefix), family);
  return true;
}
