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
import type { TrackerApi } from './tracker-api.ts';
import type { TrackerLine } from './tracker-call.ts';

const MARKER = '3f2a1b4c-1111-4222-8333-944455556666';
const TEXT = { title: 'Refuse empty carts', body: 'Text' };
const SECRET = 'the-token';

type Answering = (request: ReceivedRequest) => CannedAnswer | undefined;

async function served(answer: Answering): Promise<TrackerServer> {
  const server = await openTrackerServer(answer);
  onTestFinished(() => server.close());
  return server;
}

function lineTo({ url }: TrackerServer, project: string): TrackerLine {
  return {
    name: 'Tracker',
    baseUrl: url,
    project,
    headers: {},
    secretHeaders: { authorization: SECRET },
    net: { privateHosts: new Set(['127.0.0.1']), timeoutMs: HANG_LIMIT_MS },
    wait: async () => {},
    now: () => new Date('2026-11-21T10:00:00Z'),
  };
}

function answering(routes: Record<string, unknown>): Answering {
  return ({ method, path }) => {
    const json = routes[`${method} ${path.replace(/\?.*/, '')}`];
    return json === undefined ? undefined : { status: method === 'POST' ? 201 : 200, json };
  };
}

/** The bodies that were sent to change something. */
function sentTo({ requests }: TrackerServer): unknown[] {
  return requests
    .filter(({ method, body }) => method !== 'GET' && !JSON.stringify(body).includes('query '))
    .map(bodyOf);
}

function bodyOf({ body }: ReceivedRequest): unknown {
  return (body as { variables?: unknown }).variables ?? body;
}

const GITHUB = { id: 1007, number: 7, html_url: 'https://github.com/acme/shop/issues/7', state: 'open' };
const GITLAB = { iid: 7, web_url: 'https://gitlab.com/acme/shop/-/issues/7', state: 'opened' };
const LINEAR = {
  id: MARKER,
  identifier: 'ENG-7',
  url: 'https://linear.app/acme/issue/ENG-7',
  state: { name: 'Todo', type: 'unstarted' },
};

/** Shapes as the public documentation of each API shows them, cut to what is read. */
function answeringLinear({ body }: ReceivedRequest): CannedAnswer {
  const { query } = body as { query: string };
  const choices = {
    labels: { nodes: [{ id: 'l1', name: 'bug' }] },
    members: { nodes: [{ id: 'u1', displayName: 'ada' }] },
  };
  const data = query.includes('issueCreate')
    ? { issueCreate: { success: true, issue: LINEAR } }
    : query.includes('issueUpdate')
      ? { issueUpdate: { success: true, issue: LINEAR } }
      : query.includes('issues(')
        ? { issues: { nodes: [LINEAR] } }
        : { teams: { nodes: [{ id: 'team', ...choices }] } };
  return { status: 200, json: { data } };
}

test('GitHub, GitLab and Linear tell what can be chosen, and are sent it in their own words', async () => {
  const list = [{ id: 3, number: 3, title: 'May', name: 'bug', login: 'ada', username: 'ada' }];
  const ofGithub = await served(
    answering({
      'GET /repos/acme/shop/labels': list,
      'GET /repos/acme/shop/assignees': list,
      'GET /repos/acme/shop/milestones': list,
      'POST /repos/acme/shop/issues': GITHUB,
      'PATCH /repos/acme/shop/issues/7': GITHUB,
    }),
  );
  const ofGitlab = await served(
    answering({
      'GET /projects/acme/shop/labels': list,
      'GET /projects/acme/shop/members/all': list,
      'GET /projects/acme/shop/milestones': list,
      'POST /projects/acme/shop/issues': GITLAB,
      'PUT /projects/acme/shop/issues/7': GITLAB,
    }),
  );
  const ofLinear = await served(answeringLinear);
  const apis: [TrackerApi, string][] = [
    [github(lineTo(ofGithub, 'acme/shop')), '7'],
    [gitlab(lineTo(ofGitlab, 'acme/shop')), '7'],
    [linear(lineTo(ofLinear, 'ENG')), MARKER],
  ];

  for (const [api, externalId] of apis) {
    const { labels, assignees, milestones } = await api.choices();
    expect([labels[0]?.name, assignees[0]?.name]).toEqual(['bug', 'ada']);
    const fields = {
      labels: labels.map(({ id }) => id),
      assignee: assignees[0]?.id,
      ...(milestones[0] !== undefined && { milestone: milestones[0].id }),
    };
    await api.create({ ...TEXT, marker: MARKER, ...fields });
    expect(await api.update(externalId, { ...TEXT, ...fields })).toMatchObject({ externalId });
    await api.update(externalId, TEXT);
  }

  const { title, body } = TEXT;
  const github3 = { title, body, labels: ['bug'], assignees: ['ada'], milestone: 3 };
  expect(sentTo(ofGithub)).toEqual([github3, github3, { title, body }]);
  const gitlab3 = { title, description: body, labels: 'bug', assignee_ids: [3], milestone_id: 3 };
  expect(sentTo(ofGitlab)).toEqual([gitlab3, gitlab3, { title, description: body }]);
  const input = { title, description: body, labelIds: ['l1'], assigneeId: 'u1' };
  expect(sentTo(ofLinear)).toEqual([
    { input: { id: MARKER, teamId: 'team', ...input } },
    { id: MARKER, input },
    { id: MARKER, input: { title, description: body } },
  ]);
});

