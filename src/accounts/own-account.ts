import { ServiceError } from '../kernel/errors.ts';
import type { Db } from '../platform/db.ts';
import type { SecretKeys } from '../platform/secrets.ts';
import { displayName } from './accounts.ts';
import { type AuditedChange, recordAudit } from './audit.ts';
import { requireEmail } from './email.ts';
import { addressTaken } from './members.ts';
import { hashPassword, passwordMatches } from './password.ts';
import type { SignedIn } from './sessions.ts';
import {
  clearTotp,
  confirmPendingTotp,
  deleteSessions,
  findPerson,
  type PersonRow,
  setPendingTotp,
  updatePerson,
} from './store-people.ts';
import { newTotpSecret, openTotpSecret, sealTotpSecret, totpStep, totpUri } from './totp.ts';

/** Changes of a person's own account; what is absent stays. */
interface AccountChange {
  name?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
  currentPassword?: string | undefined;
}

/**
 * Changes the own account of a person. A new address or password needs the present password, unless they came by a link within
 * the last 15 minutes or have none yet. A new password ends all their other sessions.
 *
 * @throws ServiceError `bad_argument` for a value that cannot be used, `scope_denied` without the present password, `conflict`
 * for an address that is in use.
 */
export async function changeAccount(db: Db, who: SignedIn, request: AccountChange, now: Date): Promise<void> {
  const { accountId, personId, sessionId } = who;
  const person = await requireSelf(db, who);
  const name = request.name === undefined ? undefined : displayName(request.name, 'person');
  const email = request.email === undefined ? undefined : requireEmail(request.email);
  const isNewEmail = email !== undefined && email !== person.email;
  if (isNewEmail || request.password !== undefined) await requireProof(who, person, request.currentPassword);
  if (request.password !== undefined && (email ?? person.email) === null) throw noAddress();
  const passwordHash = request.password === undefined ? undefined : await hashPassword(request.password);
  const change = {
    ...(name === undefined || name === person.name ? {} : { name }),
    ...(isNewEmail ? { email } : {}),
    ...(passwordHash === undefined ? {} : { passwordHash }),
  };
  const changed = Object.keys(change).map((key) => (key === 'passwordHash' ? 'password' : key));
  if (changed.length === 0) return;
  await db.transaction().execute(async (tx) => {
    if (!(await updatePerson(tx, personId, change))) throw addressTaken(email ?? '');
    if (passwordHash !== undefined) await deleteSessions(tx, accountId, { personId, keep: sessionId });
    await record(tx, who, { action: 'person.update', detail: { changed }, at: now });
  });
}

/**
 * Begins to set an authenticator up: returns a secret that counts only once `confirmTotp` has received a code of it. A second
 * call returns another secret. One in use stays in use until then.
 *
 * @throws ServiceError `scope_denied` without the present password (see `changeAccount`).
 */
export async function enrolTotp(
  db: Db,
  who: SignedIn,
  { currentPassword, issuer, keys }: { currentPassword?: string | undefined; issuer: string; keys: SecretKeys },
): Promise<{ secret: string; uri: string }> {
  const person = await requireSelf(db, who);
  await requireProof(who, person, currentPassword);
  const secret = newTotpSecret();
  await setPendingTotp(db, person.id, sealTotpSecret(keys, person.id, secret));
  return { secret, uri: totpUri(secret, { issuer, person: person.email ?? person.name }) };
}

/** Turns the authenticator on. @throws ServiceError `bad_argument` for a wrong code, `conflict` when none was set up. */
export async function confirmTotp(
  db: Db,
  who: SignedIn,
  { code, keys }: { code: string; keys: SecretKeys },
  now: Date,
): Promise<void> {
  const { totpPending } = await requireSelf(db, who);
  if (totpPending === null) {
    throw new ServiceError('conflict', 'No authenticator is being set up.', { fix: 'Start again with its secret.' });
  }
  const step = totpStep(openTotpSecret(keys, who.personId, totpPending), code, now);
  if (step === undefined) {
    throw new ServiceError('bad_argument', 'The code is not the one that your authenticator shows now.', {
      fix: 'Check the clock of your device and enter the newest code.',
    });
  }
  await db.transaction().execute(async (tx) => {
    if (!(await confirmPendingTotp(tx, who.personId, { secret: totpPending, step }))) {
      throw new ServiceError('conflict', 'Another secret has been created since.', { fix: 'Start again.' });
    }
    await record(tx, who, { action: 'totp.enable', detail: {}, at: now });
  });
}

/** Turns the authenticator off; without one it does nothing. @throws ServiceError `scope_denied` (see `changeAccount`). */
export async function disableTotp(
  db: Db,
  who: SignedIn,
  { currentPassword }: { currentPassword?: string | undefined },
  now: Date,
): Promise<void> {
  const person = await requireSelf(db, who);
  await requireProof(who, person, currentPassword);
  if (person.totpSecret === null) return;
  await db.transaction().execute(async (tx) => {
    await clearTotp(tx, person.id);
    await record(tx, who, { action: 'totp.disable', detail: {}, at: now });
  });
}

/** A stolen session must not be enough to take the account over. */
async function requireProof(who: SignedIn, person: PersonRow, currentPassword: string | undefined): Promise<void> {
  if (who.hasFreshLink || person.passwordHash === null) return;
  if (currentPassword !== undefined && (await passwordMatches(currentPassword, person.passwordHash))) return;
  throw new ServiceError('scope_denied', 'This change needs your current password, which was missing or wrong.', {
    fix: 'Send current_password, or sign in with a new link and make the change within 15 minutes.',
  });
}

async function requireSelf(db: Db, { accountId, personId }: SignedIn): Promise<PersonRow> {
  const person = await findPerson(db, accountId, personId);
  if (person === undefined) throw new Error(`The session of ${personId} has no person.`);
  return person;
}

async function record(
  tx: Db,
  { accountId, personId }: SignedIn,
  change: { action: AuditedChange; detail: Record<string, unknown>; at: Date },
): Promise<void> {
  await recordAudit(tx, { accountId, actor: `person:${personId}`, target: personId, ...change });
}

function noAddress(): ServiceError {
  return new ServiceError('bad_argument', 'A password needs an e-mail address to sign in with.', {
    fix: 'Send your e-mail address together with the password.',
  });
}
