import type { Actor } from '../accounts/accounts.ts';
import { insertAccount, insertOwner, insertProduct } from '../accounts/store.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { Database, Db } from '../platform/db.ts';
import { testDatabase } from './database.ts';

export interface TestAccount {
  database: Database;
  db: Db;
  accountId: string;
  productId: string;
  /** The owner, as changes are recorded. */
  actor: Actor;
}

/**
 * An account that no other test knows, with a product "default", in the database that the tests share unless another is
 * given. A service makes no account but its first, which all who ask for it would get.
 */
export async function testAccount(given?: Database): Promise<TestAccount> {
  const database = given ?? (await testDatabase());
  const now = new Date();
  const [accountId, productId, ownerId] = [uuidv7(now), uuidv7(now), uuidv7(now)];
  await insertAccount(database.db, { id: accountId, name: 'default' }, now);
  await insertProduct(database.db, accountId, { id: productId, name: 'default', createdAt: now });
  await insertOwner(database.db, accountId, { id: ownerId, name: 'owner' }, now);
  return { database, db: database.db, accountId, productId, actor: `person:${ownerId}` };
}
