import { expect, test } from 'vitest';
import { isOwner, ownersOf, parseCodeowners } from './codeowners.ts';

const RULES = parseCodeowners(`# Owners
*            @shop/everyone
*.md         @writer   # documentation
/src/cart/   @cart ann@example.org
docs/*       @writer
apps/**/test @tester
/src/cart/price.ts
[Section] @nobody
`);

test.each([
  ['a.ts', ['@shop/everyone'], 2],
  ['deep/read.md', ['@writer'], 3],
  ['src/cart/x/y.ts', ['@cart', 'ann@example.org'], 4],
  ['other/src/cart/x.ts', ['@shop/everyone'], 2],
  ['docs/a.txt', ['@writer'], 5],
  ['docs/deep/a.txt', ['@shop/everyone'], 2],
  ['apps/one/two/test/a.ts', ['@tester'], 6],
  ['apps/test/a.ts', ['@tester'], 6],
  ['src/cart/price.ts', [], 7],
])('the last pattern that matches names the owners of %s', (path, owners, line) => {
  expect(ownersOf(RULES, path)).toMatchObject({ owners, line });
});

test('a file that no pattern matches has no rule', () => {
  expect(ownersOf(parseCodeowners('/docs/ @writer'), 'src/a.ts')).toBeUndefined();
});

test.each([
  ['ann@example.org', ['ann@example.org', 'ann'], true],
  ['@ann', ['12345+ann@users.noreply.example.com'], true],
  ['@ann', ['ann@users.noreply.example.com'], true],
  ['@Ann', ['ann'], true],
  ['@ann', ['12345+joann@users.noreply.example.com'], false],
  ['@shop/ann', ['ann'], false],
])('an owner %s is one of %j: %s', (owner, aliases, is) => {
  expect(isOwner(owner, aliases)).toBe(is);
});
