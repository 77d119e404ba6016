import { type Actor, lockAccount, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Db } from '../platform/db.ts';
import type { Role } from '../platform/rights.ts';
import { countKeys, type KeyCounts, selectKeyLimits, upsertKeyLimits } from './store-limits.ts';

/** No setting allows more: lists of keys are not paged. */
export const MOST_KEYS = 1_000;
/** Keys beyond those, which owners alone make, so that others never use up what an owner needs. */
const RESERVED_KEYS = 100;

/** Until an owner or admin changes them. */
const FIRST_LIMITS = { account: 50, person: 10 };

/** Returns how many keys an account, one person in it, and one product may have: as many as the account where nobody said. */
export async function readKeyLimits(db: Db, accountId: string): Promise<KeyCounts> {
  const limits = { ...FIRST_LIMITS, ...(await selectKeyLimits(db, accountId)) };
  return { ...limits, product: limits.product ?? limits.account };
}

/** Changes the limits of an account. Keys that are more than allowed by now stay. */
export async function changeKeyLimits(
  db: Db,
  { accountId, actor, limits }: { accountId: string; actor: Actor; limits: Partial<KeyCounts> },
  now: Date,
): Promise<KeyCounts> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId);
    const product = limits.product ?? (await selectKeyLimits(tx, accountId)).product ?? null;
    const before = await readKeyLimits(tx, accountId);
    const account = limits.account ?? before.account;
    const changed = { account, person: limits.person ?? before.person, product: product ?? account };
    await upsertKeyLimits(tx, accountId, { ...changed, product });
    const change = { accountId, actor, action: 'account.key_limits', target: accountId, at: now } as const;
    const detail = {
      most_keys: changed.account,
      most_keys_per_person: changed.person,
      most_keys_per_product: changed.product,
    };
    await recordAudit(tx, { ...change, detail });
    return changed;
  });
}

/**
 * Lets a further key be made, or not. What an owner makes is not held to the settings: whatever members do, the owner can
 * make the key with which things are put right. The account must be locked, so that the count stays.
 *
 * @throws ServiceError `conflict` where the person, the product or the account has as many as they may.
 */
export async function requireRoomForKey(
  tx: Db,
  accountId: string,
  { byOwner, role, ...owners }: { personId: string | null; productId: string; role: Role | null; byOwner: boolean },
): Promise<void> {
  const limits = await readKeyLimits(tx, accountId);
  const count = await countKeys(tx, accountId, owners);
  const most = MOST_KEYS + RESERVED_KEYS;
  if (count.account >= most) throw tooManyKeys('The account has', most);
  if (byOwner || role === 'owner') return;
  if (owners.personId !== null && count.person >= limits.person)
    throw tooManyKeys('The person for whom this key is made has', limits.person);
  if (count.account >= limits.account) throw tooManyKeys('The account has', limits.account);
  if (count.product >= limits.product) throw tooManyKeys('The product has', limits.product);
}

function tooManyKeys(who: string, most: number): ServiceError {
  return new ServiceError('conflict', `${who} ${most} API keys, the most that are allowed.`, {
    fix: 'Delete one that is not used any more, or have an owner raise the limit: svc key limits.',
  });
}
