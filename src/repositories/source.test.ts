import { expect, test } from 'vitest';
import { fullNameOf, nameFrom, parseSource } from './source.ts';

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
  expect(parseSource(text, true)).toEqual({ kind: 'url', url, location, name, fullName });
});

test('an absolute path is a path where folders may be read', () => {
  expect(parseSource(' /srv/My Shop ', true)).toEqual({ kind: 'path', path: '/srv/My Shop' });
  expect(nameFrom('/srv/My Shop')).toBe('My-Shop');
  expect(nameFrom('/')).toBe('repository');
  expect(() => parseSource('/srv/shop', false)).toThrow(/does not read folders/);
  expect(() => parseSource('file:///srv/shop', false)).toThrow(/not fetched by "file"/);
});

test.each([
  ['', /empty/],
  ['shop', /neither an address nor an absolute path/],
  ['--upload-pack=touch', /neither an address/],
  ['http://host/acme/shop', /not fetched by "http"/],
  ['git://host/acme/shop', /not fetched by "git"/],
  ['ext::sh -c id', /not fetched by "ext"/],
  ['https://host/a\nb', /control characters/],
  ['https://host', /no repository/],
  ['https://', /cannot be read/],
])('%j is refused', (text, message) => {
  expect(() => parseSource(text, true)).toThrow(message);
});

test.each(['https://me:secret@host/a/b', 'https://secret@host/a/b', 'ssh://git:secret@host/a/b'])(
  'an address with credentials is refused without repeating them',
  (text) => {
    expect(() => parseSource(text, true)).toThrow(/has credentials in it/);
    expect(() => parseSource(text, true)).not.toThrow(/secret/);
  },
);

test('the full name of an origin comes without its credentials', () => {
  expect(fullNameOf('https://me:secret@host/acme/shop.git')).toBe('acme/shop');
  expect(fullNameOf('git@host:acme/shop')).toBe('acme/shop');
  expect(fullNameOf('/srv/shop')).toBeUndefined();
});
