import { ServiceError } from '../kernel/errors.ts';

/** What a member of an account may do, most first: each may do what the ones after it may. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** Whether somebody with the role `has` may do what is for `needed` and above. */
export function roleCovers(has: Role, needed: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(needed);
}

/**
 * Owners invite, change, remove and give links to everybody; admins only members and viewers, so that nobody reaches a
 * role above what they could give themselves.
 */
export function mayManage(actor: Role, target: Role): boolean {
  return actor === 'owner' || (actor === 'admin' && (target === 'member' || target === 'viewer'));
}

/** @throws ServiceError `scope_denied` unless `mayManage`. */
export function requireManages(actor: Role, target: Role): void {
  if (mayManage(actor, target)) return;
  throw new ServiceError('scope_denied', `The role ${actor} does not manage people with the role ${target}.`, {
    fix: 'Ask an owner of the account.',
  });
}
