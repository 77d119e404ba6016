import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resealColumn } from '../platform/sealed-column.ts';
import { secretKeysOf } from '../platform/secrets.ts';
import { openPlanBench, type PlanBench } from '../testing/plans.ts';
import { connection, KEY, openSending } from '../testing/trackers.ts';
import { connectTracker, listTrackers } from './connections.ts';
import { TRACKER_KINDS, type TrackerKind } from './context.ts';
import { refreshTrackers } from './refresh-issues.ts';
import { selectIssues } from './store.ts';
import { WEBHOOK_SECRETS } from './store-webhooks.ts';
import { trackerWebhookReceiver } from './webhook-routes.ts';
import { isSigned, issueOfEvent } from './webhook-events.ts';
import { receiveEvent, removeWebhook, setWebhook } from './webhooks.ts';

let bench: PlanBench;
beforeAll(async () => {
  bench = await openPlanBench();
});
afterAll(() => bench.close());

const hexOf = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');

/** Events as the public documentation of each tracker shows them, cut to what is read and some that is not. */
const EVENTS: Record<TrackerKind, { event: object; issue: string; other: object }> = {
  github: {
    event: {
      action: 'closed',
      issue: { number: 7, state: 'closed', title: 'A' },
      repository: { full_name: 'acme/shop' },
    },
    issue: '7',
    other: { zen: 'Keep it logically awesome.', hook_id: 1 },
  },
  gitlab: {
    event: {
      object_kind: 'issue',
      event_type: 'issue',
      project: { path_with_namespace: 'acme/shop' },
      object_attributes: { id: 301, iid: 23, state: 'closed', action: 'close' },
    },
    issue: '23',
    other: { object_kind: 'note', object_attributes: { id: 1, iid: 9 }, issue: { iid: 23 } },
  },
  linear: {
    event: { action: 'update', type: 'Issue', data: { id: '3f2a', number: 7 }, webhookTimestamp: 1_772_000_000_000 },
    issue: '3f2a',
    other: { action: 'create', type: 'Comment', data: { id: 'c1', issueId: '3f2a' } },
  },
  jira: {
    event: { timestamp: 1_772_000_000_000, webhookEvent: 'jira:issue_updated', issue: { id: '10000', key: 'SHOP-24' } },
    issue: 'SHOP-24',
    other: { timestamp: 1_772_000_000_000, webhookEvent: 'sprint_closed', sprint: { id: 1 } },
  },
};

/** Returns the headers that each sends beside the body. */
function signed(kind: TrackerKind, secret: string, body: string): Record<string, string> {
  switch (kind) {
    case 'github':
      return { 'x-hub-signature-256': `sha256=${hexOf(secret, body)}` };
    case 'jira':
      return { 'x-hub-signature': `sha256=${hexOf(secret, body)}` };
    case 'linear':
      return { 'linear-signature': hexOf(secret, body) };
    case 'gitlab': {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const digest = createHmac('sha256', key).update(`msg_1.1772000000.${body}`).digest('base64');
      return {
        'webhook-id': 'msg_1',
        'webhook-timestamp': '1772000000',
        'webhook-signature': `v1,${digest}`,
      };
    }
  }
}

const headersOf = (headers: Record<string, string>) => (name: string) => headers[name];

test.each(TRACKER_KINDS)('%s: its signature is read, others are not, and an event names its issue', (kind) => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const { event, issue, other } = EVENTS[kind];
  const text = JSON.stringify(event);
  const headers = signed(kind, secret, text);
  const check = (body: string, given: Record<string, string>, by = secret): boolean =>
    isSigned(kind, by, { body: Buffer.from(body), header: headersOf(given) });

  expect(check(text, headers)).toBe(true);
  expect(check(`${text} `, headers)).toBe(false);
  expect(check(text, headers, `whsec_${randomBytes(32).toString('base64')}`)).toBe(false);
  expect(check(text, {})).toBe(false);
  expect(issueOfEvent(kind, Buffer.from(text))).toBe(issue);
  expect(issueOfEvent(kind, Buffer.from(JSON.stringify(other)))).toBeUndefined();
  expect(issueOfEvent(kind, Buffer.from('no JSON'))).toBeUndefined();
});

