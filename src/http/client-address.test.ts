import { Hono } from 'hono';
import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { addNetwork } from '../platform/config-access.ts';
import type { WebEnv } from '../platform/web.ts';
import { addressBehind, clientAddress } from './client-address.ts';

const PROXIES = new BlockList();
for (const network of ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']) addNetwork(PROXIES, network);

test.each([
  ['nobody is trusted', '203.0.113.9', { xForwardedFor: '198.51.100.1', forwarded: undefined }, '203.0.113.9'],
  ['one proxy', '10.0.0.1', { xForwardedFor: '198.51.100.1', forwarded: undefined }, '198.51.100.1'],
  [
    'what a client sent stands left',
    '10.0.0.1',
    { xForwardedFor: '1.1.1.1, 198.51.100.1', forwarded: undefined },
    '198.51.100.1',
  ],
  [
    'two proxies',
    '10.0.0.1',
    { xForwardedFor: '1.1.1.1, 198.51.100.1, 192.0.2.7', forwarded: undefined },
    '198.51.100.1',
  ],
  ['only proxies', '10.0.0.1', { xForwardedFor: '10.0.0.3, 10.0.0.2', forwarded: undefined }, '10.0.0.3'],
  ['no header', '10.0.0.1', { xForwardedFor: undefined, forwarded: undefined }, '10.0.0.1'],
  ['no address', '10.0.0.1', { xForwardedFor: '198.51.100.1, nonsense', forwarded: undefined }, '10.0.0.1'],
  ['a port', '::ffff:10.0.0.1', { xForwardedFor: '198.51.100.1:4711', forwarded: undefined }, '198.51.100.1'],
  [
    'RFC 7239',
    '10.0.0.1',
    { xForwardedFor: undefined, forwarded: 'for=1.1.1.1, for="[2001:DB8::1]:80";proto=https' },
    '2001:db8::1',
  ],
  ['a hidden client', 'fd00::1', { xForwardedFor: undefined, forwarded: 'for=_hidden' }, 'fd00::1'],
  ['both headers agree', '10.0.0.1', { xForwardedFor: '198.51.100.1', forwarded: 'For=198.51.100.1' }, '198.51.100.1'],
  [
    'a header that the proxy passed on as it came',
    '10.0.0.1',
    { xForwardedFor: '198.51.100.1', forwarded: 'for=1.1.1.1' },
    '10.0.0.1',
  ],
] as const)('%s', (_, remote, headers, expected) => {
  expect(addressBehind(remote, headers, PROXIES)).toBe(expected);
});

test('attempts of one IPv6 network are counted together', async () => {
  const app = new Hono<WebEnv>().use(clientAddress(['10.0.0.1'])).get('/', (c) => c.text(c.var.address()));
  const keyOf = async (address: string): Promise<string> => {
    const incoming = { socket: { remoteAddress: '10.0.0.1' } };
    return (await app.request('/', { headers: { 'x-forwarded-for': address } }, { incoming })).text();
  };

  expect(await keyOf('2001:db8:0:5::1')).toBe('2001:db8:0:5::/64');
  expect(await keyOf('2001:db8::5:ffff:1:2:3')).toBe('2001:db8:0:5::/64');
  expect(await keyOf('2001:db8::1')).toBe('2001:db8:0:0::/64');
  expect(await keyOf('198.51.100.1')).toBe('198.51.100.1');
});
