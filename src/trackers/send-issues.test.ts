import { Command } from 'commander';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../cli/client.ts';
import { addPlanSendCommand } from '../cli/commands-plan-send.ts';
import { openKeys } from '../keys/keys.ts';
import { startService, type TestService } from '../testing/http.ts';
import { openPlanBench, type PlanBench } from '../testing/plans.ts';
import { openSending, type Sending } from '../testing/trackers.ts';
import { bulkIssueRoutes } from './bulk-routes.ts';
import { previewIssues, updateIssue } from './send-issue.ts';
import { sendIssues } from './send-issues.ts';

let bench: PlanBench;
beforeAll(async () => {
  bench = await openPlanBench();
});
afterAll(() => bench.close());

/** The items of the plan with the ids of their previews. */
async function previewItems({ trackers, request, trackerId }: Sending, slug: string) {
  const previews = await previewIssues(trackers, request, { slug, trackerId });
  return previews.map(({ item, preview: { digest } }) => ({ handle: `wi:${item.number}`, digest }));
}

test('the items of a plan are sent in one go as shown, below their parent, and wait for each other there', async () => {
  const sending = await openSending(bench, 'in-one-go');
  const { github, trackers, request, trackerId } = sending;
  github.issues.push({ id: 1001, number: 1, html_url: 'https://github.com/x', state: 'open', title: 'All', body: '' });
  const previews = await previewIssues(trackers, request, { slug: 'in-one-go', trackerId });
  const items = await previewItems(sending, 'in-one-go');

  const results = await sendIssues(trackers, request, { trackerId, wanted: items, fields: { parent: '#1' } });
  const again = await sendIssues(trackers, request, { trackerId, wanted: items, fields: {} });

  expect(github.issues.slice(1)).toMatchObject(previews.map(({ preview: { title, body } }) => ({ title, body })));
  expect(results).toMatchObject([
    { item: { key: 'T1' }, sent: { outcome: 'created', linkFault: undefined } },
    { item: { key: 'T2' }, sent: { outcome: 'created', linkFault: undefined } },
  ]);
  expect(github.links).toEqual(['1/sub_issues 1002', '1/sub_issues 1003', '3/dependencies/blocked_by 1002']);
  expect(again).toMatchObject([{ sent: { outcome: 'existing' } }, { sent: { outcome: 'existing' } }]);
});

test('an item that is sent before the one it waits for is linked when that one comes', async () => {
  const sending = await openSending(bench, 'later');
  const { github, trackers, request, trackerId } = sending;
  const [first, second] = await previewItems(sending, 'later');

  await sendIssues(trackers, request, { trackerId, wanted: second === undefined ? [] : [second], fields: {} });
  expect(github.links).toEqual([]);
  await sendIssues(trackers, request, { trackerId, wanted: first === undefined ? [] : [first], fields: {} });

  expect(github.links).toEqual(['1/dependencies/blocked_by 1002']);
});

test('an issue that cannot be linked is there all the same, says why, and is linked by an update', async () => {
  const sending = await openSending(bench, 'unlinked');
  const { github, trackers, request, trackerId, handle } = sending;
  github.fault = (name) => (name.endsWith('/blocked_by') ? { status: 404 } : undefined);

  const results = await sendIssues(trackers, request, {
    trackerId,
    wanted: await previewItems(sending, 'unlinked'),
    fields: {},
  });
  github.fault = () => undefined;
  const { digest } = await sending.preview();
  const updated = await updateIssue(trackers, request, { handle, trackerId, digest });

  expect(results[1]).toMatchObject({
    sent: { outcome: 'created', linkFault: 'GitHub has no sub-issues or links between issues here.' },
  });
  expect(updated.linkFault).toBeUndefined();
  expect(github.links).toEqual(['2/dependencies/blocked_by 1001']);
});

