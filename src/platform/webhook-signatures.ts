import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Prefix of the secrets of webhooks that are made here; GitLab takes no others for signing. */
const SECRET_PREFIX = 'whsec_';

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
  return isEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'));
}

/**
 * True if GitLab sent a request: signed as Standard Webhooks describes it, or with the secret itself in versions that do not
 * sign.
 */
export function isFromGitlab(secret: string, { body, header }: WebhookRequest): boolean {
  const signatures = header('webhook-signature');
  if (signatures === undefined) return isEqual(Buffer.from(secret), Buffer.from(header('x-gitlab-token') ?? ''));
  const key = Buffer.from(secret.replace(SECRET_PREFIX, ''), 'base64');
  const signed = createHmac('sha256', key)
    .update(`${header('webhook-id') ?? ''}.${header('webhook-timestamp') ?? ''}.`)
    .update(body)
    .digest();
  return signatures
    .split(' ')
    .some((signature) => signature.startsWith('v1,') && isEqual(signed, Buffer.from(signature.slice(3), 'base64')));
}

function isEqual(expected: Buffer, sent: Buffer): boolean {
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
