import { parseJson } from '../kernel/json.ts';
import { z } from 'zod';
import { isFromGitlab, isSignedInHex, type WebhookRequest } from '../platform/webhook-signatures.ts';
import type { TrackerKind } from './context.ts';

/**
 * True if the tracker signed the body with this secret: GitHub, Jira and Linear each in their own header, GitLab as
 * `isFromGitlab` says. A recorded request that is sent again is accepted: it only makes an issue be read again.
 */
export function isSigned(kind: TrackerKind, secret: string, request: WebhookRequest): boolean {
  switch (kind) {
    case 'github':
      return isSignedInHex(secret, request, { name: 'x-hub-signature-256', prefix: 'sha256=' });
    case 'jira':
      return isSignedInHex(secret, request, { name: 'x-hub-signature', prefix: 'sha256=' });
    case 'linear':
      return isSignedInHex(secret, request, { name: 'linear-signature' });
    case 'gitlab':
      return isFromGitlab(secret, request);
  }
}

/** Paths of the issue in the events of each tracker; the words of its public documentation. */
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
  return EVENTS[kind].safeParse(parseJson(Buffer.from(body).toString('utf8'))).data;
}
