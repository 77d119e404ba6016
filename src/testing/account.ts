import { type Actor, createAccount } from '../accounts/accounts.ts';
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

/** An account that no other test knows, with a product "default", in the database that the tests share. */
export async function testAccount(): Promise<TestAccount> {
  const database = await testDatabase();
  const { accountId, productId, ownerId } = await createAccount(database.db, new Date());
  return { database, db: database.db, accountId, productId, actor: `person:${ownerId}` };
}
