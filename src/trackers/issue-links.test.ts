import { expect, onTestFinished, test } from 'vitest';
import { HANG_LIMIT_MS } from '../testing/limits.ts';
import {
  type CannedAnswer,
  openTrackerServer,
  type ReceivedRequest,
  type TrackerServer,
} from '../testing/tracker-server.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { TrackerLine } from './tracker-call.ts';

/** Shapes as the public documentation of each API gives them, cut to what is read. */
async function lineTo(
  project: string,
  answer: (request: ReceivedRequest) => CannedAnswer | undefined,
): Promise<{ line: TrackerLine; server: TrackerServer }> {
  const server = await openTrackerServer(answer);
  onTestFinished(() => server.close());
  const line: TrackerLine = {
    name: 'Tracker',
    baseUrl: server.url,
    project,
    headers: {},
    secretHeaders: { authorization: 'the-token' },
    net: { privateHosts: new Set(['127.0.0.1']), timeoutMs: HANG_LIMIT_MS },
    wait: async () => {},
    now: () => new Date('2026-11-21T10:00:00Z'),
  };
  return { line, server };
}

function changesOf({ requests }: TrackerServer): [string, unknown][] {
  return requests.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body]);
}

const ok = (json: unknown): CannedAnswer => ({ status: 200, json });

function issueOf(number: number): object {
  return { id: 1000 + number, number, html_url: `https://github.com/acme/shop/issues/${number}`, state: 'open' };
}

/** Issues 1 to 9, whose other id is a thousand more, and the numbers in each of their lists. */
function githubAnswers(lists: Record<string, number[]>): (request: ReceivedRequest) => CannedAnswer | undefined {
  return ({ method, path }) => {
    const below = path.replace(/\?.*/, '').replace('/repos/acme/shop/issues/', '');
    if (method === 'POST') return { status: 201, json: issueOf(1) };
    if (lists[below] !== undefined) return ok(lists[below].map(issueOf));
    return /^[1-9]$/.test(below) ? ok(issueOf(Number(below))) : undefined;
  };
}

test('GitHub: what is linked stays, what is missing is added by the other id of the issue', async () => {
  const { line, server } = await lineTo(
    'acme/shop',
    githubAnswers({ '7/dependencies/blocked_by': [3], '2/sub_issues': [] }),
  );
  const api = github(line);

  await api.block('7', ['3', '4']);
  await api.nest?.('7', '2');

  expect(changesOf(server)).toEqual([
    ['/repos/acme/shop/issues/7/dependencies/blocked_by', { issue_id: 1004 }],
    ['/repos/acme/shop/issues/2/sub_issues', { sub_issue_id: 1007, replace_parent: true }],
  ]);
  expect((await api.identify('#3'))?.externalId).toBe('3');
  expect([await api.identify('#77'), await api.identify('../labels')]).toEqual([undefined, undefined]);
  await expect(api.block('8', ['3'])).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('no sub-issues or links') as string,
  });
});

function gitlabLink(from: number, link_type: string): unknown[] {
  return [
    `/projects/acme/shop/issues/${from}/links`,
    { target_project_id: 'acme/shop', target_issue_iid: '7', link_type },
  ];
}

test('GitLab: blocking links, and related ones in editions that have no blocking ones', async () => {
  const state = { isFree: false };
  const { line, server } = await lineTo('acme/shop', ({ method, path, body }) => {
    if (method === 'GET') return path.endsWith('/3/links') ? ok([{ iid: 7, link_type: 'blocks' }]) : ok([]);
    const isRefused = state.isFree && (body as { link_type: string }).link_type === 'blocks';
    return isRefused ? { status: 403, json: { message: '403 Forbidden' } } : { status: 201, json: {} };
  });
  const api = gitlab(line);

  await api.block('7', ['3', '4']);
  state.isFree = true;
  await api.block('7', ['5']);
  await api.nest?.('7', '2');

  expect(changesOf(server)).toEqual([
    gitlabLink(4, 'blocks'),
    gitlabLink(5, 'blocks'),
    gitlabLink(5, 'relates_to'),
    gitlabLink(2, 'relates_to'),
  ]);
});

