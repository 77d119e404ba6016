import { expect, test } from 'vitest';
import { ServiceError } from '../kernel/errors.ts';
import { actorOf, type Requester, requireRight, type Right, ROLES } from './rights.ts';

const base = { accountId: 'a', productId: 'p', keyId: 'id' } as const;
const key = (...scopes: Requester['scopes']): Requester => ({ ...base, by: 'key', scopes });
const owner: Requester = { ...base, by: 'owner', scopes: ['read'] };
const people: Requester[] = ROLES.map((role) => ({ ...base, by: 'person', scopes: ['read'], role }));

/** Returns those who have the right, by their role or scopes. */
function listAllowed(right: Right): string[] {
  return [owner, key('read'), key('decisions:write'), key('keys:write'), ...people].flatMap((person) => {
    try {
      requireRight(person, right);
      return [person.role ?? (person.by === 'owner' ? 'token' : person.scopes.join(','))];
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'scope_denied') return [];
      throw error;
    }
  });
}

test('a key has what its scopes name and never what is the owner’s, a person what the role covers', () => {
  expect(listAllowed({ scope: 'read', role: 'viewer' })).toEqual(['token', 'read', ...ROLES]);
  expect(listAllowed({ scope: 'decisions:write', role: 'member' })).toEqual([
    'token',
    'decisions:write',
    'owner',
    'admin',
    'member',
  ]);
  expect(listAllowed({ scope: 'owner', role: 'admin' })).toEqual(['token', 'owner', 'admin']);
  expect(listAllowed({ scope: 'owner', role: 'owner' })).toEqual(['token', 'owner']);
});

test('a person without a role may look and change nothing', () => {
  const { role: _, ...nobody } = { ...base, by: 'person' as const, scopes: ['read' as const], role: 'viewer' };

  expect(() => requireRight(nobody, { scope: 'read', role: 'viewer' })).not.toThrow();
  expect(() => requireRight(nobody, { scope: 'read', role: 'member' })).toThrow('role viewer');
});

test('changes are recorded as of the key or of the person, the owner too', () => {
  expect([key('read'), owner, people[0]].map((requester) => requester && actorOf(requester))).toEqual([
    'key:id',
    'person:id',
    'person:id',
  ]);
});
