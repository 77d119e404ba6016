import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '../accounts/accounts.ts';
import { isSealedWithFirst, secretKeysOf } from '../platform/secrets.ts';
import type { ProductRequest } from '../accounts/accounts.ts';
import { editItem, removePlan } from '../plans/keep/change-plan.ts';
import { openPlanBench, type PlanBench } from '../testing/plans.ts';
import { connection, KEY, openSending, TOKEN } from '../testing/trackers.ts';
import { connectTracker, destinationOf, listTrackers, removeTracker } from './connections.ts';
import { claimIssue, selectDueIssues, selectIssues, selectTrackers } from './store.ts';
import { refreshItem, refreshTrackers } from './refresh-issues.ts';
import { issueChoices, previewIssue, sendIssue, updateIssue } from './send-issue.ts';

let bench: PlanBench;
beforeAll(async () => {
  bench = await openPlanBench();
});
afterAll(() => bench.close());

const MINUTE_MS = 60_000;

async function actionsOf({ accountId }: ProductRequest, target: string): Promise<string[]> {
  const entries = await listAudit(bench.plans.db, accountId, { limit: 200 });
  return entries.filter((entry) => entry.target === target).map(({ action }) => action);
}

test('what the preview shows is sent, once, and leads back', async () => {
  const { github, preview, send, request, planId, handle } = await openSending(bench, 'sent-once');
  const { title, body, digest, existing } = await preview();

  const first = await send(digest);
  const again = await send(digest);

  expect(title).toBe('Refuse empty carts');
  expect(body).toContain(`Work item ${handle} (T2) of the plan "sent-once" (plan:sent-once, version 1).`);
  expect(body).toMatch(/### Comes after\n\n- wi:\d+ \(T1\) Count carts/);
  expect(github.issues).toMatchObject([{ title, body }]);
  expect([existing, first.outcome, again.outcome]).toEqual([undefined, 'created', 'existing']);
  expect(again.row).toMatchObject({ label: '#1', url: 'https://github.com/acme/shop/issues/1', status: 'open' });
  expect((await preview()).existing).toMatchObject({ label: '#1' });
  expect(await actionsOf(request, planId)).toContain('work_item.send');
});

test('what changed since is written into the issue when somebody asks, and only what was shown', async () => {
  const { github, trackers, preview, send, request, planId, handle, trackerId } = await openSending(bench, 'updated');
  const before = await preview();
  const update = (digest: string): ReturnType<typeof updateIssue> =>
    updateIssue(trackers, request, { handle, trackerId, digest, fields: { labels: ['checkout'] } });
  await expect(update(before.digest)).rejects.toMatchObject({ code: 'conflict', fix: 'Send it first.' });
  await send();
  const change = { title: 'Refuse carts without goods', assignee: 'Ada' };
  await editItem(trackers.plans, request, { handle, change, actor: request.actor });

  await expect(update(before.digest)).rejects.toMatchObject({ code: 'conflict' });
  expect(await update((await preview()).digest)).toMatchObject({ row: { label: '#1', isGone: false } });

  expect(github.issues).toMatchObject([{ title: 'Refuse carts without goods', labels: ['checkout'] }]);
  expect(await actionsOf(request, planId)).toContain('work_item.update_issue');
  github.fault = (name) =>
    name === 'GET /assignees' ? { status: 200, json: [{ login: 'ada' }] } : { status: 200, json: [] };
  expect(await issueChoices(trackers, request, { handle, trackerId })).toMatchObject({ assignee: 'ada', labels: [] });
  github.issues.length = 0;
  github.fault = () => undefined;
  await expect(update((await preview()).digest)).rejects.toMatchObject({ fix: 'Send the item again.' });
  expect((await preview()).existing).toBeUndefined();
});

test('two at the same time make one issue', async () => {
  const { github, preview, send } = await openSending(bench, 'at-once');
  const { digest } = await preview();

  const outcomes = await Promise.allSettled([send(digest), send(digest), send(digest)]);

  expect(github.issues).toHaveLength(1);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
});

test('an issue whose answer was lost is found by its marker, not made again', async () => {
  const { github, send } = await openSending(bench, 'lost-answer');
  github.fault = (name) => (name === 'POST /issues' ? { status: 201, cut: true } : undefined);

  const { outcome, row } = await send();

  expect([outcome, row.label, github.issues.length]).toEqual(['found', '#1', 1]);
});

test('when the tracker falls silent, sending again later finds what it made', async () => {
  const { github, send, request, planId, trackers } = await openSending(bench, 'silent');
  const state = { isSilent: false };
  github.fault = (name) => {
    if (state.isSilent) return { status: 503 };
    if (name !== 'POST /issues') return undefined;
    state.isSilent = true;
    return { status: 201, cut: true };
  };

  await expect(send()).rejects.toMatchObject({ code: 'upstream_failed' });
  const between = await selectIssues(trackers.plans.db, request, { planId });
  github.fault = () => undefined;
  const { outcome } = await send();

  expect(between).toMatchObject([{ externalId: null }]);
  expect([outcome, github.issues.length]).toEqual(['found', 1]);
});

test('a process that died while sending keeps others away for ten minutes; then its issue is found', async () => {
  const { github, preview, send, pass, request, planId, trackers } = await openSending(bench, 'died');
  const { digest, title, body } = await preview();
  const now = trackers.now();
  const until = new Date(now.getTime() + 10 * MINUTE_MS);
  const key = { planId, itemKey: 'T2', ...destinationOf(connection(github)) };
  await claimIssue(trackers.plans.db, request, { ...key, now, until, actor: request.actor });
  github.issues.push({
    id: 1001,
    number: 1,
    html_url: 'https://github.com/acme/shop/issues/1',
    state: 'open',
    title,
    body,
  });

  await expect(send(digest)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('being sent'),
  });
  pass(11 * MINUTE_MS);
  const { outcome } = await send(digest);

  expect([outcome, github.issues.length]).toEqual(['found', 1]);
});