test('Linear: relations from the one that blocks, a parent by its id, and issues by the name of the team', async () => {
  const existingIssue = {
    id: 'p',
    identifier: 'ENG-7',
    url: 'https://linear.app/acme/issue/ENG-7',
    state: { name: 'Todo', type: 'unstarted' },
  };
  const { line, server } = await lineTo('ENG', ({ body }) => {
    const { query } = body as { query: string };
    const relations = {
      nodes: [
        { type: 'blocks', issue: { id: 'a' } },
        { type: 'related', issue: { id: 'b' } },
      ],
    };
    if (query.includes('inverseRelations'))
      return ok({ data: { issues: { nodes: [{ inverseRelations: relations }] } } });
    if (query.includes('issueRelationCreate')) return ok({ data: { issueRelationCreate: { success: true } } });
    if (query.includes('issueCreate')) return ok({ data: { issueCreate: { success: true, issue: existingIssue } } });
    return ok({ data: { issues: { nodes: [existingIssue] }, teams: { nodes: [{ id: 'team' }] } } });
  });
  const api = linear(line);
  const inputs = (): unknown[] =>
    server.requests.flatMap(({ body }) => (body as { variables: { input?: unknown } }).variables.input ?? []);

  await api.block('c', ['a', 'b']);
  expect(inputs()).toEqual([{ issueId: 'b', relatedIssueId: 'c', type: 'blocks' }]);
  expect((await api.identify('eng-7'))?.externalId).toBe('p');
  expect(await api.identify('OPS-7')).toBeUndefined();
  await api.create({ title: 'A', body: 'B', marker: 'c', parent: 'p' });
  expect(inputs().at(-1)).toEqual({ id: 'c', teamId: 'team', title: 'A', description: 'B', parentId: 'p' });
});

function jiraLink(blocker: string): object {
  return { type: { name: 'Blocker' }, inwardIssue: { key: blocker }, outwardIssue: { key: 'SHOP-7' } };
}

test('Jira: the link type that blocks, whatever it is called, in its direction, and a parent among the fields', async () => {
  const status = { name: 'To Do', statusCategory: { key: 'new' } };
  const types = [
    { name: 'Duplicate', inward: 'is duplicated by', outward: 'duplicates' },
    { name: 'Blocker', inward: 'is blocked by', outward: 'blocks' },
  ];
  const links = [
    { type: { name: 'Blocker' }, inwardIssue: { key: 'SHOP-3' } },
    { type: { name: 'Duplicate' }, inwardIssue: { key: 'SHOP-4' } },
    { type: { name: 'Blocker' }, outwardIssue: { key: 'SHOP-5' } },
  ];
  const { line, server } = await lineTo('SHOP', ({ method, path }) => {
    if (method !== 'GET') return { status: 201, json: { id: '1', key: 'SHOP-9' } };
    if (path.endsWith('/issueLinkType')) return ok({ issueLinkTypes: types });
    if (path.includes('fields=issuelinks')) return ok({ fields: { issuelinks: links } });
    return path.includes('/issue/SHOP-2?') ? ok({ key: 'SHOP-2', fields: { status } }) : undefined;
  });
  const api = jira(line, { issueType: 'Task', isCloud: true });

  await api.block('SHOP-7', ['SHOP-3', 'SHOP-4', 'SHOP-5']);
  await api.create({ title: 'A', body: 'B', marker: 'c', parent: 'SHOP-2' });

  expect(changesOf(server)).toMatchObject([
    ['/rest/api/2/issueLink', jiraLink('SHOP-4')],
    ['/rest/api/2/issueLink', jiraLink('SHOP-5')],
    ['/rest/api/2/issue', { fields: { parent: { key: 'SHOP-2' } } }],
  ]);
  expect((await api.identify('shop-2'))?.externalId).toBe('SHOP-2');
  expect(await api.identify('#2')).toBeUndefined();
});
