import { ServiceError } from '../kernel/errors.ts';
import type { Role } from '../platform/rights.ts';

/**
 * True if `actor` may manage `target`. Owners invite, change, remove and give links to everybody; admins only to members and
 * viewers, so that no member reaches a role above what they could give themselves.
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