test('what was certainly refused leaves nothing behind', async () => {
  const { github, send, request, planId, trackers } = await openSending(bench, 'refused');
  github.fault = (name) =>
    name === 'POST /issues' ? { status: 422, json: { message: 'Validation Failed' } } : undefined;

  await expect(send()).rejects.toMatchObject({ code: 'bad_argument' });
  const between = await selectIssues(trackers.plans.db, request, { planId });
  github.fault = () => undefined;

  expect(between).toEqual([]);
  expect(await send()).toMatchObject({ outcome: 'created' });
});

test('an item that was changed since the preview is not sent', async () => {
  const { github, preview, send, trackers, request, handle } = await openSending(bench, 'changed');
  const { digest } = await preview();
  await editItem(trackers.plans, request, { handle, change: { title: 'Refuse carts' }, actor: request.actor });

  await expect(send(digest)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('preview') });
  expect(github.issues).toEqual([]);
});

test('the status is read back; an issue that was deleted there can be sent again under another marker', async () => {
  const { github, send, trackers, request, handle } = await openSending(bench, 'read-back');
  await send();
  const [issue] = github.issues;
  if (issue !== undefined) issue.state = 'closed';

  const closed = await refreshItem(trackers, request, handle);
  github.issues.splice(0, 1, {
    id: 1007,
    number: 7,
    html_url: 'https://x.example',
    state: 'open',
    title: '',
    body: issue?.body ?? '',
  });
  const gone = await refreshItem(trackers, request, handle);
  github.fault = (name) => (name === 'POST /issues' ? { status: 422 } : undefined);
  await expect(send()).rejects.toMatchObject({ code: 'bad_argument' });
  github.fault = () => undefined;
  const again = await send();

  expect(closed).toMatchObject([{ status: 'closed', isClosed: true, fault: null }]);
  expect(gone).toMatchObject([{ isGone: true }]);
  expect(again).toMatchObject({ outcome: 'created', row: { label: '#2', isGone: false, isClosed: false, round: 1 } });
  expect(github.issues[1]?.body).not.toBe(issue?.body);
});

test('a token that lost its rights is told, and does not make issues gone', async () => {
  const { github, send, trackers, request, handle } = await openSending(bench, 'lost-rights');
  await send();
  github.fault = () => ({ status: 404 });

  const rows = await refreshItem(trackers, request, handle);

  expect(rows).toMatchObject([{ isGone: false, status: 'open', fault: expect.stringContaining('has no "acme/shop"') }]);
});

test('in the background open issues are looked at each hour and tokens get the newest key', async () => {
  const { github, send, trackers, request, handle, planId, pass } = await openSending(bench, 'background');
  await send();
  const [issue] = github.issues;
  if (issue !== undefined) issue.state = 'closed';
  const rotated = { ...trackers, keys: secretKeysOf([randomBytes(32).toString('base64'), KEY]) };
  const { signal } = new AbortController();

  await refreshTrackers(rotated, signal);
  const [early] = await selectIssues(trackers.plans.db, request, { planId });
  pass(60 * MINUTE_MS);
  await refreshTrackers(rotated, signal);
  const [late] = await selectIssues(trackers.plans.db, request, { planId });
  const mine = (await selectTrackers(trackers.plans.db, request)).filter(({ baseUrl }) =>
    baseUrl.startsWith(github.url),
  );

  expect([early?.status, late?.status]).toEqual(['open', 'closed']);
  expect(mine.map(({ token }) => isSealedWithFirst(rotated.keys, token))).toEqual([true]);
  expect(await refreshItem(rotated, request, handle)).toMatchObject([{ fault: null }]);
});

