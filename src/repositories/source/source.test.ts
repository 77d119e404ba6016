import { expect, test } from 'vitest';
import { fullNameOf, namesFrom, parseSource, type SourcePolicy } from './source.ts';

const OPEN: SourcePolicy = { allowsFiles: true, privateHosts: new Set() };
const CLOSED: SourcePolicy = { allowsFiles: false, privateHosts: new Set() };

test.each([
  [
    'https://GitHub.com/Acme/Shop.git/',
    'https://github.com/Acme/Shop.git',
    'https://github.com/Acme/Shop',
    'Shop',
    'Acme/Shop',
  ],
  [
    'https://host:8443/group/sub/shop?x=1#y',
    'https://host:8443/group/sub/shop',
    'https://host:8443/group/sub/shop',
    'shop',
    'sub/shop',
  ],
  ['ssh://git@host/acme/shop.git', 'ssh://git@host/acme/shop.git', 'ssh://host/acme/shop', 'shop', 'acme/shop'],
  [
    'git@host.example:acme/shop.git',
    'git@host.example:acme/shop.git',
    'ssh://host.example/acme/shop',
    'shop',
    'acme/shop',
  ],
  ['https://host/shop', 'https://host/shop', 'https://host/shop', 'shop', undefined],
  ['file:///srv/git/shop.git', 'file:///srv/git/shop.git', 'file:///srv/git/shop', 'shop', undefined],
])('%s is an address', (text, url, ...rest) => {
  const [location, name, fullName] = rest;
  const source = parseSource(text, OPEN);
  const [last] = source.kind === 'url' ? source.names : [];
  expect({ ...source, names: last }).toEqual({ kind: 'url', url, location, names: name, fullName });
});

test('an absolute path is a path where folders may be read', () => {
  expect(parseSource(' /srv/My Shop ', OPEN)).toEqual({ kind: 'path', path: '/srv/My Shop' });
  expect(namesFrom('/srv/My Shop')).toEqual(['My-Shop', 'srv/My-Shop']);
  expect(namesFrom('/')).toEqual(['repository']);
  expect(() => parseSource('/srv/shop', CLOSED)).toThrow(/does not read folders/);
  expect(() => parseSource('file:///srv/shop', CLOSED)).toThrow(/not be fetched over "file"/);
});

test.each([
  ['', /empty/],
  ['shop', /neither an address nor an absolute path/],
  ['--upload-pack=touch', /neither an address/],
  ['http://host/acme/shop', /not be fetched over "http"/],
  ['git://host/acme/shop', /not be fetched over "git"/],
  ['ext::sh -c id', /not be fetched over "ext"/],
  ['https://host/a\nb', /control characters/],
  ['https://host', /no repository/],
  ['https://', /cannot be read/],
])('%j is refused', (text, message) => {
  expect(() => parseSource(text, OPEN)).toThrow(message);
});

test.each(['https://me:secret@host/a/b', 'https://secret@host/a/b', 'ssh://git:secret@host/a/b'])(
  'an address with credentials is refused without repeating them',
  (text) => {
    expect(() => parseSource(text, OPEN)).toThrow(/contains credentials/);
    expect(() => parseSource(text, OPEN)).not.toThrow(/secret/);
  },
);

test('the full name of an origin comes without its credentials', () => {
  expect(fullNameOf('https://me:secret@host/acme/shop.git')).toBe('acme/shop');
  expect(fullNameOf('git@host:acme/shop')).toBe('acme/shop');
  expect(fullNameOf('/srv/shop')).toBeUndefined();
});

test.each([
  'https://127.0.0.1/acme/shop',
  'https://2130706433/acme/shop',
  'https://0x7f.1/acme/shop',
  'https://0177.0.0.1/acme/shop',
  'https://10.0.0.8/acme/shop',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/acme/shop',
  'https://[::ffff:127.0.0.1]/acme/shop',
  'https://[64:ff9b::7f00:1]/acme/shop',
  'https://[fd00::1]:8443/acme/shop',
  'ssh://git@127.0.0.1/acme/shop',
  'ssh://git@[::1]:2222/acme/shop',
  'git@192.168.1.1:acme/shop',
  'git@[::1]:acme/shop',
])('%s is in a private network', (text) => {
  expect(() => parseSource(text, CLOSED)).toThrow(/is in a private network/);
  expect(() => parseSource(text, OPEN)).toThrow(/is in a private network/);
});

test('an IPv6 address is parsed as what it is', () => {
  expect(parseSource('https://[2606:4700::1111]/acme/shop', CLOSED)).toMatchObject({
    url: 'https://[2606:4700::1111]/acme/shop',
    fullName: 'acme/shop',
  });
  expect(parseSource('git@[2606:4700::1111]:acme/shop', CLOSED)).toMatchObject({
    location: 'ssh://[2606:4700::1111]/acme/shop',
  });
});

test('hosts that the operator named are taken, over plain http too', () => {
  const policy = { allowsFiles: false, privateHosts: new Set(['10.0.0.8', '::1', 'git.intern']) };

  for (const text of ['https://10.0.0.8/a/b', 'http://[::1]/a/b', 'http://git.intern/a/b', 'git@10.0.0.8:a/b'])
    expect(parseSource(text, policy)).toMatchObject({ kind: 'url', fullName: 'a/b' });
  expect(() => parseSource('http://10.0.0.9/a/b', policy)).toThrow(/not be fetched over "http"/);
});

test.each([
  '/srv/shop',
  '../shop',
  './shop',
  'file:///srv/shop',
  'FILE:///srv/shop',
  'file:/srv/shop',
  'ext::sh -c id',
  'fd::17',
  '--upload-pack=id',
])('%s is no way to a folder of the machine where folders are not read', (text) => {
  expect(() => parseSource(text, CLOSED)).toThrow(/does not read folders|not be fetched over/);
});

test('a host in another spelling than ssh reads it is refused', () => {
  expect(() => parseSource('ssh://git@%31%32%37.0.0.1/acme/shop', CLOSED)).toThrow(/cannot be read/);
  expect(() => parseSource('git@-oProxyCommand=id:acme/shop', OPEN)).toThrow(/neither/);
});
