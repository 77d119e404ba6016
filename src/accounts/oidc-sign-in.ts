import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import { issueAccountToken, readAccountToken } from './account-token.ts';
import { displayName, type KeyCheck } from './accounts.ts';
import { recordAudit } from './audit.ts';
import { emailKey } from './email.ts';
import { join } from './members.ts';
import type { ExternalIdentity } from './oidc/oidc-client.ts';
import type { ProviderSettings } from './oidc/oidc.ts';
import { followGroups } from './product-access.ts';
import { type NewSession, type SignedIn, startSession } from './sessions.ts';
import type { Visitor } from './sign-in.ts';
import {
  findIdentity,
  insertIdentity,
  insertToken,
  selectInvitations,
  takeToken,
  type TokenRow,
} from './store-sign-in.ts';

const ROUND_MS = 10 * 60_000;

/** Request to begin a sign-in at a provider. */
interface OidcBeginning {
  accountId: string;
  provider: ProviderSettings;
  /** Address that the provider sends the browser back to. */
  redirectUri: string;
  /** The person to link the identity to; without it, the identity signs in. */
  who?: SignedIn | undefined;
  /** Token of an invitation that is accepted by it. */
  invitation?: string | undefined;
}

/**
 * Begins a round to a provider and back, good for 10 minutes: returns the address to send the browser to, and the secret for
 * its cookie, so that no other browser can finish the round.
 *
 * @throws ServiceError `upstream_failed` when the provider cannot be reached.
 */
export async function beginOidc(
  db: Db,
  { accountId, provider, redirectUri, who, invitation }: OidcBeginning,
  now: Date,
): Promise<{ url: string; secret: string }> {
  const { token: secret, hash: state } = issueAccountToken(accountId);
  const { authorizationUrl } = await import('./oidc/oidc-client.ts');
  const url = await authorizationUrl(provider, { secret, state, redirectUri }, now);
  const row = {
    id: uuidv7(now),
    personId: who?.personId ?? null,
    role: null,
    email: null,
    provider: provider.id,
    invitationHash: invitation === undefined ? null : (readAccountToken(invitation)?.hash ?? null),
    createdBy: who === undefined ? 'system' : `person:${who.personId}`,
    createdAt: now,
    expiresAt: new Date(now.getTime() + ROUND_MS),
  };
  await insertToken(db, accountId, { ...row, hash: state, purpose: 'oidc' });
  return { url, secret };
}

/** The return of the browser from a provider. */
interface OidcReturn extends Visitor {
  provider: ProviderSettings;
  redirectUri: string;
  /** From the cookie. */
  secret: string;
  state: string;
  code: string;
  /** The issuer, from providers that send it back. */
  iss?: string | undefined;
  /** The check of keys where the groups of the person change. */
  keys: KeyCheck;
}

/**
 * Ends a way that `beginOidc` began: signs in who is known by this identity, or makes the person that an open invitation
 * is for. Nobody is found by e-mail address: an address proves nothing about who was here before. Gives no session when
 * the identity was linked to somebody who has one.
 *
 * @throws ServiceError `invalid_key` when it was not begun in this browser, was ended, or is older than 10 minutes;
 * `scope_denied` for somebody without an invitation; `conflict` when the identity or address is somebody else's;
 * `upstream_failed`.
 */
export async function finishOidc(db: Db, back: OidcReturn, now: Date): Promise<NewSession | undefined> {
  const { provider, redirectUri, secret, state, code, iss, userAgent } = back;
  const read = readAccountToken(secret);
  if (read === undefined || read.hash !== state) throw deadRound();
  const { accountId, hash } = read;
  const round = await takeToken(db, accountId, { hash, purpose: 'oidc' }, now);
  if (round?.provider !== provider.id) throw deadRound();
  const { identify } = await import('./oidc/oidc-client.ts');
  const identity = await identify(provider, { round: { secret, state, redirectUri }, returned: { code, iss }, now });
  const session = await db.transaction().execute(async (tx) => {
    const linkedPersonId = await findIdentity(tx, accountId, { provider: provider.id, subject: identity.subject });
    if (round.personId !== null) {
      if (linkedPersonId !== round.personId)
        await link(tx, { accountId, provider, identity, personId: round.personId }, now);
      return undefined;
    }
    const personId = linkedPersonId ?? (await joinByInvitation(tx, { accountId, provider, identity, round }, now));
    if (identity.groups !== undefined)
      await followGroups(tx, { accountId, personId, names: identity.groups, keys: back.keys }, now);
    return startSession(tx, { accountId, personId, way: 'oidc', userAgent }, now);
  });
  await back.keys.apply();
  return session;
}

async function joinByInvitation(
  tx: Db,
  given: { accountId: string; provider: ProviderSettings; identity: ExternalIdentity; round: TokenRow },
  now: Date,
): Promise<string> {
  const { accountId, provider, identity, round } = given;
  const email = identity.email === undefined ? undefined : emailKey(identity.email);
  if (email === undefined) throw notInvited(provider, 'has no verified e-mail address');
  const hash = round.invitationHash ?? (await selectInvitations(tx, accountId, { email }, now))[0]?.hash;
  const invitation =
    hash === undefined ? undefined : await takeToken(tx, accountId, { hash, purpose: 'invitation' }, now);
  if (invitation === undefined || (invitation.email !== null && invitation.email !== email)) {
    throw notInvited(provider, `(${email}) is not invited`);
  }
  const personId = await join(tx, { accountId, invitation, name: nameOf(identity), email, passwordHash: null }, now);
  await link(tx, { accountId, provider, identity, personId }, now);
  return personId;
}

async function link(
  tx: Db,
  given: { accountId: string; provider: ProviderSettings; identity: ExternalIdentity; personId: string },
  now: Date,
): Promise<void> {
  const { accountId, provider, identity, personId } = given;
  const row = { provider: provider.id, subject: identity.subject, personId };
  if (!(await insertIdentity(tx, accountId, row, now))) {
    throw new ServiceError(
      'conflict',
      `This ${provider.name} account cannot be linked: it belongs to another person here, or you have linked another one.`,
      {
        fix: `Sign in with the ${provider.name} account that you linked before.`,
      },
    );
  }
  const change = {
    accountId,
    actor: `person:${personId}`,
    action: 'identity.link',
    target: personId,
    at: now,
  } as const;
  await recordAudit(tx, { ...change, detail: { provider: provider.id } });
}

/** Returns the name that the provider states, as far as it can be a name here. */
function nameOf({ name, email }: ExternalIdentity): string {
  try {
    return displayName(name ?? '', 'person');
  } catch {
    return displayName((email ?? 'person').slice(0, 80), 'person');
  }
}

function deadRound(): ServiceError {
  return new ServiceError('invalid_key', 'This sign-in was not started in this browser, or is older than 10 minutes.', {
    fix: 'Begin again at the sign-in page.',
  });
}

function notInvited(provider: ProviderSettings, why: string): ServiceError {
  return new ServiceError('scope_denied', `This ${provider.name} account ${why}.`, {
    fix: 'Ask an owner or admin for an invitation, or link the account while signed in.',
  });
}
