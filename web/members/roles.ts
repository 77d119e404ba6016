import type { Role } from '../../src/http/app-api.ts';

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies Role[];

export const ROLE_HINTS: Record<Role, string> = {
  owner: 'Everything, also making other owners.',
  admin: 'Everything but making owners: repositories, keys, members, products, audit log.',
  member: 'Reads everything and manages own API keys.',
  viewer: 'Reads and searches; no API keys.',
};

/** Roles that somebody of a role may give, for a list to choose from. */
export function roleChoices(giver: Role): { value: Role; label: string }[] {
  return ROLES.filter((role) => giver === 'owner' || role !== 'owner').map((role) => ({
    value: role,
    label: role.slice(0, 1).toUpperCase() + role.slice(1),
  }));
}
