import type { Requester } from '../platform/rights.ts';
import { type ApiKey, unknownKey } from './api-key.ts';
import type { Keys } from './keys.ts';

/** The keys that a requester manages, newest first: a member the own ones, a viewer none, every other all of the account. */
export async function listManagedKeys(
  keys: Pick<Keys, 'listKeys'>,
  { by, role, accountId, keyId: personId }: Requester,
): Promise<ApiKey[]> {
  if (by === 'person' && role === 'viewer') return [];
  const all = await keys.listKeys(accountId);
  return by === 'person' && role === 'member' ? all.filter((key) => key.personId === personId) : all;
}

/** @throws ServiceError `not_found` for a key of others, as for one that does not exist. */
export async function findManagedKey(keys: Pick<Keys, 'listKeys'>, requester: Requester, id: string): Promise<ApiKey> {
  const key = (await listManagedKeys(keys, requester)).find((apiKey) => apiKey.id === id);
  if (key !== undefined) return key;
  throw unknownKey(id);
}
