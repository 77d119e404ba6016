import { type Actor, lockAccount, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Db } from '../platform/db.ts';
import type { Role } from '../platform/rights.ts';
import { countKeys, type KeyCounts, selectKeyLimits, upsertKeyLimits } from './store-limits.ts';

/** No setting allows more, and no owner has more: lists of keys are not paged. */
export const MOST_KEYS = 1_000;

/** Until an owner or admin changes them. */
const FIRST_LIMITS: KeyCounts = { account: 50, person: 10 };

/** Returns how many keys an account, and one person in it, may have. */
export async function readKeyLimits(db: Db, accountId: string): Promise<KeyCounts> {
  return (await selectKeyLimits(db, accountId)) ?? FIRST_LIMITS;
}

/** Changes the limits of an account. Keys that are more than allowed by now stay. */
export async function changeKeyLimits(
  db: Db,
  { accountId, actor, limits }: { accountId: string; actor: Actor; limits: Partial<KeyCounts> },
  now: Date,
): Promise<KeyCounts> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId);
    const changed = { ...(await readKeyLimits(tx, accountId)), ...limits };
    await upsertKeyLimits(tx, accountId, changed);
    const change = { accountId, actor, action: 'account.key_limits', target: accountId, at: now } as const;
    await recordAudit(tx, { ...change, detail: { most_keys: changed.account, most_keys_per_person: changed.person } });
    return changed;
  });
}

/**
 * Lets a further key be made, or not. What an owner makes is not held to the settings: whatever members do, the owner can
 * make the key with which things are put right. The account must be locked, so that the count stays.
 *
 * @throws ServiceError `conflict` where the person or the account has as many as they may.
 */
export async function requireRoomForKey(
  tx: Db,
  accountId: string,
  { personId, role, byOwner }: { personId: string | null; role: Role | null; byOwner: boolean },
): Promise<void> {
  const limits = await readKeyLimits(tx, accountId);
  const count = await countKeys(tx, accountId, personId);
  if (count.account >= MOST_KEYS) throw tooManyKeys('The account has', MOST_KEYS);
  if (byOwner || role === 'owner') return;
  if (personId !== null && count.person >= limits.person)
    throw tooManyKeys('The person for whom this key is made has', limits.person);
  if (count.account >= limits.account) throw tooManyKeys('The account has', limits.account);
}

function tooManyKeys(who: string, most: number): ServiceError {
  return new ServiceError('conflict', `${who} ${most} API keys, the most that are allowed.`, {
    fix: 'Delete one that is not used any more, or have an owner raise the limit: svc key limits.',
  });
}
