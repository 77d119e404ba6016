import { sha256 } from '../kernel/ids.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Db } from '../platform/db.ts';
import { recordAudit } from './audit.ts';
import { findPersonByEmail } from './store-people.ts';
import { clearAttempts, countAttempt, uncountAttempt } from './store-sign-in.ts';

/** Time of a lock after too many failures; after the same time without a failure, they are deleted. */
const LOCK_MS = 15 * 60_000;
/** Failures in a row with one e-mail address from one network address, or from one browser that signed in before. */
const MOST_FROM_ONE_SOURCE = 5;
/** Failures with one e-mail address from anywhere; browsers that signed in before are exempt from it. */
const MOST_FROM_ANYWHERE = 100;

/** Origin of an attempt to sign in by password. */
export interface AttemptSource {
  /** Address of the network, as far as it is known. */
  address: string;
  /** The browser, if it signed in with this e-mail address before; undefined for all others. */
  device: string | undefined;
}

/** An attempt that was counted before it is looked at, so that many at the same time get no more looks than one by one. */
interface CountedAttempt {
  /** Undoes the count: the attempt was neither right nor wrong. */
  takeBack: () => Promise<void>;
  /** Ends the count: the attempt was right, and the failures before it are deleted. */
  succeed: () => Promise<void>;
}

/**
 * Counts an attempt by the e-mail address together with where it comes from: who guesses locks out themselves, and not the
 * owner of the address, who sits elsewhere or in a browser that is known, nor others behind the same network address. The
 * limit for all places together stops guesses from many addresses.
 *
 * @throws ServiceError `rate_limited` while it is locked, whether anybody has the e-mail address or not.
 */
export async function countPasswordAttempt(
  db: Db,
  { accountId, email, source }: { accountId: string; email: string; source: AttemptSource },
  now: Date,
): Promise<CountedAttempt> {
  const sourceHash = sha256(
    source.device === undefined ? `${email}\naddress ${source.address}` : `${email}\ndevice ${source.device}`,
  );
  const anywhere = source.device === undefined ? sha256(email) : undefined;
  await take(db, { accountId, email, subject: sourceHash, most: MOST_FROM_ONE_SOURCE }, now);
  // What one place tries while it is locked must not lock the others.
  if (anywhere !== undefined) await take(db, { accountId, email, subject: anywhere, most: MOST_FROM_ANYWHERE }, now);
  const takeBackAnywhere = async (): Promise<void> => {
    if (anywhere !== undefined) await uncountAttempt(db, accountId, anywhere);
  };
  return {
    takeBack: async () => {
      await uncountAttempt(db, accountId, sourceHash);
      await takeBackAnywhere();
    },
    succeed: async () => {
      await clearAttempts(db, accountId, sourceHash);
      await takeBackAnywhere();
    },
  };
}

async function take(
  db: Db,
  { accountId, email, subject, most }: { accountId: string; email: string; subject: string; most: number },
  now: Date,
): Promise<void> {
  const quietSince = new Date(now.getTime() - LOCK_MS);
  const count = await countAttempt(db, accountId, { subject, quietSince, most }, now);
  if (count <= most) return;
  if (count === most + 1) {
    const person = await findPersonByEmail(db, accountId, email);
    const change = {
      accountId,
      actor: 'system',
      action: 'person.lock',
      target: person?.id ?? 'unknown',
      at: now,
    } as const;
    await recordAudit(db, { ...change, detail: { name: person?.name ?? null } });
  }
  throw new ServiceError('rate_limited', 'Too many sign-in attempts with this e-mail address have failed.', {
    fix: `Wait ${LOCK_MS / 60_000} minutes, or sign in with a link: svc login-link on the machine of the service.`,
  });
}
