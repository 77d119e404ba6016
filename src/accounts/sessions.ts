import { ServiceError } from '../kernel/errors.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import { DAY_MS } from '../kernel/time.ts';
import type { Db } from '../platform/db.ts';
import { issueAccountToken, readAccountToken } from './account-token.ts';
import { recordAudit } from './audit.ts';
import {
  deleteSession,
  deleteSessions,
  findOpenSession,
  insertSession,
  type OpenSessionRow,
  selectSessions,
  type SessionRow,
  type SignInMethod,
  touchSession,
} from './store-people.ts';

/** A session ends when it was not used for this long. */
const IDLE_MS = 7 * DAY_MS;
/** And in any case after this long. */
const LONGEST_MS = 30 * DAY_MS;
/** Precision of the stored time of last use: a write for each request would cost more than the request. */
const TOUCH_MS = 5 * 60_000;
/** Time after signing in by a link in which password and second factor can be set without the former ones. */
const FRESH_LINK_MS = 15 * 60_000;
const LONGEST_USER_AGENT = 300;

/** The signed-in person with the current rights: a changed role counts from the next request on. */
export interface SignedIn {
  accountId: string;
  sessionId: string;
  personId: string;
  name: string;
  email: string | null;
  role: OpenSessionRow['role'];
  hasPassword: boolean;
  totp: boolean;
  hasFreshLink: boolean;
}

/** A session that has just begun. `token` goes into the browser's cookie and nowhere else. */
export interface NewSession {
  token: string;
  expiresAt: Date;
}

/** Begins a session, in the transaction that found out who it is. */
export async function startSession(
  tx: Db,
  request: { accountId: string; personId: string; way: SignInMethod; userAgent: string },
  now: Date,
): Promise<NewSession> {
  const { accountId, personId, way, userAgent } = request;
  const { token, hash } = issueAccountToken(accountId);
  const row: SessionRow = {
    id: uuidv7(now),
    personId,
    way,
    userAgent: userAgent.slice(0, LONGEST_USER_AGENT),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + IDLE_MS),
  };
  await insertSession(tx, accountId, { ...row, hash });
  const actor = `person:${personId}` as const;
  await recordAudit(tx, { accountId, actor, action: 'person.sign_in', target: personId, at: now, detail: { way } });
  return { token, expiresAt: new Date(now.getTime() + LONGEST_MS) };
}

/** Returns the session of a token; undefined for tokens that do not work, whatever the reason. Costs one query. */
export async function findSession(db: Db, token: string, now: Date): Promise<SignedIn | undefined> {
  const read = readAccountToken(token);
  const row = read === undefined ? undefined : await findOpenSession(db, read.accountId, read.hash, now);
  if (read === undefined || row === undefined) return undefined;
  await keepAlive(db, read.accountId, row, now);
  const { personId, name, email, role, hasPassword, totp } = row;
  const hasFreshLink = row.way === 'link' && now.getTime() - row.createdAt.getTime() < FRESH_LINK_MS;
  return { accountId: read.accountId, sessionId: row.id, personId, name, email, role, hasPassword, totp, hasFreshLink };
}

async function keepAlive(db: Db, accountId: string, row: SessionRow, now: Date): Promise<void> {
  if (now.getTime() - row.lastSeenAt.getTime() < TOUCH_MS) return;
  const endMs = Math.min(now.getTime() + IDLE_MS, row.createdAt.getTime() + LONGEST_MS);
  await touchSession(db, accountId, { id: row.id, lastSeenAt: now, expiresAt: new Date(endMs) });
}

/** Live sessions of the person, the last used first. Their last use is exact to five minutes. */
export function listSessions(db: Db, who: SignedIn, now: Date): Promise<SessionRow[]> {
  return selectSessions(db, who.accountId, who.personId, now);
}

/** @throws ServiceError `not_found` for a session that is not the person's, or has ended. */
export async function endSession(db: Db, who: SignedIn, sessionId: string): Promise<void> {
  const { accountId, personId } = who;
  if (isUuid(sessionId) && (await deleteSession(db, accountId, { personId, id: sessionId }))) return;
  throw new ServiceError('not_found', 'You have no such session.', { fix: 'Reload the list of sessions.' });
}

/** Ends all sessions of the person, this one as well, on every replica at once. */
export async function endAllSessions(db: Db, { accountId, personId }: SignedIn, now: Date): Promise<void> {
  const actor = `person:${personId}` as const;
  await db.transaction().execute(async (tx) => {
    await deleteSessions(tx, accountId, { personId });
    const change = { accountId, actor, action: 'person.sign_out_everywhere', target: personId, at: now } as const;
    await recordAudit(tx, { ...change, detail: {} });
  });
}
