import { expect, test } from 'vitest';
import { isSameRepository, sourceOf, withoutCredentials } from './source.ts';

test.each([
  ['.', '/srv/shop'],
  ['sub/folder', '/srv/shop/sub/folder'],
  ['/elsewhere', '/elsewhere'],
  ['https://example.org/owner/shop.git', 'https://example.org/owner/shop.git'],
  ['ssh://git@example.org/owner/shop', 'ssh://git@example.org/owner/shop'],
  ['file:///srv/shop.git', 'file:///srv/shop.git'],
  ['git@example.org:owner/shop.git', 'git@example.org:owner/shop.git'],
])('%s is sent as %s', (text, sent) => {
  expect(sourceOf(text, '/srv/shop')).toBe(sent);
});

test.each([
  ['git@example.org:acme/shop.git', 'https://example.org/acme/shop'],
  ['ssh://git@example.org:2222/acme/shop', 'https://example.org/acme/shop.git/'],
  ['https://ada:token@Example.org/Acme/Shop', 'https://example.org/acme/shop'],
  ['example.org:acme/shop', 'ssh://git@example.org/acme/shop'],
  ['file:///srv/shop.git', '/srv/shop'],
  ['/srv/shop/', '/srv/shop'],
])('%s and %s are one repository', (left, right) => {
  expect(isSameRepository(left, right)).toBe(true);
});

test.each([
  ['git@example.org:acme/shop.git', 'https://example.com/acme/shop'],
  ['git@example.org:acme/shop.git', 'https://example.org/acme/shop-2'],
  ['/srv/shop', '/srv/Shop'],
  ['/srv/example.org/acme/shop', 'https://example.org/acme/shop'],
])('%s and %s are two', (left, right) => {
  expect(isSameRepository(left, right)).toBe(false);
});

test('no secret of an address is printed', () => {
  expect(withoutCredentials('https://ada:token@example.org/acme/shop')).toBe('https://example.org/acme/shop');
  expect(withoutCredentials('ssh://git@example.org/acme/shop')).toBe('ssh://git@example.org/acme/shop');
  expect(withoutCredentials('git@example.org:acme/shop.git')).toBe('git@example.org:acme/shop.git');
});
