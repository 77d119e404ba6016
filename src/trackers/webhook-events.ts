import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { TrackerKind } from './context.ts';

/** What the secrets that are made here begin with; GitLab takes no others for signing. */
export const SECRET_PREFIX = 'whsec_';

/** A request as it arrived. */
export interface WebhookRequest {
  body: Uint8Array;
  header: (name: string) => string | undefined;
}

/**
 * Whether the tracker signed the body with this secret: GitHub, Jira and Linear by HMAC-SHA256 in hexadecimal, each in its own
 * header; GitLab as Standard Webhooks describes it, or by the secret itself in versions that do not sign. What was recorded
 * and is sent again is accepted: it only makes an issue be read again.
 */
export function isSigned(kind: TrackerKind, secret: string, { body, header }: WebhookRequest): boolean {
  const hex = (): Buffer => createHmac('sha256', secret).update(body).digest();
  switch (kind) {
    case 'github':
      return isEqual(
        hex(),
        Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(header('x-hub-signature-256') ?? '')?.[1] ?? '', 'hex'),
      );
    case 'jira':
      return isEqual(
        hex(),
        Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(header('x-hub-signature') ?? '')?.[1] ?? '', 'hex'),
      );
    case 'linear':
      return isEqual(hex(), Buffer.from(header('linear-signature') ?? '', 'hex'));
    case 'gitlab':
      return isSignedByGitlab(secret, { body, header });
  }
}

function isSignedByGitlab(secret: string, { body, header }: WebhookRequest): boolean {
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

/** Where each tracker says which issue an event is about; the words of its public documentation. */
const EVENTS = {
  github: z.object({ issue: z.object({ number: z.int() }) }).transform(({ issue }) => String(issue.number)),
  gitlab: z
    .object({ object_kind: z.literal('issue'), object_attributes: z.object({ iid: z.int() }) })
    .transform(({ object_attributes: { iid } }) => String(iid)),
  linear: z.object({ type: z.literal('Issue'), data: z.object({ id: z.string() }) }).transform(({ data }) => data.id),
  jira: z.object({ issue: z.object({ key: z.string() }) }).transform(({ issue }) => issue.key),
} as const satisfies Record<TrackerKind, z.ZodType<string>>;

/** The external id of the issue that an event is about; undefined for a ping and events about anything else. */
export function issueOfEvent(kind: TrackerKind, body: Uint8Array): string | undefined {
  try {
    return EVENTS[kind].safeParse(JSON.parse(Buffer.from(body).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
