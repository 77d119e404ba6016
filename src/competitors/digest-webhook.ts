import { standardSignature } from '../platform/webhook-signatures.ts';
import { ServiceError } from '../kernel/errors.ts';
import { netRequest } from '../platform/net.ts';
import { changeBody } from './competitor-bodies.ts';
import { hiddenOf } from './digest.ts';
import type { DigestRow } from './store/store-digest.ts';
import type { ChangeRow } from './store/store-changes.ts';
import type { Competitors } from './watch/context.ts';

/** Of the answer: nothing in it is read. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** Changes between two moments, newest first; `total` says how many there are when `rows` are fewer. */
export interface Digest {
  /** The same each time that it is sent. */
  id: string;
  from: Date;
  until: Date;
  isTest: boolean;
  rows: ChangeRow[];
  total: number;
}

/**
 * One POST as Standard Webhooks describes it: signed with what the secret stands for over id, time and body.
 *
 * @throws ServiceError `bad_argument` for an address that may not be called, `upstream_failed` when it does not arrive.
 */
export async function deliverToWebhook(competitors: Competitors, row: DigestRow, digest: Digest): Promise<void> {
  const { fetcher, baseUrl, now } = competitors;
  const { id, from, until, isTest, rows, total } = digest;
  const [url = ''] = row.destinations;
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
  const signature = standardSignature(hiddenOf(competitors, row), { id, timestamp: seconds, body });
  const answer = await netRequest(fetcher.net, {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': fetcher.userAgent,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature.toString('base64')}`,
    },
    body,
    mostRedirects: 0,
    mostBytes: MOST_ANSWER_BYTES,
  });
  if (answer.status >= 200 && answer.status < 300) return;
  throw new ServiceError('upstream_failed', `${new URL(url).host} answered ${answer.status} to the digest.`, {
    fix: 'Check that the address takes POST requests without signing in, then try again.',
  });
}
