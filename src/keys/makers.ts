import {
  type Actor,
  findMember,
  type KeyCheck,
  listProducts,
  listVisibleProducts,
  recordAudit,
  type RightsChange,
  type SettleKeys,
} from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import type { Role } from '../platform/rights.ts';
export type { KeyCheck } from '../accounts/accounts.ts';
import { scopesNow, scopesWithin } from './api-key.ts';
import { handOverKey, type KeyRow, type LockedKeyRow, lockKey, lockKeysOf, removeKey } from './store.ts';

/** The person that a key acts for, with their current role; both null for the installation. */
interface Maker {
  personId: string | null;
  role: Role | null;
}

/** Change of the keys of a member: `settle` in the transaction that changes the member, `apply` after it. */
export interface Settlement {
  settle: SettleKeys;
  apply: () => Promise<void>;
}

/**
 * Returns the person that a key of this request acts for: the person of a key is also that of the keys that it makes.
 *
 * @throws ServiceError `scope_denied` when that person, or the key, is not there any more.
 */
export async function makerOf(
  tx: Db,
  { accountId, actor, byOwner }: { accountId: string; actor: Actor; byOwner?: boolean | undefined },
): Promise<Maker> {
  if (byOwner === true) return { personId: null, role: null };
  const [kind, id = ''] = actor.split(':');
  const maker = kind === 'key' ? await lockKey(tx, accountId, id) : undefined;
  if (maker?.personId === null) return { personId: null, role: null };
  const personId = kind === 'person' ? id : maker?.personId;
  const member = personId === undefined ? undefined : await findMember(tx, accountId, personId);
  if (personId !== undefined && member !== undefined) return { personId, role: member.role };
  throw new ServiceError('scope_denied', 'The person for whom this key is made is no longer a member of the account.', {
    fix: 'Ask an owner or admin of the account for a key.',
  });
}

/** The product of a new key among those that its person sees, with their role there. @throws ServiceError `not_found`. */
export async function productFor(
  tx: Db,
  { accountId, product: idOrName }: { accountId: string; product: string },
  personId: string | null,
): Promise<{ id: string; name: string; role: Role | null }> {
  const products =
    personId === null
      ? (await listProducts(tx, accountId)).map((product) => ({ ...product, role: null }))
      : await listVisibleProducts(tx, accountId, personId);
  const product = products.find(({ id }) => id === idOrName) ?? products.find(({ name }) => name === idOrName);
  if (product !== undefined) return product;
  const names = products.map(({ name }) => name);
  throw new ServiceError('not_found', `There is no product "${idOrName.slice(0, 80)}".`, {
    fix: names.length === 0 ? 'Create a product first.' : `Name one of: ${names.slice(0, 10).join(', ')}.`,
  });
}

/** Makes the check that `Keys.recheck` describes. */
export function keyCheck(parts: {
  notify: (tx: Db, accountId: string) => Promise<void>;
  recheck: (accountId: string) => Promise<void>;
}): KeyCheck {
  let changedAccountId: string | undefined;
  return {
    settle: async (tx, accountId) => {
      changedAccountId = accountId;
      await parts.notify(tx, accountId);
    },
    apply: async () => {
      if (changedAccountId !== undefined) await parts.recheck(changedAccountId);
    },
  };
}

interface SettlementParts {
  /** The member who gets the keys of one who leaves; without one they end. */
  keysTo: string | undefined;
  /** For a member who stays. */
  check: KeyCheck;
  notify: (tx: Db, keyId: string) => Promise<void>;
  changed: (keyId: string) => void;
}

/** Makes the change of keys that `Keys.settlement` describes. */
export function settlement({ keysTo, check, notify, changed }: SettlementParts): Settlement {
  let removedIds: readonly string[] = [];
  return {
    settle: async (tx, change) => {
      const { accountId, personId, to } = change;
      const keys = await lockKeysOf(tx, accountId, personId);
      if (to !== undefined) {
        await check.settle(tx, accountId);
        return describeKeys({ keys_changed: keys.filter((key) => isChanged(key, change.from)) });
      }
      for (const { id } of keys) await notify(tx, id);
      removedIds = keys.map(({ id }) => id);
      const handedOverKeys = keysTo === undefined ? [] : await handOver(tx, { ...change, keys, keysTo });
      const ended = keys.filter((key) => !handedOverKeys.includes(key));
      for (const key of ended) await endKey(tx, change, key);
      return describeKeys({ keys_handed_over: handedOverKeys, keys_ended: ended });
    },
    apply: async () => {
      for (const id of removedIds) changed(id);
      await check.apply();
    },
  };
}

/** True if a key can do something else with the role that its person has now in its product. */
function isChanged(key: KeyRow, from: Role): boolean {
  return scopesWithin(from, key.scopes).length !== scopesNow(key)?.length;
}

/** Names of keys for the audit log, under what became of them. */
function describeKeys(keys: Record<string, readonly KeyRow[]>): Record<string, string[]> {
  const named = Object.entries(keys).map(([what, some]) => [what, some.map(({ name }) => name)] as const);
  return Object.fromEntries(named.filter(([, names]) => names.length > 0));
}

async function endKey(tx: Db, { accountId, actor, at }: RightsChange, key: LockedKeyRow): Promise<void> {
  await removeKey(tx, accountId, key);
  await recordAudit(tx, { accountId, actor, at, action: 'api_key.delete', target: key.id, detail: { name: key.name } });
}

/**
 * Hands keys over and returns them. A key can do no more than it could before: what its former person was not allowed is not
 * handed over with it, and a key without any remaining scope is not handed over.
 *
 * @throws ServiceError `bad_argument` when `keysTo` is no other member of the account.
 */
async function handOver(
  tx: Db,
  { keys, keysTo, ...change }: RightsChange & { keys: readonly LockedKeyRow[]; keysTo: string },
): Promise<LockedKeyRow[]> {
  const { accountId, personId, from, actor, at } = change;
  const heir = isUuid(keysTo) && keysTo !== personId ? await findMember(tx, accountId, keysTo) : undefined;
  if (heir === undefined) {
    throw new ServiceError('bad_argument', 'API keys can only be handed over to another member of the account.', {
      fix: 'Choose a member from the list, or let the keys expire.',
    });
  }
  const allowed = (key: LockedKeyRow) => scopesWithin(key.role ?? from, key.scopes);
  const transferableKeys = keys.filter((key) => key.role !== null && allowed(key).length > 0);
  for (const key of transferableKeys) {
    await handOverKey(tx, accountId, { id: key.id, personId: keysTo, scopes: allowed(key) });
    const detail = { name: key.name, to: heir.name, from_id: personId, to_id: keysTo };
    await recordAudit(tx, { accountId, actor, at, action: 'api_key.hand_over', target: key.id, detail });
  }
  return transferableKeys;
}
