import { isSameSecret } from './secrets.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';

/** Prefix of the secrets of webhooks that are made here; GitLab takes no others for signing. */
export const SECRET_PREFIX = 'whsec_';

/** A request of a webhook as it arrived. */
export interface WebhookRequest {
  body: Uint8Array;
  header: (name: string) => string | undefined;
}

/** A new secret that GitHub, GitLab, Gitea and others accept. */
export function makeWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

/** True if a header holds the HMAC-SHA256 of the body in hexadecimal, after `prefix`, as `sha256=`. */
export function isSignedInHex(
  secret: string,
  { body, header }: WebhookRequest,
  { name, prefix = '' }: { name: string; prefix?: string },
): boolean {
  const sent = header(name) ?? '';
  const hex = sent.slice(prefix.length);
  if (!sent.startsWith(prefix) || !/^[0-9a-f]{64}$/i.test(hex)) return false;
  return isSameSecret(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'));
}

/** The end of the path that others send to. */
export function webhookAddress(accountId: string, id: string): string {
  return `${accountId}.${id}`;
}

/** The webhook of an address; undefined where there is none. `select` finds it by account and id. */
export async function findByAddress<Webhook extends object>(
  address: string,
  select: (named: { accountId: string; id: string }) => Promise<Webhook | undefined>,
): Promise<(Webhook & { accountId: string; id: string }) | undefined> {
  const [accountId = '', id = ''] = address.split('.');
  const webhook = isUuid(accountId) && isUuid(id) ? await select({ accountId, id }) : undefined;
  return webhook && { ...webhook, accountId, id };
}

/** The error for a request that is not signed with the secret, and for a webhook that there is not: the same. */
export function wrongSignature(fix: string): ServiceError {
  return new ServiceError('invalid_key', 'The signature does not belong to this webhook.', { fix });
}

/**
 * True if GitLab sent a request: signed as Standard Webhooks describes it, or with the secret itself in versions that do not
 * sign.
 */
export function isFromGitlab(secret: string, { body, header }: WebhookRequest): boolean {
  const signatures = header('webhook-signature');
  if (signatures === undefined) return isSameSecret(Buffer.from(secret), Buffer.from(header('x-gitlab-token') ?? ''));
  const [id = '', timestamp = ''] = [header('webhook-id'), header('webhook-timestamp')];
  const signed = standardSignature(secret, { id, timestamp, body });
  return signatures
    .split(' ')
    .some(
      (signature) => signature.startsWith('v1,') && isSameSecret(signed, Buffer.from(signature.slice(3), 'base64')),
    );
}

/** The signature of a message as Standard Webhooks describes it. */
export function standardSignature(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array | string },
): Buffer {
  const key = Buffer.from(secret.replace(SECRET_PREFIX, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
