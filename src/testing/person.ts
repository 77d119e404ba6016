import { uuidv7 } from '../kernel/ids.ts';
import { hashPassword } from '../accounts/password.ts';
import type { Role } from '../platform/rights.ts';
import { findSession, type SignedIn, startSession } from '../accounts/sessions.ts';
import { insertMember, insertPerson, type SignInMethod } from '../accounts/store-people.ts';
import type { TestAccount } from './account.ts';

/** Somebody who belongs to a test account and is signed in. */
export interface TestPerson {
  who: SignedIn;
  /** Of the session. */
  token: string;
  email: string;
}

/** Password of every test person that has one. */
export const PASSWORD = 'correct horse battery';

/** Makes a member of the account, with a session that began at `now`. */
export async function testPerson(
  { db, accountId }: TestAccount,
  role: Role,
  now: Date,
  { password, method = 'password' }: { password?: string; method?: SignInMethod } = {},
): Promise<TestPerson> {
  const id = uuidv7(now);
  const email = `${id}@example.com`;
  const passwordHash = password === undefined ? null : await hashPassword(password);
  await insertPerson(db, { id, name: `the ${role}`, email, passwordHash }, now);
  await insertMember(db, accountId, { personId: id, role }, now);
  const { token } = await startSession(db, { accountId, personId: id, way: method, userAgent: 'test' }, now);
  const who = await findSession(db, token, now);
  if (who === undefined) throw new Error('A session that has just begun is not found.');
  return { who, token, email };
}