test('once the tracker asks for patience the rest is not sent; sending again makes what is missing', async () => {
  const sending = await openSending(bench, 'patience');
  const { github, trackers, request, trackerId } = sending;
  const items = await previewItems(sending, 'patience');
  const late = { status: 429, headers: { 'retry-after': '3600' } };
  github.fault = (name) => (name === 'POST /issues' ? late : undefined);

  const results = await sendIssues(trackers, request, { trackerId, wanted: items, fields: {} });
  github.fault = () => undefined;
  const again = await sendIssues(trackers, request, { trackerId, wanted: items, fields: {} });

  expect(results).toMatchObject([
    { fault: { code: 'rate_limited', fix: expect.stringContaining('Nothing was sent') as string } },
    { fault: { code: 'rate_limited', message: expect.stringContaining('an item before') as string } },
  ]);
  expect(again).toMatchObject([{ sent: { outcome: 'created' } }, { sent: { outcome: 'created' } }]);
});

test('a changed item is told, and a parent that is not there stops all before anything is sent', async () => {
  const sending = await openSending(bench, 'told');
  const { github, trackers, request, trackerId } = sending;
  const [first, second] = await previewItems(sending, 'told');
  const items = [{ handle: first?.handle ?? '', digest: 'old' }, ...(second === undefined ? [] : [second])];

  await expect(
    sendIssues(trackers, request, { trackerId, wanted: items, fields: { parent: '#99' } }),
  ).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'GitHub acme/shop has no issue "#99".',
  });
  expect(github.issues).toEqual([]);
  const results = await sendIssues(trackers, request, { trackerId, wanted: items, fields: {} });
  expect(results).toMatchObject([{ fault: { code: 'conflict' } }, { sent: { outcome: 'created' } }]);
});

test('the command line shows what would be sent, sends it with --yes, and an API key sends nothing', async () => {
  const sending = await openSending(bench, 'by-command');
  const { github, trackers, trackerId } = sending;
  const { accountId, productId, actor } = bench.account;
  const keys = await openKeys(bench.account.database, () => new Date(), {
    onFault: (error) => {
      throw error;
    },
  });
  onTestFinished(() => keys.close());
  const { secret } = await keys.createKey({
    accountId,
    product: productId,
    name: 'test',
    scopes: ['read', 'plans:write'],
    actor,
  });
  const service: TestService = await startService({
    operations: [],
    gate: keys,
    routes: [bulkIssueRoutes(trackers)],
    owner: (token) =>
      token === 'owner-token' ? { accountId, productId, personId: actor.replace('person:', '') } : undefined,
  });
  onTestFinished(() => service.close());
  const ask = (method: string, path: string, credential: string, body?: object): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const shown: string[] = [];
  const client = {
    send: async (method: string, path: string, body?: object) => {
      const answer = await ask(method, path, 'owner-token', body);
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
  } as unknown as Client;
  const run = async (...args: string[]): Promise<string> => {
    const program = new Command('svc').exitOverride();
    addPlanSendCommand(program, {
      cwd: '/',
      common: (command: Command) => command,
      withClient: (_: object, act: (given: Client) => Promise<void>) => act(client),
      withClientToAdd: (_: object, act: (given: Client) => Promise<void>) => act(client),
      repositoryHere: async () => undefined,
      show: (_: object, __: unknown, prose: () => string) => void shown.push(prose()),
    });
    await program.parseAsync(['send', 'by-command', '--tracker', trackerId, ...args], { from: 'user' });
    return shown.at(-1) ?? '';
  };

  expect(await run()).toMatch(
    /\(T1\) Count carts\n\n {4}Work item wi:\d+[^]*2 issues would be made in github acme\/shop/,
  );
  const byKey = await ask('POST', '/v1/issues', secret, { tracker: trackerId, items: [{ item: 'wi:1', digest: 'x' }] });
  expect([byKey.status, github.issues]).toEqual([403, []]);
  expect(await run('--items', 'T1', '--labels', 'checkout, later', '--yes')).toMatch(/T1 +created +#1 +https:/);
  expect(github.issues).toMatchObject([{ title: 'Count carts', labels: ['checkout', 'later'] }]);
  expect(await run('--yes')).toMatch(/T2 +created +#2/);
  expect(await run()).toBe('Nothing to send: all open work items have an issue in github acme/shop.');
  await expect(run('--items', 'T9')).rejects.toMatchObject({ code: 'unknown_id' });
});
