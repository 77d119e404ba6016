import { ServiceError } from '../kernel/errors.ts';
import type { Caller, KeyScope } from './operation/operation.ts';

/** Roles of a member of an account, the strongest first: each may do what the ones after it may. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** True if the role `has` may do what is for `needed` and above. */
export function roleCovers(has: Role, needed: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(needed);
}

/**
 * The requester over HTTP: made at the edge, in one way, from an API key, the owner's token, or the session of a person in the
 * web application. `keyId` is then the id of the key, of the owner, or of that person.
 */
export interface Requester extends Caller {
  by: 'key' | 'owner' | 'person';
  /** Role that decides for a person; a key has its scopes. */
  role?: Role;
}

/** Requirement of an action: a key needs the scope (no key may do what is the owner's), a person the role or a stronger one. */
export interface Right {
  scope: KeyScope | 'owner';
  role: Role;
}

/** Right to see what belongs to a product. */
export const READ: Right = { scope: 'read', role: 'viewer' };

/** Returns the actor that changes are recorded for. */
export function actorOf({ by, keyId }: Requester): `person:${string}` | `key:${string}` {
  return by === 'key' ? `key:${keyId}` : `person:${keyId}`;
}

/** @throws ServiceError `scope_denied`. The owner's token may do everything. */
export function requireRight({ by, role, scopes }: Requester, right: Right): void {
  if (by === 'owner') return;
  if (by === 'person') return requireRole(role ?? 'viewer', right.role);
  if (right.scope === 'owner') {
    throw new ServiceError('scope_denied', 'Only the owner may do this; API keys may not.', {
      fix: 'Send the owner\'s token as "Authorization: Bearer <token>", or use the svc command, which has it.',
    });
  }
  if (scopes.includes(right.scope)) return;
  throw new ServiceError('scope_denied', `This API key has no scope "${right.scope}".`, {
    fix: `Use an API key with the scope "${right.scope}", or the owner's token.`,
  });
}

/** Requires a scope, for a part of an operation that needs more than the operation. @throws ServiceError `scope_denied`. */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: KeyScope): void {
  if (scopes.includes(scope)) return;
  throw new ServiceError('scope_denied', `This needs the scope "${scope}", which this API key does not have.`, {
    fix: `create an API key with the scope "${scope}" and use it for this server`,
  });
}

/** @throws ServiceError `scope_denied` unless `has` is `needed` or a stronger role. */
export function requireRole(has: Role, needed: Role): void {
  if (roleCovers(has, needed)) return;
  throw new ServiceError('scope_denied', `The role ${has} may not do this; the role ${needed} is needed.`, {
    fix: 'Ask an owner or admin of the account.',
  });
}
