import { expect, test } from 'vitest';
import { isAtLeast } from './session.tsx';

test('a role may do what weaker ones may, and nothing more', () => {
  const roles = ['viewer', 'member', 'admin', 'owner'] as const;

  const allowed = roles.map((role) => roles.filter((least) => isAtLeast(role, least)));

  expect(allowed).toEqual([['viewer'], ['viewer', 'member'], ['viewer', 'member', 'admin'], [...roles]]);
});
