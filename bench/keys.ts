import { ensureFirstAccount } from '../src/accounts/accounts.ts';
import { openKeys } from '../src/keys/keys.ts';
import { openEmbedded } from '../src/platform/db-embedded.ts';
import { migrate } from '../src/platform/migrate.ts';
import type { Row } from './report.ts';

const CHECKS = 100_000;

const now = (): Date => new Date();

/** What the check of a key costs a request once the key is known. */
export async function benchKeys(): Promise<Row[]> {
  const database = await openEmbedded();
  await migrate(database.db);
  const { accountId, productId, ownerId } = await ensureFirstAccount(database.db, now());
  const keys = await openKeys(database, now, { onFault: () => undefined });
  const { secret } = await keys.createKey({ accountId, product: productId, name: 'bench', actor: `person:${ownerId}` });
  const perCheck = async (): Promise<number> => {
    const startedAt = performance.now();
    for (let check = 0; check < CHECKS; check++) await keys.authenticate(secret);
    return ((performance.now() - startedAt) / CHECKS) * 1000;
  };
  await perCheck();
  const value = await perCheck();
  await keys.close();
  await database.close();
  return [{ topic: 'keys', name: 'cached check', value, unit: 'us' }];
}
