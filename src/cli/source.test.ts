import { expect, test } from 'vitest';
import { sourceOf } from './source.ts';

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
