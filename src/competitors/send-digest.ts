import { createHmac } from 'node:crypto';
import { ServiceError } from '../kernel/errors.ts';
import { netRequest } from '../platform/net.ts';
import { changeBody } from './competitor-bodies.ts';
import { type ChangeRow, selectChanges } from './store/store-changes.ts';
import { beginDigest, delayDigest, type DigestRow, finishDigest, selectDueDigests } from './store/store-digest.ts';
import type { Competitors } from './watch/context.ts';
import { PERIOD_MS, secretOfDigest } from './digest.ts';

/** Most changes of one digest, newest first; `total` says how many there are. */
const MOST_CHANGES = 200;
/** A check stores its change when it ends, under the time at which it began: a digest ends before checks that still run. */
const SETTLED_MS = 10 * 60_000;
const FIRST_RETRY_MS = 5 * 60_000;
/** Of the answer: nothing in it is read. */
const MOST_ANSWER_BYTES = 64 * 1024;

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
  const until = await beginDigest(db, row, new Date(Math.max(from.getTime(), now().getTime() - SETTLED_MS)));
  // Removed meanwhile.
  if (until === undefined) return;
  const changes = await changesBetween(competitors, row, { from, until });
  try {
    const isSent = changes.total > 0;
    if (isSent) await deliver(competitors, row, { from, until, isTest: false, ...changes });
    const dueAt = new Date(now().getTime() + PERIOD_MS[row.every]);
    await finishDigest(db, row, { until, dueAt, deliveredAt: isSent ? now() : undefined });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** row.failures, PERIOD_MS.day);
    await delayDigest(db, row, { dueAt: new Date(now().getTime() + delayMs), fault: error.message });
  }
}

/**
 * Sends the digest as it stands now, marked as a test, also without changes. It counts for nothing: what it holds comes
 * again with the next one.
 *
 * @throws ServiceError `bad_argument` for an address that may not be called, `upstream_failed` when it does not arrive.
 */
export async function sendTestDigest(competitors: Competitors, row: DigestRow): Promise<number> {
  const [from, until] = [row.sentUntil, competitors.now()];
  const changes = await changesBetween(competitors, row, { from, until });
  await deliver(competitors, row, { from, until, isTest: true, ...changes });
  return changes.total;
}

interface Digest {
  from: Date;
  until: Date;
  isTest: boolean;
  rows: ChangeRow[];
  total: number;
}

function changesBetween(
  { db }: Competitors,
  row: DigestRow,
  { from: after, until }: { from: Date; until: Date },
): Promise<{ rows: ChangeRow[]; total: number }> {
  const { leastSeverity } = row;
  return selectChanges(db, row, { leastSeverity, after, until, limit: MOST_CHANGES, offset: 0 });
}

/** One POST as Standard Webhooks describes it: signed with what the secret stands for over id, time and body. */
async function deliver(competitors: Competitors, row: DigestRow, digest: Digest): Promise<void> {
  const { fetcher, baseUrl, now } = competitors;
  const { from, until, isTest, rows, total } = digest;
  const id = `${row.id}.${isTest ? 'test.' : ''}${until.getTime()}`;
  const body = JSON.stringify({
    type: 'competitors.digest',
    timestamp: until.toISOString(),
    test: isTest,
    data: {
      from: from.toISOString(),
      until: until.toISOString(),
      min_severity: row.leastSeverity,
      total,
      truncated: total > rows.length,
      changes: rows.map(changeBody),
      web: new URL('/competitors', baseUrl).href,
    },
  });
  const seconds = String(Math.floor(now().getTime() / 1_000));
  const signature = createHmac('sha256', secretOfDigest(competitors, row)).update(`${id}.${seconds}.${body}`);
  const answer = await netRequest(fetcher.net, {
    method: 'POST',
    url: row.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': fetcher.userAgent,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature.digest('base64')}`,
    },
    body,
    mostRedirects: 0,
    mostBytes: MOST_ANSWER_BYTES,
  });
  if (answer.status >= 200 && answer.status < 300) return;
  throw new ServiceError('upstream_failed', `${new URL(row.url).host} answered ${answer.status} to the digest.`, {
    fix: 'Check that the address takes POST requests without signing in, then try again.',
  });
}
