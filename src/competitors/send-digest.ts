import { ServiceError } from '../kernel/errors.ts';
import { digestMail } from './digest-mail.ts';
import { deliverToChat } from './digest-chat.ts';
import { deliverToWebhook, type Digest } from './digest-webhook.ts';
import { noMailServer, PERIOD_MS } from './digest.ts';
import { type ChangeRow, selectChanges } from './store/store-changes.ts';
import { beginDigest, delayDigest, type DigestRow, finishDigest, selectDueDigests } from './store/store-digest.ts';
import type { Competitors } from './watch/context.ts';

/** Most changes of one digest, newest first; `total` says how many there are. */
const MOST_CHANGES = 200;
/** A check stores its change when it ends, under the time at which it began: a digest ends before checks that still run. */
const CHECK_MARGIN_MS = 10 * 60_000;
/** Alerts wait for checks that store their change at this moment only. */
const ALERT_MARGIN_MS = 30_000;
const FIRST_RETRY_MS = 5 * 60_000;

/**
 * Sends the digests of all products whose time has come. What was delivered is noted after it arrived: a stop in between
 * sends the same digest once more, under the same id.
 */
export async function sendDueDigests(competitors: Competitors, signal: AbortSignal): Promise<void> {
  for (const row of await selectDueDigests(competitors.db, competitors.now())) {
    signal.throwIfAborted();
    await sendDigest(competitors, row);
  }
}

/** Sends what changed since the last digest; nothing when nothing did. A digest that does not arrive is tried again. */
async function sendDigest(competitors: Competitors, row: DigestRow): Promise<void> {
  const { db, now } = competitors;
  const from = row.sentUntil;
  const marginMs = row.every === 'now' ? ALERT_MARGIN_MS : CHECK_MARGIN_MS;
  const until = await beginDigest(db, row, new Date(Math.max(from.getTime(), now().getTime() - marginMs)));
  // Removed meanwhile.
  if (until === undefined) return;
  const changes = await changesBetween(competitors, row, { from, until });
  try {
    const isSent = changes.total > 0;
    const id = `${row.id}.${until.getTime()}`;
    const fault = isSent ? await deliver(competitors, row, { id, from, until, isTest: false, ...changes }) : '';
    const dueAt = new Date(now().getTime() + PERIOD_MS[row.every]);
    await finishDigest(db, row, { until, dueAt, deliveredAt: isSent ? now() : undefined, fault });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** row.failures, PERIOD_MS.day);
    await delayDigest(db, row, { dueAt: new Date(now().getTime() + delayMs), fault: error.message });
  }
}

/**
 * Sends the digest as it stands now, marked as a test, also without changes. It counts for nothing: what it holds comes
 * again with the next one. Gives how many changes it has, and who did not get it; '' when all did.
 *
 * @throws ServiceError `bad_argument` for an address that may not be called, `upstream_failed` when it does not arrive.
 */
export async function sendTestDigest(
  competitors: Competitors,
  row: DigestRow,
): Promise<{ total: number; fault: string }> {
  const [from, until] = [row.sentUntil, competitors.now()];
  const changes = await changesBetween(competitors, row, { from, until });
  const id = `${row.id}.test.${until.getTime()}`;
  const fault = await deliver(competitors, row, { id, from, until, isTest: true, ...changes });
  return { total: changes.total, fault };
}

function changesBetween(
  { db }: Competitors,
  row: DigestRow,
  { from: after, until }: { from: Date; until: Date },
): Promise<{ rows: ChangeRow[]; total: number }> {
  const { leastSeverity } = row;
  return selectChanges(db, row, { leastSeverity, isDismissed: false, after, until, limit: MOST_CHANGES, offset: 0 });
}

/** Sends a digest by its channel. Gives who did not get it though others did; '' when all did. */
async function deliver(competitors: Competitors, row: DigestRow, digest: Digest): Promise<string> {
  if (row.channel === 'webhook') {
    await deliverToWebhook(competitors, row, digest);
    return '';
  }
  if (row.channel !== 'email') {
    await deliverToChat(competitors, row, digest);
    return '';
  }
  if (competitors.mailer === undefined) throw noMailServer();
  const refused = await competitors.mailer.send(digestMail(row, digest, competitors.baseUrl));
  return refused.length === 0 ? '' : `The mail server refused ${refused.join(', ')}.`;
}