const JIRA = '/rest/api/2';
const CREATED = { id: '10000', key: 'SHOP-24' };
const ISSUE = { key: 'SHOP-24', fields: { status: { name: 'To Do', statusCategory: { key: 'new' } } } };

/** A project whose types have German names, as Jira Cloud tells them. */
function german(fields: object[]): Record<string, unknown> {
  const types = [
    { id: '10001', name: 'Aufgabe', untranslatedName: 'Task', subtask: false },
    { id: '10002', name: 'Fehler', untranslatedName: 'Bug', subtask: false },
  ];
  return {
    [`GET ${JIRA}/project/SHOP`]: { key: 'SHOP' },
    [`GET ${JIRA}/issue/createmeta/SHOP/issuetypes`]: { issueTypes: types, total: 2 },
    [`GET ${JIRA}/issue/createmeta/SHOP/issuetypes/10001`]: { fields, total: fields.length },
    [`GET ${JIRA}/user/assignable/search`]: [{ accountId: 'a1', displayName: 'Ada' }],
    [`GET ${JIRA}/project/SHOP/versions`]: [
      { id: '1', name: '1.0', released: true, archived: false },
      { id: '2', name: '2.0', released: false, archived: false },
    ],
    [`GET ${JIRA}/label`]: { values: ['checkout'], total: 1 },
    [`POST ${JIRA}/issue`]: CREATED,
    [`PUT ${JIRA}/issue/SHOP-24`]: {},
    [`GET ${JIRA}/issue/SHOP-24`]: ISSUE,
  };
}

const SUMMARY = { fieldId: 'summary', name: 'Zusammenfassung', required: true, hasDefaultValue: false };
const CLOUD = { issueType: 'Task', isCloud: true };

test('Jira is asked for its types, whatever language they have, and is sent the choices', async () => {
  const server = await served(
    answering(german([SUMMARY, { ...SUMMARY, fieldId: 'fixVersions' }, { ...SUMMARY, hasDefaultValue: true }])),
  );
  const api = jira(lineTo(server, 'SHOP'), CLOUD);

  expect(await api.choices()).toEqual({
    labels: [{ id: 'checkout', name: 'checkout' }],
    assignees: [{ id: 'a1', name: 'Ada' }],
    milestones: [{ id: '2', name: '2.0' }],
  });
  const fields = { labels: ['checkout'], assignee: 'a1', milestone: '2' };
  await api.create({ ...TEXT, marker: MARKER, ...fields });
  expect(await api.update('SHOP-24', { ...TEXT, ...fields })).toMatchObject({ label: 'SHOP-24', status: 'To Do' });

  const sent = {
    summary: TEXT.title,
    description: TEXT.body,
    labels: ['checkout'],
    assignee: { accountId: 'a1' },
    fixVersions: [{ id: '2' }],
  };
  expect(sentTo(server)).toEqual([
    { fields: { project: { key: 'SHOP' }, issuetype: { id: '10001' }, ...sent } },
    { fields: sent },
  ]);
});

test('what Jira would refuse is told before anything is sent', async () => {
  const server = await served(answering(german([SUMMARY, { ...SUMMARY, fieldId: 'customfield_1', name: 'Team' }])));
  const line = lineTo(server, 'SHOP');

  await expect(jira(line, { ...CLOUD, issueType: 'Story' }).check()).rejects.toMatchObject({
    message: 'SHOP has no issues of the type "Story".',
    fix: expect.stringContaining('Aufgabe, Fehler') as string,
  });
  await expect(jira(line, CLOUD).create({ ...TEXT, marker: MARKER })).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'Issues of the type "Aufgabe" in SHOP need: Team.',
  });
  expect(sentTo(server)).toEqual([]);
});

test('a token with scopes is taken to the gateway of Atlassian, and to the site no more', async () => {
  const gateway = await served(({ method, path, headers }) =>
    headers.authorization === SECRET
      ? answering(german([SUMMARY]))({ method, path: path.replace('/ex/jira/cloud-1', ''), headers, body: undefined })
      : undefined,
  );
  const site = await served(({ path }) =>
    path === '/_edge/tenant_info' ? { status: 200, json: { cloudId: 'cloud-1' } } : undefined,
  );
  const api = jira(lineTo(site, 'SHOP'), { ...CLOUD, gateway: gateway.url });

  await api.check();
  const { url } = await api.create({ ...TEXT, marker: MARKER });

  expect(url).toBe(`${site.url}/browse/SHOP-24`);
  expect(site.requests.map(({ path }) => path)).toEqual([`${JIRA}/project/SHOP`, '/_edge/tenant_info']);
  expect(site.requests[1]?.headers.authorization).toBeUndefined();
});

test('a project that is at neither place is told as unknown, and a token that both refuse as refused', async () => {
  const tenant = { status: 200, json: { cloudId: 'cloud-1' } };
  const openServer = (status: number): Promise<TrackerServer> =>
    served(({ path }) => (path === '/_edge/tenant_info' ? tenant : { status }));
  const checked = async (status: number): Promise<void> => {
    const [site, gateway] = [await openServer(status), await openServer(status)];
    await jira(lineTo(site, 'SHOP'), { ...CLOUD, gateway: gateway.url }).check();
  };

  await expect(checked(404)).rejects.toMatchObject({ message: expect.stringContaining('has no "SHOP"') as string });
  await expect(checked(401)).rejects.toMatchObject({ message: expect.stringContaining('(401)') as string });
});
