import type { Role } from '../../src/accounts/account-bodies.ts';

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies Role[];

export const ROLE_HINTS: Record<Role, string> = {
  owner: 'Everything, including all members.',
  admin: 'Repositories, products, all API keys and the audit log; invites members and viewers.',
  member: 'Reads and writes in products that are open to the account, or that they were given; has their own API keys.',
  viewer: 'Reads and searches in those products; cannot create API keys.',
};

/** True if a person may invite, change and remove people of a role. The service decides; this hides what it would refuse. */
export function mayManage(actor: Role, target: Role): boolean {
  return actor === 'owner' || (actor === 'admin' && (target === 'member' || target === 'viewer'));
}

/** Roles that somebody may give, for a list to choose from. */
export function roleChoices(giver: Role): { value: Role; label: string }[] {
  return ROLES.filter((role) => mayManage(giver, role)).map((role) => ({
    value: role,
    label: role.slice(0, 1).toUpperCase() + role.slice(1),
  }));
}
