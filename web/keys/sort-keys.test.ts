import { expect, test } from 'vitest';
import type { Key } from '../../src/keys/key-bodies.ts';
import { sortKeys, type KeySort } from './sort-keys.ts';

function key(name: string, lastUsedAt: string | null): Key {
  return {
    id: name,
    name,
    prefix: 'svc_****',
    created_at: '2026-01-01T00:00:00.000Z',
    created_by: 'person:1',
    created_by_name: 'New Name',
    person_id: '1',
    acts_for: 'New Name',
    last_used_at: lastUsedAt,
    expires_at: null,
    status: 'active',
    scopes: ['read'],
    product: 'default',
    grace_ends_at: null,
  };
}

const KEYS = [
  key('b', null),
  key('old', '2026-01-02T00:00:00.000Z'),
  key('a', null),
  key('new', '2026-11-02T00:00:00.000Z'),
];

test.each<[KeySort, string[]]>([
  [{ column: 'name', isDescending: false }, ['a', 'b', 'new', 'old']],
  [{ column: 'name', isDescending: true }, ['old', 'new', 'b', 'a']],
  [{ column: 'last_used_at', isDescending: false }, ['old', 'new', 'a', 'b']],
  [{ column: 'last_used_at', isDescending: true }, ['new', 'old', 'a', 'b']],
  [{ column: 'created_at', isDescending: true }, ['a', 'b', 'new', 'old']],
])('sorted by %o, keys without a value come last and ties go by name', (sort, names) => {
  expect(sortKeys(KEYS, sort).map(({ name }) => name)).toEqual(names);
});
