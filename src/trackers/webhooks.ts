import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { isUuid } from '../kernel/ids.ts';
import { openSealed } from '../platform/sealed-column.ts';
import { sealSecret } from '../platform/secrets.ts';
import {
  findByAddress,
  makeWebhookSecret,
  webhookAddress,
  type WebhookRequest,
  wrongSignature,
} from '../platform/webhook-signatures.ts';
import { findTracker } from './connections.ts';
import type { Trackers } from './context.ts';
import { noteEvent, selectWebhook, updateWebhook, WEBHOOK_SECRETS } from './store-webhooks.ts';
import { isSigned, issueOfEvent } from './webhook-events.ts';

/**
 * Lets a tracker report changed issues: makes the secret with which it signs, or takes the one that the tracker made itself,
 * as Linear does. A secret of before does not count any more.
 *
 * @returns the secret, shown this once, and the end of the address.
 * @throws ServiceError `unknown_id`.
 */
export async function setWebhook(
  trackers: Trackers,
  request: ProductRequest,
  { id, given }: { id: string; given?: string | undefined },
): Promise<{ secret: string; address: string }> {
  const { kind, baseUrl, project } = await findTracker(trackers, request, isUuid(id) ? id : '');
  const secret = given ?? makeWebhookSecret();
  const sealed = sealSecret(trackers.keys, secret, WEBHOOK_SECRETS.contextOf(id));
  await changeWebhook(trackers, request, { id, sealed, detail: { kind, baseUrl, project } });
  return { secret, address: webhookAddress(request.accountId, id) };
}

/** Forgets the secret: what comes is refused from now on. @throws ServiceError `unknown_id`. */
export async function removeWebhook(trackers: Trackers, request: ProductRequest, id: string): Promise<void> {
  const { kind, baseUrl, project } = await findTracker(trackers, request, isUuid(id) ? id : '');
  await changeWebhook(trackers, request, { id, sealed: null, detail: { kind, baseUrl, project } });
}

async function changeWebhook(
  { plans, now }: Trackers,
  request: ProductRequest,
  { id, sealed, detail }: { id: string; sealed: string | null; detail: Record<string, string> },
): Promise<void> {
  const { accountId, actor } = request;
  const action = sealed === null ? 'tracker.remove_webhook' : 'tracker.set_webhook';
  await plans.db.transaction().execute(async (tx) => {
    await updateWebhook(tx, request, { id, sealed });
    await recordAudit(tx, { accountId, actor, action, target: id, at: now(), detail });
  });
}

/**
 * Takes an event of a tracker: notes that the issue which it is about is to be read again. Nothing else of it is believed.
 *
 * @returns whether it is about an issue that was sent from here.
 * @throws ServiceError `invalid_key`, the same whether there is no such webhook or the signature is of another secret;
 * `conflict` when its secret was encrypted with a key that is not configured any more.
 */
export async function receiveEvent(
  { plans, keys, now }: Trackers,
  { address, ...request }: WebhookRequest & { address: string },
): Promise<boolean> {
  const webhook = await findByAddress(address, (named) => selectWebhook(plans.db, named));
  const isAuthentic =
    webhook !== undefined &&
    isSigned(webhook.kind, openSealed(keys, WEBHOOK_SECRETS, { id: webhook.id, secret: webhook.sealed }), request);
  if (!isAuthentic)
    throw wrongSignature('Enter the secret of the tracker there as the secret of the webhook, or make a new one.');
  return noteEvent(plans.db, {
    ...webhook,
    externalId: issueOfEvent(webhook.kind, request.body),
    at: now(),
  });
}