test('issues of a tracker that was removed are not due', async () => {
  const { send, trackers, request, trackerId, pass, planId } = await openSending(bench, 'not-due');
  await send();
  pass(60 * MINUTE_MS);
  const due = { before: trackers.now(), closedBefore: trackers.now(), limit: 1000 };

  const before = await selectDueIssues(trackers.plans.db, request, due);
  await removeTracker(trackers, request, trackerId);
  const after = await selectDueIssues(trackers.plans.db, request, due);

  expect(before.filter((row) => row.planId === planId)).toHaveLength(1);
  expect(after.filter((row) => row.planId === planId)).toEqual([]);
});

test('a tracker is connected when it takes the token; its token is kept encrypted, and replaced by connecting again', async () => {
  const { github, trackers, request, trackerId } = await openSending(bench, 'connected');
  await expect(connectTracker(trackers, request, connection(github, 'wrong'))).rejects.toMatchObject({
    code: 'conflict',
  });
  const again = await connectTracker(trackers, request, connection(github));
  const rows = (await listTrackers(trackers, request)).filter(({ baseUrl }) => baseUrl.startsWith(github.url));

  expect(again.id).toBe(trackerId);
  expect(rows).toMatchObject([{ id: trackerId, project: 'acme/shop' }]);
  expect(JSON.stringify(rows)).not.toContain(TOKEN);
  expect(await actionsOf(request, trackerId)).toEqual(['tracker.connect', 'tracker.connect']);
});

test('links stay when a tracker is removed, and the same one again sends nothing twice', async () => {
  const { github, trackers, request, planId, handle, trackerId, send } = await openSending(bench, 'removed');
  await send();
  await removeTracker(trackers, request, trackerId);
  const links = await selectIssues(trackers.plans.db, request, { planId });
  const { id } = await connectTracker(trackers, request, connection(github));
  const { digest } = await previewIssue(trackers, request, { handle, trackerId: id });
  const { outcome } = await sendIssue(trackers, request, { handle, trackerId: id, digest });

  expect(links).toMatchObject([{ label: '#1' }]);
  expect([outcome, github.issues.length]).toEqual(['existing', 1]);
});

test('of another account nothing is seen; with the plan its links go', async () => {
  const { trackers, request, planId, handle, trackerId, send } = await openSending(bench, 'tenants');
  await send();
  const { account } = await bench.another('none');
  const theirs = { accountId: account.accountId, productId: account.productId, actor: account.actor };

  expect(await listTrackers(trackers, theirs)).toEqual([]);
  expect(await selectIssues(trackers.plans.db, theirs, { planId })).toEqual([]);
  await expect(previewIssue(trackers, theirs, { handle, trackerId })).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(removeTracker(trackers, theirs, trackerId)).rejects.toMatchObject({ code: 'unknown_id' });
  await removePlan(trackers.plans, request, { slug: 'tenants', actor: request.actor });
  expect(await selectIssues(trackers.plans.db, request, { planId })).toEqual([]);
});

test.each([
  ['github', undefined, 'acme/shop', 'https://api.github.com acme/shop'],
  ['github', 'https://github.com/', '/acme/shop', 'https://api.github.com acme/shop'],
  ['github', 'https://git.example.org', 'acme/shop', 'https://git.example.org/api/v3 acme/shop'],
  ['gitlab', undefined, 'acme/tools/shop', 'https://gitlab.com/api/v4 acme/tools/shop'],
  ['gitlab', 'https://git.example.org/gitlab/api/v4/', '42', 'https://git.example.org/gitlab/api/v4 42'],
  ['linear', undefined, 'eng', 'https://api.linear.app ENG'],
  ['jira', 'https://acme.example.org/', 'shop', 'https://acme.example.org SHOP'],
] as const)('%s at %s, %s is %s', (kind, baseUrl, project, expected) => {
  const destination = destinationOf({ kind, project, ...(baseUrl !== undefined && { baseUrl }) });

  expect(`${destination.baseUrl} ${destination.project}`).toBe(expected);
});

test.each([
  ['github', undefined, 'shop'],
  ['github', undefined, '../..'],
  ['gitlab', undefined, 'shop?x=1'],
  ['linear', undefined, 'the team'],
  ['jira', undefined, 'SHOP'],
  ['jira', 'ftp://acme.example.org', 'SHOP'],
  ['gitlab', 'https://me:secret@git.example.org', 'a/b'],
] as const)('%s at %s, %s is refused', (kind, baseUrl, project) => {
  expect(() => destinationOf({ kind, project, ...(baseUrl !== undefined && { baseUrl }) })).toThrow(
    /is not an? (project|address) of/,
  );
});
