import type { Tenant } from '../../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../../accounts/accounts.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { isUuid, uuidv7 } from '../../kernel/ids.ts';
import { openSealed } from '../../platform/sealed-column.ts';
import { sealSecret } from '../../platform/secrets.ts';
import {
  findByAddress,
  isSignedInHex,
  makeWebhookSecret,
  webhookAddress,
  type WebhookRequest,
  wrongSignature,
} from '../../platform/webhook-signatures.ts';
import type { Signals } from '../context.ts';
import {
  deleteWebhook,
  insertWebhook,
  selectWebhook,
  selectWebhooks,
  touchWebhook,
  WEBHOOK_SECRETS,
  type WebhookRow,
} from './store-webhooks.ts';

export { WEBHOOK_SECRETS } from './store-webhooks.ts';

/** Headers that may have the signature. */
const SIGNATURES = ['x-signature-256', 'x-hub-signature-256'];
/** Most of a product: each is a secret that somebody has to keep. */
const MOST_WEBHOOKS = 50;
export const NAME_CHARACTERS = 80;

/** An address that others send signals to. `address` is the end of its path. */
export interface Webhook extends Omit<WebhookRow, 'secret'> {
  address: string;
}

/**
 * Makes a webhook. Its secret is told this once, and kept encrypted.
 *
 * @throws ServiceError `bad_argument` for a name that is empty or too long, `conflict` when there are 50 already.
 */
export async function createWebhook(
  { db, secretKeys, now }: Pick<Signals, 'db' | 'secretKeys' | 'now'>,
  tenant: ProductRequest,
  name: string,
): Promise<Webhook & { secret: string }> {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > NAME_CHARACTERS) {
    throw new ServiceError('bad_argument', 'A webhook needs a name.', {
      fix: `Use 1 to ${NAME_CHARACTERS} characters.`,
    });
  }
  if ((await selectWebhooks(db, tenant)).length >= MOST_WEBHOOKS) {
    throw new ServiceError(
      'conflict',
      `The product already has ${MOST_WEBHOOKS} webhooks, the most that it may have.`,
      { fix: 'Delete one first.' },
    );
  }
  const createdAt = now();
  const secret = makeWebhookSecret();
  const id = uuidv7(createdAt);
  const row = {
    id,
    name: trimmed,
    secret: sealSecret(secretKeys, secret, WEBHOOK_SECRETS.contextOf(id)),
    createdAt,
    createdBy: tenant.actor,
    lastUsedAt: null,
  };
  const { accountId, actor } = tenant;
  await db.transaction().execute(async (tx) => {
    await insertWebhook(tx, tenant, row);
    const change = { accountId, actor, action: 'webhook.create', target: id, at: createdAt } as const;
    await recordAudit(tx, { ...change, detail: { name: trimmed } });
  });
  return { ...webhookOf(tenant, row), secret };
}

/** All of the product, oldest first, without their secrets. */
export async function listWebhooks({ db }: Signals, tenant: Tenant): Promise<Webhook[]> {
  return (await selectWebhooks(db, tenant)).map((row) => webhookOf(tenant, row));
}

/** @throws ServiceError `unknown_id` when it is not there. */
export async function removeWebhook({ db, now }: Signals, tenant: ProductRequest, id: string): Promise<void> {
  const { accountId, actor } = tenant;
  const isGone = await db.transaction().execute(async (tx) => {
    if (!isUuid(id) || !(await deleteWebhook(tx, tenant, id))) return false;
    await recordAudit(tx, { accountId, actor, action: 'webhook.delete', target: id, at: now(), detail: {} });
    return true;
  });
  if (isGone) return;
  throw new ServiceError('unknown_id', `There is no webhook "${id.slice(0, 80)}".`, {
    fix: 'See the list of webhooks.',
  });
}

/**
 * Returns the product that a request to a webhook may change, once its body was signed with the secret (HMAC-SHA256,
 * `sha256=<hexadecimal>`).
 *
 * @throws ServiceError `invalid_key`, the same whether there is no such webhook or the signature is of another secret;
 * `conflict` when its secret was encrypted with a key that is not configured any more.
 */
export async function authenticateWebhook(
  { db, secretKeys, now }: Pick<Signals, 'db' | 'secretKeys' | 'now'>,
  { address, ...request }: WebhookRequest & { address: string },
): Promise<ProductRequest> {
  const webhook = await findByAddress(address, (named) => selectWebhook(db, named));
  // It takes as long where there is none.
  const secret = webhook && openSealed(secretKeys, WEBHOOK_SECRETS, webhook);
  const isSigned = SIGNATURES.some((name) =>
    isSignedInHex(secret ?? makeWebhookSecret(), request, { name, prefix: 'sha256=' }),
  );
  if (webhook === undefined || !isSigned)
    throw wrongSignature('Sign the exact body with the secret: X-Signature-256: sha256=<HMAC-SHA256 in hexadecimal>.');
  const { accountId, productId, id } = webhook;
  await touchWebhook(db, { accountId, id }, now());
  return { accountId, productId, actor: `webhook:${id}` };
}

function webhookOf({ accountId }: Tenant, { id, name, createdAt, createdBy, lastUsedAt }: WebhookRow): Webhook {
  return { id, name, createdAt, createdBy, lastUsedAt, address: webhookAddress(accountId, id) };
}
