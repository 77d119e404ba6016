import { ServiceError } from '../kernel/errors.ts';
import type { Client } from './client.ts';
import { table } from './table.ts';
import { ownCommand } from './own-command.ts';

/** A key as the routes give it. `key` is there once: in the answer that made it. */
interface KeyJson {
  id: string;
  name: string;
  key?: string;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  status: 'active' | 'expiring' | 'expired';
  scopes: string[];
  product: string;
  grace_ends_at: string | null;
}

/** The shape that scripts rely on: `svc key create --json`. */
interface CreatedKeyJson {
  id: string;
  name: string;
  key: string;
  prefix: string;
  expires_at: string | null;
  scopes: string[];
  product: string;
}

/** Makes a key. `expires` is a date or a span such as `30d`; `scopes` words with commas between. */
export async function createKey(
  client: Client,
  options: { name: string; expires?: string; scopes?: string },
): Promise<CreatedKeyJson> {
  const { name, expires, scopes } = options;
  const words = scopes?.split(',').map((word) => word.trim());
  return toCreatedKey(await client.send<KeyJson>('POST', '/v1/api-keys', { name, expires, scopes: words }));
}

export async function listKeys(client: Client): Promise<KeyJson[]> {
  const { keys } = await client.send<{ keys: KeyJson[] }>('GET', '/v1/api-keys');
  return keys;
}

/** Gives a key a new value. The old one stops at once, or when the grace period (`1h`, `24h`, `7d`) ends. */
export async function regenerateKey(
  client: Client,
  idOrName: string,
  grace: string,
): Promise<CreatedKeyJson & Pick<KeyJson, 'grace_ends_at'>> {
  const { id } = await findKey(client, idOrName);
  const renewed = await client.send<KeyJson>(
    'POST',
    `/v1/api-keys/${id}/regenerate?grace=${encodeURIComponent(grace)}`,
  );
  return { ...toCreatedKey(renewed), grace_ends_at: renewed.grace_ends_at };
}

/** Ends the grace period of a regenerated key now and returns the key; one without is not changed. */
export async function endGrace(client: Client, idOrName: string): Promise<KeyJson> {
  const key = await findKey(client, idOrName);
  await client.send('DELETE', `/v1/api-keys/${key.id}/grace`);
  return key;
}

/** Deletes a key for good and gives what it was. */
export async function deleteKey(client: Client, idOrName: string): Promise<KeyJson> {
  const key = await findKey(client, idOrName);
  await client.send('DELETE', `/v1/api-keys/${key.id}`);
  return key;
}

interface KeyLimitsJson {
  most: number;
  most_per_person: number;
  most_per_product: number;
}

/** Returns how many keys there may be, after the changes that were given. */
export function keyLimits(
  client: Client,
  change: { account?: string; perPerson?: string; perProduct?: string },
): Promise<KeyLimitsJson> {
  const { account, perPerson, perProduct } = change;
  if ([account, perPerson, perProduct].every((count) => count === undefined))
    return client.send('GET', '/v1/api-keys/limits');
  const limits = {
    ...(account !== undefined && { most: Number(account) }),
    ...(perPerson !== undefined && { most_per_person: Number(perPerson) }),
    ...(perProduct !== undefined && { most_per_product: Number(perProduct) }),
  };
  return client.send('PATCH', '/v1/api-keys/limits', limits);
}

/** The limits for people. */
export function limitsText(limits: KeyLimitsJson): string {
  const { most, most_per_person: mostPerPerson, most_per_product: mostPerProduct } = limits;
  return `API keys: at most ${most} in the account, ${mostPerPerson} per person, ${mostPerProduct} per product.`;
}

/** The list for people. */
export function keyTable(keys: readonly KeyJson[]): string {
  if (keys.length === 0) return `There are no API keys. Create one with: ${ownCommand('key create --name <name>')}`;
  return table(
    ['ID', 'NAME', 'KEY', 'STATUS', 'CREATED', 'LAST USED', 'EXPIRES', 'SCOPES'],
    keys.map((key) => [
      key.id,
      key.name,
      key.prefix,
      key.status,
      day(key.created_at),
      day(key.last_used_at),
      day(key.expires_at),
      key.scopes.join(','),
    ]),
  );
}

export async function findKey(client: Client, idOrName: string): Promise<KeyJson> {
  const keys = await listKeys(client);
  const matches = keys.filter((key) => key.id === idOrName || key.name === idOrName);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (matches.length > 1) {
    throw new ServiceError('conflict', `${matches.length} API keys are named "${idOrName}".`, {
      fix: `Use an id: ${matches.map((key) => key.id).join(', ')}.`,
    });
  }
  throw new ServiceError('not_found', `There is no API key "${idOrName}".`, {
    fix: `List them with: ${ownCommand('key list')}`,
  });
}

function toCreatedKey({ id, name, key, prefix, expires_at, scopes, product }: KeyJson): CreatedKeyJson {
  if (key === undefined) throw new Error('The service made a key and did not show it.');
  return { id, name, key, prefix, expires_at, scopes, product };
}

function day(time: string | null): string {
  return time === null ? 'never' : time.slice(0, 10);
}
