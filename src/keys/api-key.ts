import type { Role } from '../platform/rights.ts';
import { ServiceError } from '../kernel/errors.ts';
import { DAY_MS, durationMs, isoDate } from '../kernel/time.ts';
import type { KeyScope } from '../platform/operation/operation.ts';
import type { KeyRow } from './store.ts';
import { MASKED_SECRET } from './token.ts';

/** Time before its end in which a key is shown as expiring. */
const EXPIRING_MS = 14 * DAY_MS;

/** Beyond this, dates do not read as dates any more. */
const LATEST_EXPIRY = new Date('9999-12-31T00:00:00Z');

const SCOPES: readonly KeyScope[] = ['read', 'decisions:write', 'plans:write', 'scrape', 'keys:write'];
const DEFAULT_SCOPES: readonly KeyScope[] = ['read', 'decisions:write', 'plans:write', 'scrape'];

/** Most scopes that a key of a person with this role can have. */
const SCOPES_OF_ROLE: Record<Role, readonly KeyScope[]> = {
  owner: SCOPES,
  admin: SCOPES,
  member: ['read', 'decisions:write', 'plans:write', 'scrape'],
  viewer: ['read'],
};

/** Periods that a former value may go on working, so that clients can be given the new one without a gap. */
export const GRACE_PERIODS = ['none', '1h', '24h', '7d'] as const;

export type GracePeriod = (typeof GRACE_PERIODS)[number];

type KeyStatus = 'active' | 'expiring' | 'expired';

/** A key as it is shown: everything but its secret. */
export interface ApiKey {
  id: string;
  name: string;
  /** `svc_****`, for every key. */
  prefix: string;
  createdAt: Date;
  createdBy: string;
  /** Time of the last use, at most a second behind. */
  lastUsedAt: Date | undefined;
  /** The key works until just before. */
  expiresAt: Date | undefined;
  status: KeyStatus;
  /** Current scopes: those that it was given, as far as the role of its person allows them. */
  scopes: readonly KeyScope[];
  /** Person that it acts for; undefined when it belongs to the installation, as keys made with the owner's token do. */
  personId: string | undefined;
  productId: string;
  /** Name of the product the key is bound to. */
  product: string;
  /** Until then the value before the last regeneration works too; undefined when it does not. */
  graceEndsAt: Date | undefined;
}

/** A key works while it is active or expiring, that is in the last 14 days before its end. */
export function keyStatus(expiresAt: Date | undefined, now: Date): KeyStatus {
  if (expiresAt === undefined) return 'active';
  const remainingMs = expiresAt.getTime() - now.getTime();
  if (remainingMs <= 0) return 'expired';
  return remainingMs <= EXPIRING_MS ? 'expiring' : 'active';
}

/**
 * The end of a key from a span (`30d`, `12h`) or an ISO date (its first moment, UTC). Without one a key never ends.
 *
 * @throws ServiceError `bad_argument` when it is neither, or not in the future.
 */
export function expiryFrom(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const spanMs = durationMs(text);
  const expiresAt = spanMs === undefined ? isoDate(text) : new Date(now.getTime() + spanMs);
  const fix =
    'Use a span such as 30d or 12h, or a future date such as 2030-01-31; leave it out for a key that never expires.';
  if (expiresAt === undefined) {
    throw new ServiceError('bad_argument', `The expiry "${text.slice(0, 40)}" is neither a span nor an ISO date.`, {
      fix,
    });
  }
  // A span of many weeks leaves the range of Date; an invalid one fails both comparisons.
  if (expiresAt > now && expiresAt <= LATEST_EXPIRY) return expiresAt;
  const fault = expiresAt <= now ? 'is not in the future' : 'is after the year 9999';
  throw new ServiceError('bad_argument', `The expiry "${text}" ${fault}.`, { fix });
}

