import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretKeysOf } from '../platform/secrets.ts';
import { testAccount } from '../testing/account.ts';
import { PASSWORD, testPerson } from '../testing/person.ts';
import { changeAccount, confirmTotp, disableTotp, enrolTotp } from './own-account.ts';
import { sql } from 'kysely';
import { resealColumn } from '../platform/sealed-column.ts';
import { findSession, startSession } from './sessions.ts';
import { signInByPassword } from './sign-in.ts';
import { findPerson, TOTP_SECRET } from './store-people.ts';
import { codeAt } from './totp.ts';
import { TEST_SECRET_KEYS } from '../testing/secrets.ts';

/** Keys that encrypt the secrets of authenticators. */
const KEYS = secretKeysOf([randomBytes(32).toString('base64')]);

const SOURCE = { address: '192.0.2.1', device: undefined };
const NOW = new Date('2026-11-21T10:00:00Z');
const STEP = Math.floor(NOW.getTime() / 30_000);
const denied = { code: 'scope_denied' };

test('a new password ends the other sessions and needs the present one', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who, token, email } = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const other = await startSession(db, { accountId, personId: who.personId, way: 'password', userAgent: '' }, NOW);
  const password = 'a much better password';

  await expect(changeAccount(db, who, { password }, NOW)).rejects.toMatchObject(denied);
  await expect(changeAccount(db, who, { password, currentPassword: 'wrong' }, NOW)).rejects.toMatchObject(denied);
  await changeAccount(db, who, { password, currentPassword: PASSWORD }, NOW);

  expect(await findSession(db, token, NOW)).toBeDefined();
  expect(await findSession(db, other.token, NOW)).toBeUndefined();
  const given = { accountId, email, userAgent: '', source: SOURCE, keys: KEYS };
  await expect(signInByPassword(db, { ...given, password: PASSWORD }, NOW)).rejects.toMatchObject({
    code: 'invalid_key',
  });
  expect(await signInByPassword(db, { ...given, password }, NOW)).toMatchObject({ token: expect.any(String) });
});

test('who came by a link sets address and password without the former one, but not a password without an address', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who } = await testPerson(account, 'owner', NOW, { password: PASSWORD, method: 'link' });
  const email = `new-${accountId}@example.com`;

  await changeAccount(
    db,
    who,
    { email: email.toUpperCase(), password: 'a much better password', name: 'New Name' },
    NOW,
  );

  const given = { accountId, email, password: 'a much better password', userAgent: '', source: SOURCE, keys: KEYS };
  expect(await signInByPassword(db, given, NOW)).toMatchObject({});
  const first = await testAccount();
  const owner = { ...who, accountId: first.accountId, personId: first.actor.replace('person:', '') };
  await expect(changeAccount(first.db, owner, { password: PASSWORD }, NOW)).rejects.toMatchObject({
    code: 'bad_argument',
  });
});

test('an address that somebody has, or that is none, is refused; a name needs no proof', async () => {
  const account = await testAccount();
  const { db } = account;
  const { who, token } = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const other = await testPerson(account, 'member', NOW);
  const proof = { currentPassword: PASSWORD };

  await expect(changeAccount(db, who, { email: other.email, ...proof }, NOW)).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(changeAccount(db, who, { email: 'no address', ...proof }, NOW)).rejects.toMatchObject({
    code: 'bad_argument',
  });
  await changeAccount(db, who, { name: ' New Name ' }, NOW);

  expect(await findSession(db, token, NOW)).toMatchObject({ name: 'New Name' });
});

test('an authenticator counts once a code of it was shown, and goes only with proof', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who, email } = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const given = { accountId, email, password: PASSWORD, userAgent: '', source: SOURCE, keys: KEYS };
  const proof = { currentPassword: PASSWORD };

  await expect(confirmTotp(db, who, { code: '123456', keys: KEYS }, NOW)).rejects.toMatchObject({ code: 'conflict' });
  await expect(enrolTotp(db, who, { issuer: 'svc', keys: KEYS })).rejects.toMatchObject(denied);
  const { secret, uri } = await enrolTotp(db, who, { ...proof, issuer: 'svc', keys: KEYS });
  expect(await signInByPassword(db, given, NOW)).toMatchObject({});
  await expect(confirmTotp(db, who, { code: codeAt(secret, STEP - 9), keys: KEYS }, NOW)).rejects.toMatchObject({
    code: 'bad_argument',
  });
  await confirmTotp(db, who, { code: codeAt(secret, STEP), keys: KEYS }, NOW);

  expect(uri).toContain(encodeURIComponent(email));
  expect(await signInByPassword(db, given, NOW)).toBe('code_required');
  // The code that turned it on was used by that.
  await expect(signInByPassword(db, { ...given, code: codeAt(secret, STEP) }, NOW)).rejects.toMatchObject({
    code: 'invalid_key',
  });
  await expect(disableTotp(db, who, {}, NOW)).rejects.toMatchObject(denied);
  await disableTotp(db, who, proof, NOW);
  expect(await signInByPassword(db, given, NOW)).toMatchObject({ token: expect.any(String) });
});

test('the secret of an authenticator is kept encrypted, and one of before is from the next start on', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const { who, email } = await testPerson(account, 'member', NOW, { password: PASSWORD });
  const proof = { currentPassword: PASSWORD, issuer: 'svc' };
  const readPerson = async () => findPerson(db, accountId, who.personId);

  const { secret } = await enrolTotp(db, who, { ...proof, keys: KEYS });
  expect((await readPerson())?.totpPending).toMatch(/^v1\./);
  await confirmTotp(db, who, { code: codeAt(secret, STEP - 1), keys: KEYS }, NOW);
  expect((await readPerson())?.totpSecret).toMatch(/^v1\./);

  await sql`update person set totp_secret = ${secret} where id = ${who.personId}`.execute(db);
  await resealColumn(db, KEYS, TOTP_SECRET);
  const sealed = (await readPerson())?.totpSecret;
  await resealColumn(db, KEYS, TOTP_SECRET);

  expect(sealed).toMatch(/^v1\./);
  expect((await readPerson())?.totpSecret).toBe(sealed);
  const given = { accountId, email, password: PASSWORD, userAgent: '', source: SOURCE, code: codeAt(secret, STEP) };
  await expect(signInByPassword(db, { ...given, keys: TEST_SECRET_KEYS }, NOW)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await signInByPassword(db, { ...given, keys: KEYS }, NOW)).toMatchObject({ token: expect.any(String) });
});
