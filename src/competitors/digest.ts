import { makeWebhookSecret } from '../platform/webhook-signatures.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { z } from 'zod';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { allowedUrl, type NetPolicy } from '../platform/net.ts';
import { openSecret, sealSecret } from '../platform/secrets.ts';
import type { Severity } from './detect/judge.ts';
import {
  deleteDigest,
  DIGEST_SECRETS,
  type DigestChannel,
  type DigestPeriod,
  type DigestRow,
  selectDigests,
  upsertDigest,
} from './store/store-digest.ts';
import type { Competitors } from './watch/context.ts';

const HOUR_MS = 3_600_000;
const MailAddress = z.email().max(254);

/** Time between two digests. */
export const PERIOD_MS: Record<DigestPeriod, number> = { now: 60_000, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };

/** Target, period and lowest severity of a digest. */
interface DigestSettings {
  channel: DigestChannel;
  /** One address of a webhook, or those of who gets the e-mail. */
  destinations: readonly string[];
  every: DigestPeriod;
  leastSeverity: Severity;
}

/**
 * Sends digests of the changes at competitors from now on; one of this channel that is there already goes there instead, a
 * webhook with the secret that it has. A new webhook tells its secret this once; e-mail has none.
 *
 * @throws ServiceError `bad_argument` for an address that can never be called and what is no e-mail address, and for e-mail
 * where no mail server is configured. What the name of a host means is looked up when a digest is sent: it may mean another
 * one then.
 */
export async function setDigest(
  { db, secretKeys, mailer, fetcher, now }: Competitors,
  tenant: ProductRequest,
  { channel, destinations: targets, every, leastSeverity }: DigestSettings,
): Promise<{ digest: DigestRow; secret: string | null }> {
  const before = (await selectDigests(db, tenant)).find((row) => row.channel === channel);
  const isChat = channel === 'slack' || channel === 'teams';
  const isSameChat = isChat && before !== undefined && targets.join() === before.destinations.join();
  const addresses = channel === 'email' ? recipientsOf(targets) : isSameChat ? [] : addressOf(fetcher.net, targets);
  if (channel === 'email' && mailer === undefined) throw noMailServer();
  const { accountId, productId, actor } = tenant;
  const at = now();
  const id = before?.id ?? uuidv7(at);
  const isSigned = channel === 'webhook' && before === undefined;
  const secret = isSigned ? makeWebhookSecret() : null;
  const hidden = isChat ? addresses[0] : (secret ?? undefined);
  const sealed = hidden === undefined ? null : sealSecret(secretKeys, hidden, DIGEST_SECRETS.contextOf(id));
  const shown = isChat ? addresses.map(maskAddress) : addresses;
  const destinations = isSameChat ? before.destinations : shown;
  const dueAt = new Date(at.getTime() + PERIOD_MS[every]);
  await db.transaction().execute(async (tx) => {
    const origin = {
      secret: isChat ? (sealed ?? before?.secret ?? null) : (before?.secret ?? sealed),
      createdAt: at,
      createdBy: actor,
      sentUntil: at,
    };
    await upsertDigest(tx, { accountId, productId, id, channel, destinations, every, leastSeverity, dueAt, ...origin });
    const detail = { channel, to: channel === 'email' ? destinations : destinations.map(originOf), every };
    await recordAudit(tx, { accountId, actor, action: 'competitor.digest', target: id, at, detail });
  });
  const digest = await findDigest({ db }, tenant, channel);
  // Two who made the first one at the same moment: the secret of the other one is kept.
  return { digest, secret: digest.id === id ? secret : null };
}

function addressOf(net: NetPolicy, destinations: readonly string[]): string[] {
  const [url = '', ...more] = destinations;
  if (more.length > 0)
    throw new ServiceError('bad_argument', 'A webhook or chat has one address.', { fix: 'Use one https address.' });
  allowedUrl(net, url);
  return [url];
}

function recipientsOf(destinations: readonly string[]): string[] {
  const wrong = destinations.find((address) => !MailAddress.safeParse(address).success);
  if (wrong === undefined) return [...new Set(destinations)];
  throw new ServiceError('bad_argument', `"${wrong.slice(0, 200)}" is not an e-mail address.`, {
    fix: 'Use addresses such as ada@example.com, without names.',
  });
}

/** Returns the error of e-mail where none can be sent. */
export function noMailServer(): ServiceError {
  return new ServiceError('bad_argument', 'This service sends no e-mail.', {
    fix: 'Ask whoever runs it to set SVC_SMTP_URL and SVC_SMTP_FROM, or use a webhook.',
  });
}

/** The address of a chat as it is shown: who has all of it can post there. */
function maskAddress(url: string): string {
  return `${originOf(url)}/…`;
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** @throws ServiceError `unknown_id` when the product has none of this channel. */
export async function findDigest(
  { db }: Pick<Competitors, 'db'>,
  tenant: Tenant,
  channel: DigestChannel,
): Promise<DigestRow> {
  const digest = (await selectDigests(db, tenant)).find((row) => row.channel === channel);
  if (digest !== undefined) return digest;
  const by = channel === 'email' ? 'by e-mail' : channel === 'webhook' ? 'to a webhook' : `to ${channel}`;
  throw new ServiceError('unknown_id', `No digest of the changes at competitors is sent ${by} for this product.`, {
    fix: `Say where to with PUT competitor-digests/${channel}.`,
  });
}

/** @throws ServiceError `unknown_id` when the product has none of this channel. */
export async function removeDigest(
  { db, now }: Competitors,
  tenant: ProductRequest,
  channel: DigestChannel,
): Promise<void> {
  const { id } = await findDigest({ db }, tenant, channel);
  const { accountId, actor } = tenant;
  await db.transaction().execute(async (tx) => {
    if (!(await deleteDigest(tx, tenant, channel))) return;
    const change = { accountId, actor, action: 'competitor.digest', target: id, at: now() } as const;
    await recordAudit(tx, { ...change, detail: { channel, removed: true } });
  });
}

/** @throws ServiceError `conflict` when it was encrypted with a key that is not configured any more. */
export function hiddenOf({ secretKeys }: Pick<Competitors, 'secretKeys'>, { id, secret }: DigestRow): string {
  if (secret === null) throw new Error('Webhooks and chats have a secret.');
  return openSecret(secretKeys, secret, DIGEST_SECRETS.contextOf(id));
}