/** Returns when the former value of a key that is regenerated now ends: with the key itself at the latest; null for at once. */
export function graceEnd(grace: GracePeriod, expiresAt: Date | null, now: Date): Date | null {
  const graceMs = grace === 'none' ? undefined : durationMs(grace);
  if (graceMs === undefined) return null;
  const endsAt = new Date(now.getTime() + graceMs);
  return expiresAt !== null && expiresAt < endsAt ? expiresAt : endsAt;
}

/**
 * Returns the scopes of a key that was given `scopes` and acts for a person with this role; with the role `installation` no
 * person's role limits them.
 */
export function scopesWithin(role: Role | 'installation', scopes: readonly string[]): KeyScope[] {
  const allowed = role === 'installation' ? SCOPES : SCOPES_OF_ROLE[role];
  return allowed.filter((scope) => scopes.includes(scope));
}

/**
 * Returns the current scopes of a key; undefined, which allows nothing at all, for the key of a person who is no member (any
 * more).
 */
export function scopesNow(key: {
  personId: string | null;
  role: Role | null;
  scopes: readonly string[];
}): KeyScope[] | undefined {
  if (key.personId === null) return scopesWithin('installation', key.scopes);
  return key.role === null ? undefined : scopesWithin(key.role, key.scopes);
}

/**
 * The scopes of a new key of somebody with this role, each once and in one order. Without a list: `read`,
 * `decisions:write`, `plans:write` and `scrape`, as far as the role has them; `keys:write` (to manage keys) has to be asked for.
 *
 * @throws ServiceError `bad_argument` for an empty list and for unknown scopes, `scope_denied` for more than the role has.
 */
export function newScopes(role: Role | 'installation', names: readonly string[] | undefined): readonly KeyScope[] {
  if (names === undefined) return scopesWithin(role, DEFAULT_SCOPES);
  const requestedScopes = parseScopes(names);
  const within = scopesWithin(role, requestedScopes);
  const denied = requestedScopes.find((scope) => !within.includes(scope));
  if (denied === undefined) return requestedScopes;
  throw new ServiceError(
    'scope_denied',
    `An API key of a person with the role ${role} cannot have the scope "${denied}".`,
    {
      fix: `Leave the scope out, or ask an owner or admin of the account for such a key.`,
    },
  );
}

function parseScopes(names: readonly string[]): readonly KeyScope[] {
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown === undefined && names.length > 0) return SCOPES.filter((scope) => names.includes(scope));
  const message =
    unknown === undefined ? 'An API key needs at least one scope.' : `There is no scope "${unknown.slice(0, 40)}".`;
  throw new ServiceError('bad_argument', message, {
    fix: `Choose from ${SCOPES.join(', ')}, or leave scopes out for ${DEFAULT_SCOPES.join(', ')}.`,
  });
}

export function unknownKey(keyId: string): ServiceError {
  return new ServiceError('not_found', `There is no API key with the id "${keyId.slice(0, 40)}".`, {
    fix: 'List the keys to see their ids: svc key list.',
  });
}

export function expiredKey(key: { id: string; name: string; expiresAt: Date | null }): ServiceError {
  const when = key.expiresAt?.toISOString() ?? '';
  return new ServiceError('conflict', `The API key "${key.name}" expired at ${when}; it can only be deleted.`, {
    fix: `Delete it (svc key delete ${key.id}) and create a new one.`,
  });
}

/** A key as it is shown. */
export function asApiKey(row: KeyRow, product: string, now: Date): ApiKey {
  const expiresAt = row.expiresAt ?? undefined;
  return {
    id: row.id,
    name: row.name,
    prefix: MASKED_SECRET,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    lastUsedAt: row.lastUsedAt ?? undefined,
    expiresAt,
    status: keyStatus(expiresAt, now),
    scopes: scopesNow(row) ?? [],
    personId: row.personId ?? undefined,
    productId: row.productId,
    product,
    graceEndsAt: row.graceEndsAt !== null && row.graceEndsAt > now ? row.graceEndsAt : undefined,
  };
}
