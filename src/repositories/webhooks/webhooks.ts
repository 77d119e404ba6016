import { type ProductRequest, recordAudit } from '../../accounts/accounts.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import { openSealed } from '../../platform/sealed-column.ts';
import { type SecretKeys, sealSecret } from '../../platform/secrets.ts';
import {
  findByAddress,
  isFromGitlab,
  isSignedInHex,
  makeWebhookSecret,
  webhookAddress,
  type WebhookRequest,
  wrongSignature,
} from '../../platform/webhook-signatures.ts';
import type { Repositories } from '../context.ts';
import { findRepository } from '../repositories.ts';
import { hastenFetch } from '../store-fetches.ts';
import {
  deleteWebhook,
  selectWebhook,
  selectWebhookSecret,
  updateWebhookUsed,
  upsertWebhook,
  WEBHOOK_SECRETS,
} from './store-webhooks.ts';

export { WEBHOOK_SECRETS as REPOSITORY_WEBHOOK_SECRETS } from './store-webhooks.ts';

/** Dependencies of the webhooks of repositories. */
export interface RepositoryWebhooks {
  repositories: Repositories;
  secretKeys: SecretKeys;
}

/** A webhook without its secret. `address` is the end of its path. */
interface Webhook {
  address: string;
  createdAt: Date;
  usedAt: Date | null;
}

/** The webhook of a repository; undefined when it has none. @throws ServiceError as `findRepository`. */
export async function findWebhook(
  { repositories }: RepositoryWebhooks,
  tenant: Tenant,
  reference: string,
): Promise<Webhook | undefined> {
  const { accountId, id } = await findRepository(repositories, tenant, reference);
  const webhook = await selectWebhook(repositories.db, { accountId, id });
  return webhook && { ...webhook, address: webhookAddress(accountId, id) };
}

/**
 * Lets a host report pushes: makes the secret with which it signs. A secret of before does not count any more.
 *
 * @returns the secret, shown this once, and the end of the address.
 * @throws ServiceError as `findRepository`; `bad_argument` for a folder, which is looked at with each question.
 */
export async function setWebhook(
  { repositories, secretKeys }: RepositoryWebhooks,
  request: ProductRequest,
  reference: string,
): Promise<{ secret: string; address: string }> {
  const { accountId, id, name, source } = await findRepository(repositories, request, reference);
  if (source === 'local') {
    throw new ServiceError('bad_argument', `${name} is a folder, which needs no webhook.`, {
      fix: 'Add the repository by its address to have pushes reported.',
    });
  }
  const secret = makeWebhookSecret();
  const sealed = sealSecret(secretKeys, secret, WEBHOOK_SECRETS.contextOf(id));
  const at = repositories.now();
  await repositories.db.transaction().execute(async (tx) => {
    await upsertWebhook(tx, { accountId, id, sealed, at });
    const action = 'repository.set_webhook';
    await recordAudit(tx, { accountId, actor: request.actor, action, target: id, at, detail: { name } });
  });
  return { secret, address: webhookAddress(accountId, id) };
}

/** Forgets the secret: what comes is refused from now on. @throws ServiceError as `findRepository`. */
export async function removeWebhook(
  { repositories }: RepositoryWebhooks,
  request: ProductRequest,
  reference: string,
): Promise<void> {
  const { accountId, id, name } = await findRepository(repositories, request, reference);
  const at = repositories.now();
  await repositories.db.transaction().execute(async (tx) => {
    if (!(await deleteWebhook(tx, { accountId, id }))) return;
    const action = 'repository.remove_webhook';
    await recordAudit(tx, { accountId, actor: request.actor, action, target: id, at, detail: { name } });
  });
}

/**
 * Takes what a host reports: the repository is due to be fetched. Nothing of the content is believed, so it does not matter
 * which event it is, or whether it was recorded and is sent again.
 *
 * @returns the repository.
 * @throws ServiceError `invalid_key`, the same whether there is no such webhook or the signature is of another secret;
 * `conflict` when its secret was encrypted with a key that is not configured any more.
 */
export async function receivePush(
  { repositories, secretKeys }: RepositoryWebhooks,
  { address, ...request }: WebhookRequest & { address: string },
): Promise<Tenant & { id: string }> {
  const { db } = repositories;
  const webhook = await findByAddress(address, (named) => selectWebhookSecret(db, named));
  if (
    webhook === undefined ||
    !isFromHost(openSealed(secretKeys, WEBHOOK_SECRETS, { id: webhook.id, secret: webhook.sealed }), request)
  ) {
    throw wrongSignature(
      'Enter the secret that was shown with the address as the secret of the webhook there, or make a new one.',
    );
  }
  await updateWebhookUsed(db, { ...webhook, at: repositories.now() });
  await hastenFetch(db, webhook);
  return webhook;
}

/**
 * True if a host with this secret sent a request: GitHub, Gitea and Forgejo sign the body, GitLab as `isFromGitlab` describes.
 */
function isFromHost(secret: string, request: WebhookRequest): boolean {
  return (
    isSignedInHex(secret, request, { name: 'x-hub-signature-256', prefix: 'sha256=' }) ||
    isSignedInHex(secret, request, { name: 'x-gitea-signature' }) ||
    isFromGitlab(secret, request)
  );
}
