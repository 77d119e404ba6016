import { expect, test } from 'vitest';
import { fixText, readFix } from './fix.ts';

test.each([
  ['Add one: svc repo add <path-or-url>.', 'Add one: the page Repositories.'],
  ['Use one of: a, b (and 34 more: svc repo list).', 'Use one of: a, b (and 34 more: the page Repositories).'],
  ['Index it: svc repo index my.shop', 'Index it: the page Repositories'],
  ['Use "a", or index it again: svc repo index a.', 'Use "a", or index it again: the page Repositories.'],
  [
    'Rebuild it with `svc repo index <name>`, and check the disk.',
    'Rebuild it with the page Repositories, and check the disk.',
  ],
  ['Or index this one: svc repo add <path-or-url> --ref v1.2', 'Or index this one: the page Repositories'],
  ['Create a key with: svc key create --name <name>.', 'Create a key with: the page API keys.'],
  ['Delete it (svc key delete 12) and create a new one.', 'Delete it (the page API keys) and create a new one.'],
  [
    'Use a handle such as wi:12; list them with svc work-item list.',
    'Use a handle such as wi:12; list them with the page Work items.',
  ],
  [
    'Get a new one: svc login-link on the machine of the service.',
    'Get a new one: svc login-link on the machine of the service.',
  ],
  ['Try again.', 'Try again.'],
])('%s is shown as %s', (fix, shown) => {
  expect(fixText(fix)).toBe(shown);
});

test('a page is a link', () => {
  expect(readFix('Add one: svc repo add <path-or-url>.')).toEqual([
    'Add one: ',
    { to: '/repositories', label: 'the page Repositories' },
    '.',
  ]);
});
