import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import type { SecretKeys } from '../platform/secrets.ts';
import { issueAccountToken, readAccountToken } from './account-token.ts';
import { type Actor, recordAudit } from './audit.ts';
import { emailKey } from './email.ts';
import { passwordMatches } from './password.ts';
import { type NewSession, startSession } from './sessions.ts';
import { findPerson, findPersonByEmail, type PersonRow, useTotpStep } from './store-people.ts';
import { type AttemptSource, countPasswordAttempt } from './sign-in-limits.ts';
import { deleteLinks, insertToken, takeToken } from './store-sign-in.ts';
import { openTotpSecret, totpStep } from './totp.ts';

const LINK_MS = 15 * 60_000;
/** Links of one person that are good at a time: a person prints one more when the first was not at hand. */
const MOST_LINKS = 5;

/** Origin of a request to sign in. */
export interface Visitor {
  userAgent: string;
}

/** A link that signs a person in: `token` belongs after `/welcome#token=`. */
export interface OneTimeLink {
  token: string;
  expiresAt: Date;
}

/**
 * Makes a link that signs a member in once, within 15 minutes. The last four that were made for them go on working. It
 * asks for no password and no second factor: it is the way back for who lost them.
 *
 * @throws ServiceError `not_found` when the person is no member.
 */
export async function issueSignInLink(
  db: Db,
  { accountId, personId, actor }: { accountId: string; personId: string; actor: Actor },
  now: Date,
): Promise<OneTimeLink> {
  const { token, hash } = issueAccountToken(accountId);
  const expiresAt = new Date(now.getTime() + LINK_MS);
  await db.transaction().execute(async (tx) => {
    const person = await findPerson(tx, accountId, personId);
    if (person === undefined) throw unknownMember();
    await deleteLinks(tx, accountId, { personId, keep: MOST_LINKS - 1 });
    const unusedFields = { role: null, email: null, provider: null, invitationHash: null };
    const row = { ...unusedFields, id: uuidv7(now), personId, createdBy: actor, createdAt: now, expiresAt };
    await insertToken(tx, accountId, { ...row, hash, purpose: 'sign_in' });
    const change = { accountId, actor, action: 'sign_in_link.create', target: personId, at: now } as const;
    await recordAudit(tx, { ...change, detail: { name: person.name } });
  });
  return { token, expiresAt };
}

/** @throws ServiceError `invalid_key` for a link that is unknown, used or too old. */
export async function signInByLink(db: Db, token: string, visitor: Visitor, now: Date): Promise<NewSession> {
  const read = readAccountToken(token);
  if (read === undefined) throw deadLink();
  const { accountId, hash } = read;
  return db.transaction().execute(async (tx) => {
    const taken = await takeToken(tx, accountId, { hash, purpose: 'sign_in' }, now);
    if (taken?.personId == null) throw deadLink();
    return startSession(tx, { accountId, personId: taken.personId, way: 'link', ...visitor }, now);
  });
}

interface PasswordAttempt extends Visitor {
  accountId: string;
  email: string;
  password: string;
  code?: string | undefined;
  /** Keys that encrypt the secrets of authenticators. */
  keys: SecretKeys;
  source: AttemptSource;
}

/**
 * Signs in by password and, when the person has one, the code of an authenticator. Answers `code_required` when only the
 * code is missing. An unknown address, a person without a password and a wrong password look the same and take the same
 * time. The fifth failure in a row locks the e-mail address for 15 minutes for the place that the attempts came from.
 *
 * @throws ServiceError `invalid_key` for a wrong address, password or code, `rate_limited` while the address is locked.
 */
export async function signInByPassword(
  db: Db,
  attempt: PasswordAttempt,
  now: Date,
): Promise<NewSession | 'code_required'> {
  const { accountId, password, code } = attempt;
  const email = emailKey(attempt.email);
  const counted = await countPasswordAttempt(db, { accountId, email, source: attempt.source }, now);
  const person = await findPersonByEmail(db, accountId, email);
  if (!(await passwordMatches(password, person?.passwordHash ?? undefined)) || person === undefined)
    throw signInRefused();
  if (person.totpSecret !== null) {
    if (code === undefined || code.trim() === '') {
      await counted.takeBack();
      return 'code_required';
    }
    if (!(await acceptCode(db, person, { code, keys: attempt.keys }, now))) throw signInRefused();
  }
  await counted.succeed();
  const { userAgent } = attempt;
  return db
    .transaction()
    .execute((tx) => startSession(tx, { accountId, personId: person.id, way: 'password', userAgent }, now));
}

/** Uses up a code; true if it is one of the person's authenticator that was not used before. */
async function acceptCode(
  db: Db,
  person: Pick<PersonRow, 'id' | 'totpSecret'>,
  { code, keys }: Pick<PasswordAttempt, 'keys'> & { code: string },
  now: Date,
): Promise<boolean> {
  if (person.totpSecret === null) return false;
  const step = totpStep(openTotpSecret(keys, person.id, person.totpSecret), code, now);
  return step !== undefined && (await useTotpStep(db, person.id, step));
}

function signInRefused(): ServiceError {
  return new ServiceError('invalid_key', 'The e-mail address, the password or the code is wrong.', {
    fix: 'Try again, or sign in with a link from an owner, an admin, or svc login-link on the machine of the service.',
  });
}

function deadLink(): ServiceError {
  return new ServiceError('invalid_key', 'This link was already used, is older than 15 minutes, or is incomplete.', {
    fix: 'Get a new one: svc login-link on the machine of the service, or from an owner or admin.',
  });
}

function unknownMember(): ServiceError {
  return new ServiceError('not_found', 'There is no such member.', { fix: 'Reload the list of members.' });
}