test.each([
  ['whsec_abc', true],
  ['whsec_abd', false],
  ['', false],
])('a GitLab that does not sign sends the secret itself: "%s"', (token, isRight) => {
  const request = { body: Buffer.from('{}'), header: headersOf({ 'x-gitlab-token': token }) };
  expect(isSigned('gitlab', 'whsec_abc', request)).toBe(isRight);
});

test('an event makes its issue be read at once, however lately it was; what it says is not believed', async () => {
  const { github, send, trackers, request, trackerId, planId } = await openSending(bench, 'told-by-webhook');
  await send();
  const { secret, address } = await setWebhook(trackers, request, { id: trackerId });
  const refreshes: string[] = [];
  const receiver = trackerWebhookReceiver(trackers, async () => void refreshes.push('asked'));
  const post = (body: string, key = secret): Promise<Response> =>
    Promise.resolve(
      receiver.request(`/v1/trackers/webhook/${address}`, {
        method: 'POST',
        body,
        headers: signed('github', key, body),
      }),
    );
  const read = async () => {
    await refreshTrackers(trackers, new AbortController().signal);
    return (await selectIssues(trackers.plans.db, request, { planId }))[0];
  };
  const payload = JSON.stringify({ action: 'closed', issue: { number: 1, state: 'closed' } });

  const answer = await (await post(payload)).json();
  const unknown = await (await post(JSON.stringify({ issue: { number: 99 } }))).json();
  expect([answer, unknown, refreshes]).toEqual([{ known: true }, { known: false }, ['asked']]);
  // It is open there, whatever the event says.
  expect(await read()).toMatchObject({ status: 'open' });
  const [issue] = github.issues;
  if (issue !== undefined) issue.state = 'closed';
  expect(await read()).toMatchObject({ status: 'open' });
  await post(payload);
  expect(await read()).toMatchObject({ status: 'closed', isClosed: true });

  const forged = { body: Buffer.from(payload), header: headersOf(signed('github', 'whsec_other', payload)) };
  await expect(receiveEvent(trackers, { address, ...forged })).rejects.toMatchObject({ code: 'invalid_key' });
  await expect(
    receiveEvent(trackers, {
      address: `${request.accountId}.${request.accountId}`,
      body: Buffer.from(payload),
      header: headersOf({}),
    }),
  ).rejects.toMatchObject({ code: 'invalid_key' });
});

test('the secret is kept encrypted, with the newest key, outlives a new token, and is forgotten', async () => {
  const { github, trackers, request, trackerId } = await openSending(bench, 'kept-secret');
  const { address, secret } = await setWebhook(trackers, request, { id: trackerId, given: 'lin_wh_made-by-linear' });
  const newer = secretKeysOf([randomBytes(32).toString('base64'), KEY]);
  await resealColumn(trackers.plans.db, newer, WEBHOOK_SECRETS);
  const rotated = { ...trackers, keys: secretKeysOf([Buffer.from(newer[0]).toString('base64')]) };
  const body = '{}';
  const receive = (): Promise<boolean> =>
    receiveEvent(rotated, { address, body: Buffer.from(body), header: headersOf(signed('github', secret, body)) });

  expect(secret).toBe('lin_wh_made-by-linear');
  expect(await receive()).toBe(false);
  await connectTracker(trackers, request, connection(github));
  expect(await receive()).toBe(false);
  const tracker = (await listTrackers(trackers, request)).find(({ id }) => id === trackerId);
  expect(tracker).toMatchObject({ hasWebhook: true, webhookUsedAt: expect.any(Date) as Date });
  await removeWebhook(trackers, request, trackerId);
  await expect(receive()).rejects.toMatchObject({ code: 'invalid_key' });
});
