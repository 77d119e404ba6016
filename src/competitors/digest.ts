import { randomBytes } from 'node:crypto';
import type { ProductScope } from '../kernel/product-scope.ts';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import { isSealedWithFirst, openSecret, sealSecret, type SecretKeys } from '../platform/secrets.ts';
import type { Severity } from './detect/judge.ts';
import {
  deleteDigest,
  type DigestPeriod,
  type DigestRow,
  selectDigest,
  selectDigestSecrets,
  updateDigestSecret,
  upsertDigest,
} from './store/store-digest.ts';
import type { Competitors } from './watch/context.ts';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;

/** Time between two digests. */
export const PERIOD_MS: Record<DigestPeriod, number> = { day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };

/** Where to, how often, and from which severity on. */
export interface WantedDigest {
  url: string;
  every: DigestPeriod;
  leastSeverity: Severity;
}

/**
 * Sends digests of the changes at competitors to an address from now on; a digest that is there already goes there instead,
 * with the secret that it has. A new one tells its secret this once.
 *
 * @throws ServiceError `bad_argument` for what is no http or https address. Whether it may be called is decided when a
 * digest is sent, as its name may then mean another address.
 */
export async function setDigest(
  { db, secretKeys, now }: Competitors,
  scope: ProductRequest,
  { url, every, leastSeverity }: WantedDigest,
): Promise<{ digest: DigestRow; secret: string | null }> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new ServiceError('bad_argument', `"${url.slice(0, 200)}" is not an address that can be called.`, {
      fix: 'Use an https address.',
    });
  }
  const { accountId, productId, actor } = scope;
  const at = now();
  const before = await selectDigest(db, scope);
  const id = before?.id ?? uuidv7(at);
  const secret = before === undefined ? SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64') : null;
  const sealed = secret === null ? '' : sealSecret(secretKeys, secret, contextOf(id));
  const dueAt = new Date(at.getTime() + PERIOD_MS[every]);
  await db.transaction().execute(async (tx) => {
    const kept = { secret: before?.secret ?? sealed, createdAt: at, createdBy: actor, sentUntil: at };
    await upsertDigest(tx, { accountId, productId, id, url, every, leastSeverity, dueAt, ...kept });
    const detail = { url: new URL(url).origin, every };
    await recordAudit(tx, { accountId, actor, action: 'competitor.digest', target: id, at, detail });
  });
  const digest = await findDigest({ db }, scope);
  // Two who made the first one at the same moment: the secret of the other one is kept.
  return { digest, secret: digest.id === id ? secret : null };
}

/** @throws ServiceError `unknown_id` when the product has none. */
export async function findDigest({ db }: Pick<Competitors, 'db'>, scope: ProductScope): Promise<DigestRow> {
  const digest = await selectDigest(db, scope);
  if (digest !== undefined) return digest;
  throw new ServiceError('unknown_id', 'No digest of the changes at competitors is sent for this product.', {
    fix: 'Say where to with PUT competitor-digest.',
  });
}

/** @throws ServiceError `unknown_id` when the product has none. */
export async function removeDigest({ db, now }: Competitors, scope: ProductRequest): Promise<void> {
  const { id } = await findDigest({ db }, scope);
  const { accountId, actor } = scope;
  await db.transaction().execute(async (tx) => {
    if (!(await deleteDigest(tx, scope))) return;
    const change = { accountId, actor, action: 'competitor.digest', target: id, at: now() } as const;
    await recordAudit(tx, { ...change, detail: { removed: true } });
  });
}

/** @throws ServiceError `conflict` when it was encrypted with a key that is not configured any more. */
export function secretOfDigest({ secretKeys }: Pick<Competitors, 'secretKeys'>, { id, secret }: DigestRow): Buffer {
  return Buffer.from(openSecret(secretKeys, secret, contextOf(id)).slice(SECRET_PREFIX.length), 'base64');
}

/** Encrypts secrets with the first key that are encrypted with another one. What no key opens stays. */
export async function resealDigests(db: Db, keys: SecretKeys): Promise<void> {
  for (const { id, secret } of await selectDigestSecrets(db)) {
    if (isSealedWithFirst(keys, secret)) continue;
    try {
      const kept = sealSecret(keys, openSecret(keys, secret, contextOf(id)), contextOf(id));
      await updateDigestSecret(db, id, { before: secret, kept });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}

function contextOf(id: string): string {
  return `competitor_digest:${id}`;
}
